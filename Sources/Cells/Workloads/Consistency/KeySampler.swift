import Foundation
import Scenarios

/// Draws keys from 1 to a count by a distribution; the same random numbers give the same keys.
///
/// The distributions are those of the Yahoo! Cloud Serving Benchmark.
/// - SeeAlso: Cooper et al., "Benchmarking Cloud Serving Systems with YCSB" (SoCC 2010).
package struct KeySampler: Sendable {
  /// Which keys are drawn how often.
  package enum Distribution: String, Sendable, CaseIterable {
    /// Each as often as any other.
    case uniform
    /// Key *k* in proportion to 1 / *k*^0.99: a few keys get most of it.
    case zipfian
    /// The highest key most often, and the others by the same law.
    case latest
  }

  /// YCSB's constant.
  private static let exponent = 0.99

  /// How many keys there are.
  package let count: Int
  private let distribution: Distribution
  /// By rank, the sum of the weights up to it, the last one 1; empty for uniform draws.
  private let cumulative: [Double]

  /// Makes a sampler of the keys from 1 to `count`.
  ///
  /// - Complexity: O(`count`).
  package init(_ distribution: Distribution, count: Int) {
    precondition(count > 0, "there is at least one key to draw")
    self.count = count
    self.distribution = distribution
    guard distribution != .uniform else {
      cumulative = []
      return
    }
    var sum = 0.0
    let sums = (1...count).map { rank in
      sum += pow(Double(rank), -Self.exponent)
      return sum
    }
    cumulative = sums.map { $0 / sum }
    precondition(cumulative[count - 1] == 1, "some key is drawn whatever the mark")
  }

  /// The next key.
  ///
  /// - Complexity: O(log `count`).
  package func draw(using random: inout some RandomNumberGenerator) -> Int {
    guard distribution != .uniform else { return Int.random(in: 1...count, using: &random) }
    let mark = Double.random(in: 0..<1, using: &random)
    var (low, high) = (0, count - 1)
    while low < high {
      let middle = (low + high) / 2
      if cumulative[middle] <= mark { low = middle + 1 } else { high = middle }
    }
    return distribution == .zipfian ? low + 1 : count - low
  }

  /// So many different keys.
  ///
  /// - Precondition: there are as many.
  package func draw(_ number: Int, using random: inout some RandomNumberGenerator) -> [Int] {
    precondition(number <= count, "\(count) keys are not \(number) different ones")
    var keys: [Int] = []
    while keys.count < number {
      let key = draw(using: &random)
      if !keys.contains(key) { keys.append(key) }
    }
    return keys
  }
}

extension KeySampler {
  /// The sampler of a scenario's `keys` and `key_distribution`.
  init(_ settings: ScenarioSettings) { self.init(settings, count: settings[Keys.sharedRows]) }

  /// A sampler of so many keys by a scenario's `key_distribution`.
  init(_ settings: ScenarioSettings, count: Int) {
    self.init(settings[Keys.keyDistribution], count: count)
  }
}
