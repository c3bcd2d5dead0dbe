import RowStore

/// A row that changed since an object of a context was read from it.
///
/// - SeeAlso: Apple, "NSMergeConflict".
open nonisolated class NSMergeConflict: NSObject {
  /// The object that was to be saved.
  public final let sourceObject: NSManagedObject
  /// The version the row has now; 0 when it is gone.
  public final let newVersionNumber: Int
  /// The version the object was read from.
  public final let oldVersionNumber: Int
  /// The values last read or saved here, to-many relationships left out; to-one values are object IDs.
  public final var objectSnapshot: [String: Any]? { values(of: base) }
  /// The values in the coordinator's row cache: those of another context's save, or, when another coordinator saved, those
  /// the object was read from.
  public final var cachedSnapshot: [String: Any]? { values(of: isPersisted ? base : row) }
  /// The values in the store; set when another coordinator saved.
  public final var persistedSnapshot: [String: Any]? { isPersisted ? values(of: row) : nil }

  /// The row as it is now; nil when it is gone.
  final let row: Row?
  /// The row the object was read from.
  private let base: Row?
  private let isPersisted: Bool

  init(_ object: NSManagedObject, row: Row?, isPersisted: Bool) {
    sourceObject = object
    self.row = row
    base = object.snapshot
    self.isPersisted = isPersisted
    newVersionNumber = Int(row?.version ?? 0)
    oldVersionNumber = Int(object.snapshot?.version ?? 0)
  }

  private func values(of row: Row?) -> [String: Any]? { row.map(sourceObject.snapshotValues) }

  open override var description: String {
    "<NSMergeConflict: \(sourceObject.objectID), old version \(oldVersionNumber), new version \(newVersionNumber)>"
  }
}
