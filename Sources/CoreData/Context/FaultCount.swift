import Synchronization

/// How many faults of one context were asked for their row; it outlives the context for whoever holds it.
package final class FaultCount: Sendable {
  private let faults = Atomic<Int>(0)

  /// The faults so far, there or gone. Any thread.
  package var value: Int { faults.load(ordering: .relaxed) }

  /// Counts one more; only the context's queue counts.
  @inline(__always)
  func add() { faults.store(faults.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
}
