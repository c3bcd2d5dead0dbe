import SQLite
import Scheduling

/// Where a store can be held up, so that tests bring about an interleaving.
package enum StoreCheckpoints {
  /// The rows are committed, and neither the row cache nor any context knows.
  package static let committed = Checkpoint("store.committed", resource: Checkpoint.storeResource)
  /// A store is about to be read.
  static let beforeRead = Checkpoint("store.beforeRead", resource: Checkpoint.storeResource)
  /// A read continues in a snapshot that is kept for several reads: it does not see later commits.
  static let snapshotHeld = Checkpoint("store.snapshotHeld", resource: Checkpoint.storeResource)
  /// A read takes another snapshot: one more statement of it begins, or one begins again.
  static let readAgain = Checkpoint("store.readAgain", resource: Checkpoint.storeResource)
  /// Lets a simulation see the snapshots that reads take beside their first; once a process, before the first store.
  package static func watchReads() { ReadStart.watch { readAgain.reach("reader") } }
  /// Rows were read, and the row cache does not have them yet.
  static let afterRead = Checkpoint("store.afterRead", resource: Checkpoint.storeResource)
}
