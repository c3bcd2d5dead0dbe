import CRuntime
import Synchronization

/// A task of a simulation runs when it has it. Its own wait, and not one of Dispatch's: those are simulated themselves.
final class Baton: Sendable {
  /// 0: not there. 1: there. 2: waited for.
  private let word = Atomic<UInt32>(0)
  /// Looks before the thread falls asleep: the next one often gives the baton back soon, unless both share a processor.
  private static let looksMax = contextbench_has_one_processor() ? 0 : 200

  /// Gives it.
  func signal() {
    if word.exchange(1, ordering: .releasing) == 2 { withUnsafePointer(to: word) { contextbench_wake_one($0) } }
  }

  /// Blocks the calling thread until it is given, and takes it.
  func wait() {
    for _ in 0..<Self.looksMax {
      if word.compareExchange(expected: 1, desired: 0, ordering: .acquiring).exchanged { return }
      contextbench_pause()
    }
    while true {
      if word.compareExchange(expected: 1, desired: 0, ordering: .acquiring).exchanged { return }
      _ = word.compareExchange(expected: 0, desired: 2, ordering: .relaxed)
      withUnsafePointer(to: word) { contextbench_sleep_while($0, 2) }
    }
  }
}
