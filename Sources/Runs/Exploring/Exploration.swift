import Boundary
import Checking
import Scenarios

/// What was found of one cell so far.
package struct Exploration: Sendable {
  package let scenario: ExploredScenario
  package private(set) var schedules = 0
  package private(set) var steps = 0
  package private(set) var decisions = 0
  /// Steps of the longest schedule.
  package private(set) var stepsMax = 0
  package private(set) var fingerprints: Set<UInt64> = []
  package private(set) var pairs: Set<[String]> = []
  package private(set) var lockOrders: Set<[String]> = []
  package private(set) var expected: [String: Int] = [:]
  package private(set) var notExercised: [String: Int] = [:]
  package var findings: [SimulationFinding] = []
  /// Schedules in which the process broke, which leaves no schedule to save.
  package private(set) var broken: [FoundViolation] = []
  /// Wall time of the schedules, all jobs together.
  package private(set) var seconds = 0.0
  /// Whether there is no order left within the bound.
  package var isExhausted = false

  package init(_ scenario: ExploredScenario) { self.scenario = scenario }

  /// What the scenario says of a violation.
  package var expectation: ScenarioExpectation {
    scenario.cell.scenario.expectation(for: scenario.cell.variant.strategy)
  }

  package mutating func add(_ report: SimulationReport) {
    schedules += report.schedules
    steps += report.steps
    decisions += report.decisions
    stepsMax = max(stepsMax, report.stepsMax)
    fingerprints.formUnion(report.fingerprints)
    pairs.formUnion(report.pairs)
    lockOrders.formUnion(report.lockOrders)
    expected.merge(report.expected, uniquingKeysWith: +)
    notExercised.merge(report.notExercised, uniquingKeysWith: +)
    seconds += report.seconds
    for finding in report.findings where !Set(finding.kinds).isSubset(of: knownKinds) { findings.append(finding) }
  }

  /// A schedule in which the process broke.
  package mutating func add(_ break: Simulations.SimulationBreak, schedule: Int) {
    schedules += 1
    let kind: ViolationKind = `break`.isHang ? .hang : .crash
    let violation = Violation(
      kind: kind, subject: "schedule \(schedule)", expected: "every schedule comes to its end", seen: `break`.text)
    broken.append(FoundViolation(violation, isExpected: expectation.allows(kind)))
    if expectation.allows(kind) { expected[kind.rawValue, default: 0] += 1 }
  }

  /// Kinds of errors that have a schedule.
  package var knownKinds: Set<String> { Set(findings.flatMap(\.kinds)) }

  /// Unexpected kinds, of all findings.
  package var unexpectedKinds: Set<String> {
    Set(findings.flatMap(\.unexpectedKinds) + broken.filter { !$0.isExpected }.map(\.violation.kind.rawValue))
  }

  /// What the scenario asks for and no schedule showed.
  package var missing: [String] {
    expectation.must.compactMap { must in
      let kinds = must.anyOf.map(\.rawValue)
      // What only a machine's clock can show.
      guard !kinds.allSatisfy(ExploredScenario.timedChecks.contains) else { return nil }
      return kinds.contains { expected[$0, default: 0] > 0 } ? nil : kinds.joined(separator: " or ")
    }
  }

  /// Whether there is nothing more to look for, unless all is wanted.
  package var isSettled: Bool {
    !unexpectedKinds.isEmpty || (!expectation.must.isEmpty && missing.isEmpty) || isExhausted
  }

  /// Checks that no schedule exercised.
  package var neverExercised: [String] {
    notExercised.filter { $0.value == schedules && !expectation.notExercised.contains($0.key) }.keys.sorted()
  }

  /// Pairs of steps that came in one order only, and would be in conflict in the other.
  package var oneSidedPairs: [[String]] {
    pairs.filter { !pairs.contains($0.reversed()) }.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
