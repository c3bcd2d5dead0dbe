/// What kind of wrong was seen; the raw value is the name on the command line, in scenario files and in CSV.
public enum ViolationKind: String, Codable, Sendable, CaseIterable, Hashable {
  /// A context was touched from a queue or thread other than its own.
  case contextOffQueue = "context-off-queue"
  /// A managed object was touched from a queue or thread other than its context's.
  case objectOffQueue = "object-off-queue"
  /// A fault fired for a row that is gone.
  case inaccessibleFault = "inaccessible-fault"
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
  /// The two sides of a relationship disagree.
  case asymmetricInverse = "asymmetric-inverse"
  /// A child's save was pushed to its parent and, at the end of the run, never reached the store.
  case unpersistedSave = "unpersisted-save"
  /// A read on main, after main drained a save's merge, shows an older value of an object main holds.
  case staleRead = "stale-read"
  /// The main thread was held longer than it may be.
  case mainThreadStall = "main-thread-stall"
  /// A save was refused and the workload lost the change.
  case failedSave = "failed-save"
}

/// Whether a violation makes a run fail.
public enum Severity: String, Codable, Sendable, Hashable {
  /// Shown and written; the exit code does not change.
  case warning
  /// Fails the cell unless its scenario expects it.
  case error
}
