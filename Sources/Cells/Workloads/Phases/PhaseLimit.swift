import Measuring
import Scenarios
import Scheduling

/// Says to the clients of a phase whether there is one more operation to do.
final class PhaseLimit: Sendable {
  private let end: UInt64?
  private let left: Locked<Int>?

  /// Counts from `begin`, a monotonic time.
  init(_ phase: Phase, begin: UInt64) {
    precondition(
      phase.durationSeconds ?? 0 >= 0 && phase.operations ?? 0 >= 0, "a phase takes some time and operations, or none")
    end = phase.durationSeconds.map { begin + UInt64($0 * 1e9) }
    left = phase.operations.map { Locked($0) }
  }

  /// Whether a client may begin one more operation, which is counted: now, or one that is due at a given time.
  func admitsOne(due: UInt64? = nil) -> Bool {
    if let end, due ?? MonotonicClock.now() >= end { return false }
    guard let left else { return true }
    return left.withLock { left in
      guard left > 0 else { return false }
      left -= 1
      return true
    }
  }
}
