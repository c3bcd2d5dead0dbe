import Scheduling
import Synchronization

/// Says which context it is, and has what its developer keeps with it. Any thread.
struct ContextIdentity {
  private static let lastNumber = Atomic<UInt64>(0)

  /// Names the context; never given again, as its address may be.
  let number = lastNumber.add(1, ordering: .relaxed).newValue
  /// The name that the program has given, if any.
  let name = Locked<String?>(nil)
  /// The developer's own values; on the context's queue.
  let userInfo = NSMutableDictionary()
}

/// A context's use, as others watch it. Any thread.
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
