import Synchronization

/// Faults that one block of a context reads from the store: from the second on they share a snapshot, which is given up when
/// the block ends, or when another connection commits.
struct FaultBurst {
  private var reads = 0

  /// Whether others have been read before the one that is read now.
  var isOpen: Bool { reads > 1 }

  /// Counts one more read.
  mutating func count() { reads += 1 }

  /// The block ends; whether a snapshot may be kept.
  mutating func end() -> Bool {
    defer { reads = 0 }
    return isOpen
  }
}

/// The number of faults of one context that were asked for their row; it may outlive the context.
package final class FaultCount: Sendable {
  private let faults = Atomic<Int>(0)

  /// The faults so far, there or gone. Any thread.
  package var value: Int { faults.load(ordering: .relaxed) }

  /// Counts one more; only the context's queue counts.
  @inline(__always)
  func add() { faults.store(faults.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
}
