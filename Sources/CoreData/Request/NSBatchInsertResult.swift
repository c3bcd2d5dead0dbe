/// The result of a batch insert.
///
/// - SeeAlso: Apple, "NSBatchInsertResult".
open nonisolated class NSBatchInsertResult: NSPersistentStoreResult {
  /// As ``resultType`` says: `true`, the IDs of the inserted objects, or their number.
  public final let result: Any?
  /// The kind of ``result``.
  public final let resultType: NSBatchInsertRequestResultType

  init(_ outcome: BatchOutcome, _ resultType: NSBatchInsertRequestResultType) {
    self.resultType = resultType
    result =
      switch resultType {
      case .statusOnly: true
      case .objectIDs: outcome.objectIDs
      case .count: outcome.count
      }
    super.init()
  }
}
