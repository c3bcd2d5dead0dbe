import Checking
import CoreData

/// Records the transactions that a context takes of the persistent history, for the check `history-merges`.
///
/// Concurrency: used by one thread at a time, as the history's writer.
struct HistoryLog: Sendable {
  private let history: HistoryWriter
  private let number: @Sendable (NSManagedObjectContext) -> UInt32

  init(_ history: HistoryWriter, number: @escaping @Sendable (NSManagedObjectContext) -> UInt32) {
    self.history = history
    self.number = number
  }

  /// Records that the context has everything up to a transaction, and merges the later ones.
  func begins(after transaction: NSPersistentHistoryTransaction?, _ context: NSManagedObjectContext) {
    record(.info, .historyRead, transaction?.transactionNumber ?? 0, 0, context)
  }

  /// Records that the context merges a transaction, or passes it over.
  func note(_ transaction: NSPersistentHistoryTransaction, isMerged: Bool, _ context: NSManagedObjectContext) {
    let isOwn = transaction.author != nil && transaction.author == context.transactionAuthor
    record(isMerged ? .ok : .info, .merge, transaction.transactionNumber, isOwn ? 1 : 0, context)
  }

  /// Records that the context has everything up to a transaction, by the token that it keeps.
  func isThrough(_ transaction: NSPersistentHistoryTransaction?, _ context: NSManagedObjectContext) {
    isThrough(transaction?.transactionNumber ?? 0, context)
  }

  /// The same of a transaction's number.
  func isThrough(_ number: Int64, _ context: NSManagedObjectContext) { record(.ok, .historyRead, number, 0, context) }

  /// Records that the history after the transaction was deleted before the context had it.
  func isExpired(_ transaction: NSPersistentHistoryTransaction?, _ context: NSManagedObjectContext) {
    record(
      .fail, .historyRead, transaction?.transactionNumber ?? 0, Int64(NSPersistentHistoryTokenExpiredError), context)
  }

  private func record(
    _ type: OperationType, _ function: OperationFunction, _ key: Int64, _ value: Int64,
    _ context: NSManagedObjectContext
  ) {
    history.record(type, function, key: key, value: value, context: number(context))
  }
}
