import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct SignedRankTests {
  /// Every way to give signs to the ranks, counted one by one.
  private func counted(_ differences: [Double]) -> Double {
    let sizes = differences.map(abs)
    let ranks = sizes.map { size in
      Double(sizes.count { $0 < size }) + Double(sizes.count { $0 == size } + 1) / 2
    }
    let centre = ranks.reduce(0, +) / 2
    func distance(_ isAbove: (Int) -> Bool) -> Double {
      abs(ranks.indices.filter(isAbove).reduce(0) { $0 + ranks[$1] } - centre)
    }
    let seen = distance { differences[$0] > 0 }
    let ways = 0..<(1 << differences.count)
    return Double(ways.count { way in distance { way >> $0 & 1 == 1 } >= seen - 1e-9 }) / Double(ways.count)
  }

  @Test func theProbabilityIsThatOfAllSigns() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<60 {
      let count = Int.random(in: 1...10, using: &random)
      // Whole numbers, so that some are as large as others.
      let differences = (0..<count).map { _ in
        Double(Int.random(in: 1...6, using: &random)) * (Bool.random(using: &random) ? 1 : -1)
      }
      let test = try #require(SignedRank(differences))
      #expect(abs(test.p - counted(differences)) < 1e-12, "\(differences)")
    }
  }

  /// Wilcoxon's own ranks, by hand: −1 and −4 have ranks 1 and 4 of 6, so that those above zero have 16 of 21.
  @Test func ranksAboveZeroAreSummed() throws {
    let test = try #require(SignedRank([-1, 2, 3, -4, 5, 6]))
    #expect(test.rankSum == 16)
    #expect(SignedRank([0.5, 0.5, -0.5])?.rankSum == 4)
  }

  @Test func pairsWithoutADifferenceCountNothing() throws {
    #expect(SignedRank([]) == nil)
    #expect(SignedRank([0, 0]) == nil)
    #expect(SignedRank([0, 1, 2, 0, 3]) == SignedRank([1, 2, 3]))
  }

  @Test(arguments: 1...12) func allToOneSideIsTheSmallestProbability(count: Int) throws {
    let test = try #require(SignedRank((1...count).map(Double.init)))
    #expect(abs(test.p - min(1, SignedRank.smallestP(count))) < 1e-15)
  }

  @Test func largeSamplesGoOnWhereSmallOnesEnd() throws {
    var random = SeededRandom(seed: 4)
    for _ in 0..<20 {
      let shift = Double.random(in: -0.1...0.1, using: &random)
      let small = (0..<SignedRank.exactCountMax).map { _ in Double.random(in: -1...1, using: &random) + shift }
      // One more, of the smallest size, hardly matters.
      let (exact, near) = (try #require(SignedRank(small)), try #require(SignedRank(small + [1e-9])))
      #expect(abs(log(exact.p / near.p)) < 0.25, "\(exact.p) \(near.p)")
    }
  }

  @Test func theSameThingIsSeldomCalledDifferent() throws {
    var random = SeededRandom(seed: 5)
    let called = (0..<1_000).count { _ in
      // Heavy tails, as times have.
      let differences = (0..<20).map { _ in
        tan(.pi * Double.random(in: -0.49...0.49, using: &random))
      }
      return (SignedRank(differences)?.p ?? 1) <= 0.05
    }
    #expect((25...75).contains(called))
  }

  // MARK: Ratios

  @Test func theRatioIsTheMiddleOfAllMeansOfTwo() throws {
    var random = SeededRandom(seed: 6)
    for count in [1, 2, 5, 8, 31] {
      let sample = (0..<count).map { _ in Double.random(in: -1...1, using: &random) }
      let means = sample.indices.flatMap { first in sample[first...].map { (sample[first] + $0) / 2 } }
      let interval = try #require(Statistics.ratioOfPairs(sample))
      let middle = try #require(Statistics.median(means))
      #expect(abs(log(interval.ratio) - middle) < 1e-9)
      #expect(abs((Statistics.centre(sample) ?? 9) - middle) < 1e-9)
      if let ends = interval.interval { #expect(ends.low <= interval.ratio && interval.ratio <= ends.high) }
    }
    #expect(Statistics.ratioOfPairs([]) == nil)
    #expect(Statistics.centre([]) == nil)
  }

  /// Of ten pairs the eight smallest and largest of 55 means lie outside: R's `wilcox.test` with `conf.int`.
  @Test func theIntervalLeavesOutTheOutermostMeans() throws {
    #expect(SignedRank.outside(10, confidence: 0.95) == 8)
    #expect(SignedRank.outside(6, confidence: 0.95) == 0)
    #expect(SignedRank.outside(3, confidence: 0.95) == 0)
    let sample = (0..<10).map { exp2(Double($0) / 10) }
    let means = sample.indices.flatMap { first in sample[first...].map { (sample[first] + $0) / 2 } }.sorted()
    let interval = try #require(Statistics.ratioOfPairs(sample)?.interval)
    #expect(abs(log(interval.low) - means[8]) < 1e-9 && abs(log(interval.high) - means[46]) < 1e-9)
  }

  @Test(arguments: [12, 90, 150]) func theIntervalHoldsTheTrueRatioMostly(count: Int) throws {
    var random = SeededRandom(seed: 7)
    let held = try (0..<400).count { _ in
      let sample = (0..<count).map { _ in 0.1 + Double.random(in: -1...1, using: &random) }
      let interval = try #require(Statistics.ratioOfPairs(sample)?.interval)
      return log(interval.low) <= 0.1 && 0.1 <= log(interval.high)
    }
    #expect((368...394).contains(held))
  }

  @Test func fivePairsSayHowSureTheyAre() {
    #expect(Statistics.ratioOfPairs([0, 1, 2, 3, 4])?.interval?.confidence == 0.9375)
    #expect(Statistics.ratioOfPairs([0, 1, 2, 3, 4, 5])?.interval?.confidence == 0.95)
  }

  /// `scipy.stats.wilcoxon`, exact.
  @Test func eitherSideHasItsOwnProbability() throws {
    let test = try #require(SignedRank([0.3, -0.1, 0.7, 1.2, -0.4, 0.9, 0.5, 2.0]))
    #expect(abs(test.pAbove - 0.027_343_75) < 1e-12 && abs(test.pBelow - 0.980_468_75) < 1e-12)
  }

  @Test func aMeanOfZeroIsTheSame() throws {
    // With values on either side of it, so that it is found by bisection.
    let sample = Array(repeating: 0.0, count: 60) + [-0.013, -0.013] + Array(repeating: 0.007, count: 8)
    let interval = try #require(Statistics.ratioOfPairs(sample)?.interval)
    #expect(interval.low == 1 && interval.high >= 1)
  }
}
