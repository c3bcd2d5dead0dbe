/// The kind of a batch insert's result; raw values are Apple's.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
  /// Whether it was carried out: `true`.
  case statusOnly = 0
  /// The IDs of the inserted objects: `[NSManagedObjectID]`.
  case objectIDs = 1
  /// How many objects were inserted: `Int`.
  case count = 2
}
