import Scheduling
import Testing

@testable import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How often the intervals that are printed contain the true ratio.
struct IntervalCoverageTests {
  private static let trials = 400
  /// The bounds of the coverage, with room on either side of one and a half standard errors for the simulation.
  private static let bounds = (0.93 - 0.02)...(0.98 + 0.01)

  private func coverage(_ estimate: (inout SeededRandom) -> RatioEstimate?, truth: Double) throws -> Double {
    var random = SeededRandom(seed: 15)
    let held = try (0..<Self.trials).count { _ in
      let interval = try #require(estimate(&random)?.interval)
      return interval.low <= truth && truth <= interval.high
    }
    return Double(held) / Double(Self.trials)
  }

  @Test(arguments: [5, 6, 7, 8, 10, 15, 20, 40]) func pairs(count: Int) throws {
    let seen = try coverage({ Statistics.ratioOfPairs($0.normal(count, mean: 0.1, deviation: 0.2)) }, truth: exp(0.1))
    #expect(Self.bounds.contains(seen), "\(seen)")
  }

  /// Percentiles of pools of cells that ran in pairs: latencies of one cell have a level in common.
  @Test(arguments: [(5, 0.5), (10, 0.5), (40, 0.5), (5, 0.99), (10, 0.99)])
  func pooledLatencies(count: Int, share: Double) throws {
    var random = SeededRandom(seed: 15)
    func cell(_ level: Double) -> PooledLatency.Counts {
      let values = random.normal(120, mean: 12 + level, deviation: 0.5).map { UInt64(exp($0)) }
      return Dictionary(grouping: values) { $0 }.map { ($0.key, UInt64($0.value.count)) }.sorted { $0.0 < $1.0 }
    }
    let held = (0..<Self.trials).count { _ in
      let levels = random.normal(count, deviation: 0.1)
      let base = PooledLatency(levels.map { cell($0) })
      let head = PooledLatency(levels.map { cell($0) })
      guard let old = base.logarithm(share), let new = head.logarithm(share),
        let variance = PooledLatency.varianceOfPairs(base, head, share),
        let interval = LogRatioTest(logarithm: new - old, variance: variance, degrees: count - 1).estimate().interval
      else { return false }
      return interval.low <= 1 && 1 <= interval.high
    }
    let seen = Double(held) / Double(Self.trials)
    #expect(Self.bounds.contains(seen), "\(seen)")
  }

  @Test(arguments: [5, 6, 7, 8, 10, 15, 20, 30]) func samples(count: Int) throws {
    let seen = try coverage(
      { random in
        // Heavy to one side, as times are.
        func draw(_ mean: Double) -> [Double] {
          (0..<count).map { _ in mean - 0.2 * log(Double.random(in: 0..<1, using: &random).nextUp) }
        }
        return Statistics.ratioOfSamples(draw(0.1), draw(0))
      }, truth: exp(0.1))
    #expect(Self.bounds.contains(seen), "\(seen)")
  }

  @Test(arguments: [(3, 5), (4, 10), (6, 10), (10, 5)]) func runs(count: Int, cells: Int) throws {
    let seen = try coverage(
      { random in
        func run(_ mean: Double) -> [Double] {
          random.normal(cells, mean: mean + 0.05 * random.normal(), deviation: 0.05)
        }
        return RunEffect(base: (0..<count).map { _ in run(0) }, head: [run(0.1)])?.estimate()
      }, truth: exp(0.1))
    #expect(Self.bounds.contains(seen), "\(seen)")
  }
}
