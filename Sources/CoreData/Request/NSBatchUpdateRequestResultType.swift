/// The kind of a batch update's result; raw values are Apple's.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
  /// Whether it was carried out: `true`.
  case statusOnlyResultType = 0
  /// The IDs of the updated objects: `[NSManagedObjectID]`.
  case updatedObjectIDsResultType = 1
  /// How many objects were updated: `Int`.
  case updatedObjectsCountResultType = 2
}
