import Boundary
import Foundation
import Scheduling

/// How long a client waits between two operations.
enum ThinkTime {
  /// A time from the exponential distribution, at most ten times the mean; of the mean's unit.
  static func draw(mean: Double, _ random: inout SeededRandom) -> Double {
    precondition(mean > 0, "who thinks takes time")
    return min(10 * mean, -mean * log(1 - Double.random(in: 0..<1, using: &random)))
  }
}

/// Lets a thread wait for a while.
enum Pause {
  static func wait(seconds: Double) {
    precondition(seconds >= 0, "a pause ends after its begin")
    let gate = Latch(label: "a pause")
    _ = gate.wait(atMost: seconds)
    gate.open()
  }
}
