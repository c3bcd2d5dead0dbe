import Scheduling
import Synchronization
import RowStore

/// The stores that `assign(_:to:)` chose for new objects, by temporary key: shared by a root context and all its
/// descendants, since temporary keys pass upward unchanged.
///
/// Thread-safe. Complexity: O(1) each; a load while nothing was assigned.
final class StoreAssignments: Sendable {
  private let tags = Locked<[Int64: StoreTag]>([:])
  private let used = Atomic<Bool>(false)

  /// Whether anything was assigned, and not saved yet.
  @inline(__always)
  var isUsed: Bool { used.load(ordering: .acquiring) }

  /// The store chosen for the object with that temporary key.
  @inline(__always)
  func store(of key: Int64) -> StoreTag? {
    guard isUsed else { return nil }
    return tags.withLock { $0[key] }
  }

  func assign(_ key: Int64, to tag: StoreTag) {
    tags.withLock { $0[key] = tag }
    used.store(true, ordering: .releasing)
  }

  /// Forgets objects that were saved, or left the context.
  func forget(_ keys: some Sequence<Int64>) {
    guard isUsed else { return }
    tags.withLock { tags in
      for key in keys { tags[key] = nil }
      used.store(!tags.isEmpty, ordering: .releasing)
    }
  }
}

/// Facts about temporary keys that a root context shares with all its descendants.
struct ContextTree {
  let aliases = KeyAliases()
  let assignments = StoreAssignments()
}
