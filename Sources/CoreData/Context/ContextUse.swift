import Synchronization

/// What others watch of a context's use. Any thread.
package struct ContextUse: ~Copyable, Sendable {
  /// Faults that were asked for their row since the context was made.
  package let faults = FaultCount()
  /// Whether the context was used while concurrency debugging was on.
  let wasChecked = Atomic<Bool>(false)
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
