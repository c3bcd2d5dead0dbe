/// A change of an object or a section of a fetched results controller; raw values are Apple's.
public enum NSFetchedResultsChangeType: UInt, Sendable {
  /// It came in.
  case insert = 1
  /// It left.
  case delete = 2
  /// An object changed and has another place now.
  case move = 3
  /// An object changed and kept its place.
  case update = 4
}
