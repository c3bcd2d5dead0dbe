/// The kinds of violations; the raw value is the name on the command line, in scenario files and in CSV.
///
/// ``meaning`` explains each of them.
public enum ViolationKind: String, Codable, Sendable, CaseIterable, Hashable {
  case contextOffQueue = "context-off-queue"
  case objectOffQueue = "object-off-queue"
  case crossContextRelationship = "cross-context-relationship"
  case temporaryIDEscaped = "temporary-id-escaped"
  case inaccessibleFault = "inaccessible-fault"
  case readOnlyContextWritten = "read-only-context-written"
  case deadlock
  case lockOrder = "lock-order"
  case hang
  case crash
  case lostRecord = "lost-record"
  case duplicateRecord = "duplicate-record"
  case resurrectedRecord = "resurrected-record"
  case orphanRecord = "orphan-record"
  case danglingReference = "dangling-reference"
  case asymmetricInverse = "asymmetric-inverse"
  case unpersistedSave = "unpersisted-save"
  case lostUpdate = "lost-update"
  case wrongValue = "wrong-value"
  case dirtyRead = "dirty-read"
  case tornRead = "torn-read"
  case readSkew = "read-skew"
  case writeSkew = "write-skew"
  case longFork = "long-fork"
  case incompatibleOrder = "incompatible-order"
  case staleRead = "stale-read"
  case nonMonotonicRead = "non-monotonic-read"
  case readYourWrites = "read-your-writes"
  case missedNotification = "missed-notification"
  case duplicateNotification = "duplicate-notification"
  case wrongNotification = "wrong-notification"
  case controllerDivergence = "controller-divergence"
  case wrongWinner = "wrong-winner"
  case mainThreadStall = "main-thread-stall"
  case logGrowth = "log-growth"
  case failedSave = "failed-save"
  case contextLeak = "context-leak"
  case observerLeak = "observer-leak"
  case storeCorruption = "store-corruption"
  case historyDivergence = "history-divergence"
  case missedTransaction = "missed-transaction"
  case repeatedTransaction = "repeated-transaction"
  case misorderedTransaction = "misordered-transaction"
  case ownTransactionMerged = "own-transaction-merged"
  case tokenRegression = "token-regression"
  case earlyPurge = "early-purge"
  case generationChange = "generation-change"
  case durabilityLost = "durability-lost"
}

/// Whether a violation makes a run fail.
public enum Severity: String, Codable, Sendable, Hashable {
  /// Shown and written; the exit code does not change.
  case warning
  /// Fails the cell unless its scenario expects it.
  case error
}
