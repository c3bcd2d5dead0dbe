import Boundary
import Foundation
import Scheduling

/// Draws names by weight, and times to think.
struct WeightedDraw {
  private let names: [String]
  /// Running sums of the weights, parallel to `names`.
  private let sums: [Int]
  private var random: SeededRandom

  /// - Precondition: a weight is positive.
  init(_ weights: [String: Int], _ random: SeededRandom) {
    // In the order of the names, so that a seed gives the same draws in every process.
    let drawn = weights.filter { $0.value > 0 }.sorted { $0.key < $1.key }
    precondition(!drawn.isEmpty, "something can be drawn")
    names = drawn.map(\.key)
    var total = 0
    sums = drawn.map { weight in
      total += weight.value
      return total
    }
    self.random = random
  }

  mutating func next() -> String {
    let place = Int.random(in: 0..<sums[sums.count - 1], using: &random)
    guard let drawn = sums.firstIndex(where: { place < $0 }) else {
      preconditionFailure("a draw is below the sum of all weights")
    }
    return names[drawn]
  }

  /// A time to think.
  mutating func thinkSeconds(mean: Double) -> Double { ThinkTime.draw(mean: mean, &random) }
}
