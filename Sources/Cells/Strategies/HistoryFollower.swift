import CoreData
import Scenarios
import Scheduling

/// Merges others' transactions in the history of main's store into main, in the order of the commits, after remote changes.
///
/// Its token is that of the last transaction that it has taken: one that is committed while it merges comes after it.
final class HistoryFollower: @unchecked Sendable {
  // Sendable: but for the observer, which is only handed back, everything is used on main's queue.
  private let main: NSManagedObjectContext
  private let environment: StrategyEnvironment
  private let tokens: HistoryTokens
  private let purgeEvery: Int
  /// The last transaction that main has, or that was there before main read anything; nil before the first.
  private var last: NSPersistentHistoryTransaction?
  private var hasBegun = false
  private var takenSincePurge = 0
  private let observer: any NSObjectProtocol

  /// Merges from now on; on the main thread.
  init(into main: NSManagedObjectContext, _ environment: StrategyEnvironment) throws {
    self.main = main
    self.environment = environment
    tokens = HistoryTokens(environment)
    purgeEvery = environment.settings[Keys.historyPurgeEvery]
    last = try main.lastHistoryTransaction()
    let follower = Locked(WeakFollower())
    observer = environment.addObserver(
      forName: .NSPersistentStoreRemoteChange, object: environment.container.persistentStoreCoordinator
    ) { _ in
      follower.withLock { $0.value }?.follow()
    }
    follower.withLock { $0.value = self }
    tokens.keep(last)
  }

  deinit { environment.removeObserver(observer) }

  private struct WeakFollower: Sendable {
    weak var value: HistoryFollower?
  }

  private func follow() {
    environment.deliver { [weak self, main] in
      main.perform { [weak self] in self?.mergeNew() }
    }
  }

  /// Calls `body` on main's queue once main has every transaction that was committed before the call. Any thread.
  func whenMainIsCurrent(_ body: @escaping @Sendable () -> Void) {
    main.perform { [self] in
      // A file that is busy is read again.
      if mergeNew() { body() } else { whenMainIsCurrent(body) }
    }
  }

  /// Takes the transactions after the last one; false where they cannot be read now.
  @discardableResult
  private func mergeNew() -> Bool {
    environment.measure(.merge) {
      do {
        if !hasBegun { environment.historyLog?.begins(after: last, main) }
        hasBegun = true
        try merge(main.historyTransactions(after: last?.token))
        return true
      } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
        return startAnew()
      } catch {
        return false
      }
    }
  }

  private func merge(_ transactions: [NSPersistentHistoryTransaction]) throws {
    precondition(hasBegun, "the log says where main begins before it has the first transaction")
    for transaction in transactions {
      let isOwn = transaction.author == main.transactionAuthor
      if !isOwn { main.mergeChanges(fromContextDidSave: transaction.objectIDNotification()) }
      environment.historyLog?.note(transaction, isMerged: !isOwn, main)
      last = transaction
    }
    guard !transactions.isEmpty else { return }
    environment.historyLog?.isThrough(last, main)
    tokens.keep(last)
    takenSincePurge += transactions.count
    if purgeEvery > 0, takenSincePurge >= purgeEvery { purge() }
  }

  /// Deletes the history that the mains of all processes have merged; the next purge makes up for one that fails.
  private func purge() {
    guard let oldest = tokens.oldest else { return }
    guard (try? main.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: oldest))) != nil else { return }
    takenSincePurge = 0
  }

  /// The history after the last transaction is gone: main reads all that it has anew.
  private func startAnew() -> Bool {
    environment.historyLog?.isExpired(last, main)
    guard let now = try? main.lastHistoryTransaction() else { return false }
    last = now
    environment.historyLog?.begins(after: last, main)
    tokens.keep(last)
    main.refreshAllObjects()
    return true
  }
}

extension NSManagedObjectContext {
  /// The transactions of the store's history after a point, with their changes; all with nil. On the context's queue.
  func historyTransactions(
    after token: NSPersistentHistoryToken?, _ kind: NSPersistentHistoryResultType = .transactionsAndChanges
  ) throws -> [NSPersistentHistoryTransaction] {
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
    request.resultType = kind
    let result = try execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  /// The last transaction, without its changes; nil before the first. On the context's queue.
  func lastHistoryTransaction() throws -> NSPersistentHistoryTransaction? {
    try historyTransactions(after: nil, .transactionsOnly).last
  }
}

extension Keys {
  package static let historyPurgeEvery = Setting<Int>(
    "history_purge_every", 0...1_000_000, unit: "transactions", default: 50,
    "After so many transactions that main has taken, a strategy that follows the history deletes what the mains of all "
      + "processes have; 0 = never.")
}
