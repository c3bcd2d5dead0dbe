/// A type of a module that knows nothing of Core Data.
public enum Mark: Int16, Sendable {
  case none, star
}
