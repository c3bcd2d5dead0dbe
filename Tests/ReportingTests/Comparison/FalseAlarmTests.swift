import Checking
import Testing

@testable import Reporting

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How often comparisons of an executable with itself raise an alarm, by simulation.
struct FalseAlarmTests {
  private static let strategies = ["a", "b", "c"]

  /// The variation between runs and within one.
  struct Machine: CustomTestStringConvertible {
    var name: String
    /// Standard deviation of the effect that all cells of a run share.
    var run = 0.0
    /// By how much the last cell of a run is slower than its first.
    var drift = 0.0
    /// Standard deviation of the effect that the pairs of a repetition share.
    var block = 0.0
    /// A/A comparisons of 1,000 that may raise an alarm.
    var alarmsMax = 10
    var testDescription: String { name }
  }

  private static func normal(_ random: inout SampleGenerator) -> Double {
    let (first, second) = (Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random))
    return (-2 * log(1 - first)).squareRoot() * cos(2 * .pi * second)
  }

  private static func row(_ strategy: String, _ repetition: Int, _ logarithm: Double) -> CellRow {
    var key = Samples.key(cell: repetition)
    (key.strategy, key.repetition) = (strategy, repetition)
    var row = CellRow(key: key, verdict: .held)
    row.untilDurableSeconds = exp(logarithm)
    return row
  }

  private static func run(_ machine: Machine, count: Int, _ random: inout SampleGenerator) -> [CellRow] {
    let level = machine.run * normal(&random)
    return (0..<count).flatMap { repetition in
      strategies.map { strategy in
        row(
          strategy, repetition,
          level + machine.drift * Double(repetition) / Double(count - 1) + 0.05 * normal(&random))
      }
    }
  }

  private static func pairs(_ machine: Machine, count: Int, _ random: inout SampleGenerator) -> [CellRow] {
    (0..<count).flatMap { repetition in
      let shared = machine.block * normal(&random)
      return strategies.flatMap { strategy in
        [Arm.base, .head].map { arm in
          var row = row(strategy, repetition, (arm == .head ? shared : 0) + 0.1 * normal(&random))
          row.arm = arm
          return row
        }
      }
    }
  }

  /// With hardly any minimum effect, which would hide alarms of the test itself.
  private static func metrics(_ subject: ComparedSubject) -> [ComparedMetric] {
    [ComparedMetric("until_durable_s", effectMin: 0.000_1)].primary("until_durable_s")
  }

  /// Three times the expected number of a rate is more than chance makes of it in 999 of 1,000 seeds.
  private func expectFew(_ alarms: Int, of trials: Int, _ machine: Machine) {
    let expected = Double(machine.alarmsMax) * Double(trials) / 1_000
    #expect(Double(alarms) <= expected + 3 * expected.squareRoot(), "\(alarms) of \(trials)")
  }

  @Test(
    arguments: [
      (Machine(name: "i.i.d."), 12), (Machine(name: "i.i.d."), 20),
      (Machine(name: "pairs of a repetition have much in common", block: 0.2), 12),
    ])
  func pairs(machine: Machine, count: Int) {
    var random = SampleGenerator(state: 21)
    let trials = 300
    let alarms = (0..<trials).count { _ in
      !Comparison(pairsOf: Self.pairs(machine, count: count, &random), metrics: Self.metrics).regressions.isEmpty
    }
    expectFew(alarms, of: trials, machine)
  }

  @Test(
    arguments: [
      Machine(name: "i.i.d."), Machine(name: "run effect", run: 0.05, alarmsMax: 50),
      Machine(name: "drift", drift: 0.05, alarmsMax: 50),
    ], [3, 5])
  func runs(machine: Machine, baseRuns: Int) {
    var random = SampleGenerator(state: 22)
    let trials = 200
    let alarms = (0..<trials).count { _ in
      let runs = (0...baseRuns).map { _ in Self.run(machine, count: 8, &random) }
      let comparison = Comparison(
        base: runs[0], head: runs[1], repeats: Array(runs[2...]),
        metrics: { _ in [ComparedMetric("until_durable_s")].primary("until_durable_s") })
      return !comparison.regressions.isEmpty
    }
    expectFew(alarms, of: trials, machine)
  }

  @Test func twoRunsAloneNeverRaiseAnAlarm() {
    var random = SampleGenerator(state: 23)
    let machine = Machine(name: "run effect", run: 0.5)
    for _ in 0..<50 {
      let comparison = Comparison(
        base: Self.run(machine, count: 8, &random), head: Self.run(machine, count: 8, &random), metrics: Self.metrics)
      #expect(comparison.regressions.isEmpty && comparison.improvements.isEmpty && comparison.isInconclusive)
    }
  }

  @Test func aDifferenceOfThreeMinimumEffectsIsMostlyFound() {
    var random = SampleGenerator(state: 24)
    let found = (0..<50).count { _ in
      let rows = Self.pairs(Machine(name: "i.i.d."), count: 40, &random).map { row in
        var row = row
        if row.arm == .head { row.untilDurableSeconds = (row.untilDurableSeconds ?? 0) * 1.08 }
        return row
      }
      return !Comparison(pairsOf: rows, metrics: Self.metrics).regressions.isEmpty
    }
    #expect(found >= 45, "\(found) of 50")
  }
}
