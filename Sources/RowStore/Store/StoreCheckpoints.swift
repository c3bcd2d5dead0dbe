import Scheduling

/// Where a store can be held up, so that tests bring about an interleaving.
package enum StoreCheckpoints {
  /// The rows are committed, and neither the row cache nor any context knows.
  package static let committed = Checkpoint("store.committed", resource: Checkpoint.storeResource)
  /// A store is about to be read.
  static let beforeRead = Checkpoint("store.beforeRead", resource: Checkpoint.storeResource)
  /// Rows were read, and the row cache does not have them yet.
  static let afterRead = Checkpoint("store.afterRead", resource: Checkpoint.storeResource)
}
