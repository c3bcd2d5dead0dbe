/// What kind of wrong was seen; the raw value is the name on the command line, in scenario files and in CSV.
public enum ViolationKind: String, Codable, Sendable, CaseIterable, Hashable {
  /// A context was touched from a queue or thread other than its own.
  case contextOffQueue = "context-off-queue"
  /// A managed object was touched from a queue or thread other than its context's.
  case objectOffQueue = "object-off-queue"
  /// Objects of two contexts were joined by a relationship.
  case crossContextRelationship = "cross-context-relationship"
  /// A temporary ID was resolved in a context that does not know it.
  case temporaryIDEscaped = "temporary-id-escaped"
  /// A fault fired for a row that is gone.
  case inaccessibleFault = "inaccessible-fault"
  /// A context that the strategy declares read-only was changed or saved.
  case readOnlyContextWritten = "read-only-context-written"
  /// A cycle of waits; nobody in it can go on.
  case deadlock
  /// Queues were entered in orders that could deadlock in another interleaving, though this run did not hang.
  case lockOrder = "lock-order"
  /// No progress within the scenario's limit.
  case hang
  /// The cell's process died.
  case crash
  /// Acknowledged by the workload as durable, not in the store.
  case lostRecord = "lost-record"
  /// One logical key, several rows.
  case duplicateRecord = "duplicate-record"
  /// A row whose owner is gone: a delete rule or an inverse was not kept.
  case orphanRecord = "orphan-record"
  /// A relationship leads to a row that is not there.
  case danglingReference = "dangling-reference"
  /// The two sides of a relationship disagree.
  case asymmetricInverse = "asymmetric-inverse"
  /// A child's save was pushed to its parent and, at the end of the run, never reached the store.
  case unpersistedSave = "unpersisted-save"
  /// Two acknowledged updates were made from the same version.
  case lostUpdate = "lost-update"
  /// A value was seen that was never committed, or that its own transaction overwrote before it committed.
  case dirtyRead = "dirty-read"
  /// One read saw half of a save.
  case tornRead = "torn-read"
  /// Reads of one transaction saw different states of the store.
  case readSkew = "read-skew"
  /// Two transactions each read what the other then wrote, and both were acknowledged.
  case writeSkew = "write-skew"
  /// Two readers saw two independent writes in opposite orders.
  case longFork = "long-fork"
  /// Reads of one key show orders of writes of which neither continues the other.
  case incompatibleOrder = "incompatible-order"
  /// A read on main, after main drained a save's merge, shows an older value of an object main holds.
  case staleRead = "stale-read"
  /// A context showed a version, and later an older one.
  case nonMonotonicRead = "non-monotonic-read"
  /// A context does not show what it saved itself.
  case readYourWrites = "read-your-writes"
  /// A save that no notification told of.
  case missedNotification = "missed-notification"
  /// A save that several notifications told of.
  case duplicateNotification = "duplicate-notification"
  /// A notification that is not the difference its save made to the store, or out of order.
  case wrongNotification = "wrong-notification"
  /// A controller's changes do not turn its old list into a fresh fetch.
  case controllerDivergence = "controller-divergence"
  /// A merge policy resolved a conflict in another way than it says.
  case wrongWinner = "wrong-winner"
  /// The main thread was held longer than it may be.
  case mainThreadStall = "main-thread-stall"
  /// The write-ahead log outgrew the scenario's budget.
  case logGrowth = "log-growth"
  /// A save was refused and the workload lost the change.
  case failedSave = "failed-save"
  /// A context lives on after everything let go of it.
  case contextLeak = "context-leak"
  /// An observer is still told after everything let go of it.
  case observerLeak = "observer-leak"
  /// The store's file, or its bookkeeping, is damaged.
  case storeCorruption = "store-corruption"
  /// An acknowledged save is missing after the process was killed.
  case durabilityLost = "durability-lost"
}

/// Whether a violation makes a run fail.
public enum Severity: String, Codable, Sendable, Hashable {
  /// Shown and written; the exit code does not change.
  case warning
  /// Fails the cell unless its scenario expects it.
  case error
}
