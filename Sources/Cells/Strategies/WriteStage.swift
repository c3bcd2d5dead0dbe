/// How far a unit of work has come.
public enum WriteStage: Sendable {
  /// The objects are changed; the save begins.
  case edited
  /// The save reached the parent context, not the file.
  case pushed
  /// The changes are committed to the store's file.
  case durable
}
