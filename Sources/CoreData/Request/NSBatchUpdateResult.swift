/// The result of a batch update.
///
/// - SeeAlso: Apple, "NSBatchUpdateResult".
open nonisolated class NSBatchUpdateResult: NSPersistentStoreResult {
  /// As ``resultType`` says: `true`, the IDs of the updated objects, or their number.
  public final let result: Any?
  /// The kind of ``result``.
  public final let resultType: NSBatchUpdateRequestResultType

  init(_ outcome: BatchOutcome, _ resultType: NSBatchUpdateRequestResultType) {
    self.resultType = resultType
    result =
      switch resultType {
      case .statusOnlyResultType: true
      case .updatedObjectIDsResultType: outcome.objectIDs
      case .updatedObjectsCountResultType: outcome.count
      }
    super.init()
  }
}
