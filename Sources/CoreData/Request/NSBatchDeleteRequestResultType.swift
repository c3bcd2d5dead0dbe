/// The kind of a batch delete's result; raw values are Apple's.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
  /// Whether it was carried out: `true`.
  case resultTypeStatusOnly = 0
  /// The IDs of the deleted objects: `[NSManagedObjectID]`.
  case resultTypeObjectIDs = 1
  /// How many objects were deleted: `Int`.
  case resultTypeCount = 2
}
