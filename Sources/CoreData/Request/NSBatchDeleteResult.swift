/// The result of a batch delete.
///
/// - SeeAlso: Apple, "NSBatchDeleteResult".
open nonisolated class NSBatchDeleteResult: NSPersistentStoreResult {
  /// As ``resultType`` says: `true`, the IDs of the deleted objects, or their number.
  public final let result: Any?
  /// The kind of ``result``.
  public final let resultType: NSBatchDeleteRequestResultType

  init(_ outcome: BatchOutcome, _ resultType: NSBatchDeleteRequestResultType) {
    self.resultType = resultType
    result =
      switch resultType {
      case .resultTypeStatusOnly: true
      case .resultTypeObjectIDs: outcome.objectIDs
      case .resultTypeCount: outcome.count
      }
    super.init()
  }
}
