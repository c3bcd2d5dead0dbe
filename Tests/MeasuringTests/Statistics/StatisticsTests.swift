import Foundation
import Scheduling
import Testing

@testable import Measuring

struct StatisticsTests {
  @Test(
    arguments: [
      ([], nil), ([3], 3), ([3, 1], 2), ([9, 1, 5], 5), ([4, 1, 3, 2], 2.5), ([7, 7, 7, 0], 7),
    ] as [([Double], Double?)])
  func medianIsTheMiddle(sample: [Double], expected: Double?) {
    #expect(Statistics.median(sample) == expected)
  }

  @Test(
    arguments: [
      (0, 1), (0.25, 2), (0.5, 3), (0.9, 4.6), (1, 5), (0.375, 2.5),
    ] as [(Double, Double)])
  func quantilesLieLinearlyBetweenRanks(q: Double, expected: Double) throws {
    let seen = try #require(Statistics.quantile(q, of: [5, 1, 4, 2, 3]))
    #expect(abs(seen - expected) < 1e-12)
  }

  @Test func quantilesGrowWithQ() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<200 {
      let sample = (0..<Int.random(in: 1...30, using: &random)).map { _ in Double.random(in: -9...9, using: &random) }
      let quantiles = stride(from: 0.0, through: 1.0, by: 0.05).compactMap { Statistics.quantile($0, of: sample) }
      #expect(quantiles == quantiles.sorted())
      #expect(quantiles.first == sample.min())
    }
  }

  @Test(
    arguments: [
      ([], nil), ([3], nil), ([3, 1], 1...3), ([5, 1, 9], 1...9), ([1, 2, 3, 4, 5, 6], 1...6),
      // Of twelve values the third and the tenth have 96.1 % between them, by the tables of the sign test.
      (Array(stride(from: 12, to: 0, by: -1)), 3...10),
    ] as [([Double], ClosedRange<Double>?)])
  func theMedianLiesBetweenTwoRanks(sample: [Double], expected: ClosedRange<Double>?) {
    #expect(Statistics.medianRange(of: sample) == expected)
  }

  @Test func theMedianLiesInItsRangeAsOftenAsIsSaid() {
    var random = SeededRandom(seed: 4)
    let inside = (0..<2_000).count { _ in
      let sample = (0..<17).map { _ in exp(Double.random(in: -3...3, using: &random)) }
      return Statistics.medianRange(of: sample)?.contains(1) == true
    }
    #expect((1_880...1_980).contains(inside))
  }
}
