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
}
