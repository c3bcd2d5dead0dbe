import Boundary
import Checking
import Runs
import Scenarios

/// The findings of one cell so far.
package struct Exploration: Sendable {
  /// Findings that did not come back, of the same kinds, after which no other is looked for.
  private static let unverifiedMax = 3
  /// Schedules in which a cell may give up.
  private static let failuresMax = 10

  package let scenario: ExploredScenario
  package private(set) var schedules = 0
  package private(set) var steps = 0
  package private(set) var decisions = 0
  /// Steps of the first child's longest schedule.
  package private(set) var firstSteps = 0
  /// Steps of each task of the first child's last schedule.
  package private(set) var firstStepsByTask: [Int] = []
  package private(set) var fingerprints: Set<UInt64> = []
  package private(set) var pairs: Set<[String]> = []
  package private(set) var lockOrders: Set<[String]> = []
  package private(set) var expected: [String: Int] = [:]
  package private(set) var exercised: [String: Int] = [:]
  package private(set) var notExercised: [String: Int] = [:]
  /// One for each kind; one that did not come back only where none did.
  package private(set) var findings: [SimulationFinding] = []
  /// How often each kind was found and did not come back.
  private var unverified: [String: Int] = [:]
  /// Schedules in which the process broke, which leaves no schedule to save.
  package private(set) var broken: [FoundViolation] = []
  /// Schedules in which the cell gave up, and no check saw why.
  package private(set) var failures = 0
  /// The first of them, and why.
  package private(set) var failure: String?
  /// Wall time of the schedules, all jobs together.
  package private(set) var seconds = 0.0
  /// Whether there is no order left within the bound.
  package private(set) var isExhausted = false

  /// Whether it had more steps than it may have, which says nothing of a cell in its own size.
  package private(set) var isCut = false

  /// Whether it is one schedule of the file's own size: that is asked for nothing but to be clean.
  package let isWhole: Bool

  package init(_ scenario: ExploredScenario, isWhole: Bool = false) {
    self.scenario = scenario
    self.isWhole = isWhole
  }

  /// The expectations of the scenario.
  package var expectation: ScenarioExpectation {
    scenario.cell.scenario.expectation(for: scenario.cell.variant.strategy)
  }

  package mutating func add(_ report: SimulationReport) {
    precondition(report.findings.count <= report.schedules, "a schedule is one finding, or none")
    precondition(report.failures <= report.schedules, "a cell gives up in some of its schedules")
    precondition(report.decisions <= report.steps, "there is a choice at some of the steps")
    schedules += report.schedules
    steps += report.steps
    decisions += report.decisions
    if firstSteps == 0 { (firstSteps, firstStepsByTask) = (report.stepsMax, report.stepsByTask) }
    fingerprints.formUnion(report.fingerprints)
    pairs.formUnion(report.pairs)
    lockOrders.formUnion(report.lockOrders)
    expected.merge(report.expected, uniquingKeysWith: +)
    exercised.merge(report.exercised, uniquingKeysWith: +)
    notExercised.merge(report.notExercised, uniquingKeysWith: +)
    failures += report.failures
    failure = failure ?? report.failure
    isExhausted = isExhausted || report.isExhausted
    seconds += report.seconds
    precondition(fingerprints.count <= schedules, "a schedule has one order")
    precondition(
      exercised.values.allSatisfy { $0 <= schedules } && notExercised.values.allSatisfy { $0 <= schedules },
      "a check is exercised once in a schedule, or not")
    // So large a cell may take its time: whether it comes to an end is asked of the small one.
    isCut = isWhole && report.findings.contains(where: \.isStepLimit)
    for finding in report.findings where !isCut && !Set(finding.kinds).isSubset(of: knownKinds) { keep(finding) }
  }

  private mutating func keep(_ finding: SimulationFinding) {
    let kinds = Set(finding.kinds)
    if finding.isVerified {
      findings.removeAll { !$0.isVerified && kinds.isSuperset(of: $0.kinds) }
      findings.append(finding)
    } else {
      for kind in kinds { unverified[kind, default: 0] += 1 }
      if !kinds.isSubset(of: findings.flatMap(\.kinds)) { findings.append(finding) }
    }
    precondition(kinds.isSubset(of: findings.flatMap(\.kinds)), "what was found has a finding")
  }

  /// Adds a schedule in which the process broke.
  package mutating func add(_ break: Simulations.SimulationBreak, schedule: Int) {
    precondition(schedule >= 0, "schedules count from 0")
    schedules += 1
    let kind: ViolationKind = `break`.isHang ? .hang : .crash
    let violation = Violation(
      kind: kind, subject: "schedule \(schedule)", expected: "every schedule comes to its end", seen: `break`.text)
    broken.append(FoundViolation(violation, isExpected: expectation.allows(kind)))
    if expectation.allows(kind) { expected[kind.rawValue, default: 0] += 1 }
  }

  /// Kinds of errors that need no schedule any more: one comes back, or several did not.
  package var knownKinds: Set<String> {
    Set(findings.filter(\.isVerified).flatMap(\.kinds))
      .union(unverified.filter { $0.value >= Self.unverifiedMax }.keys)
  }

  /// Unexpected kinds, of all findings.
  package var unexpectedKinds: Set<String> {
    Set(findings.flatMap(\.unexpectedKinds) + broken.filter { !$0.isExpected }.map(\.violation.kind.rawValue))
  }

  /// Violations that the scenario asks for and no schedule showed.
  package var missing: [String] {
    guard !isWhole else { return [] }
    return expectation.must.compactMap { must in
      let kinds = must.anyOf.map(\.rawValue)
      // Violations that only a machine's clock can show.
      guard !kinds.allSatisfy(ExploredScenario.timedChecks.contains) else { return nil }
      return kinds.contains { expected[$0, default: 0] > 0 } ? nil : kinds.joined(separator: " or ")
    }
  }

  /// Whether there is nothing more to look for, unless all is wanted.
  package var isSettled: Bool {
    !unexpectedKinds.isDisjoint(with: knownKinds) || broken.contains { !$0.isExpected }
      || (!expectation.must.isEmpty && missing.isEmpty) || isExhausted
  }

  /// Whether the cell cannot be run: it gave up again and again.
  package var isHopeless: Bool { failures >= Self.failuresMax }

  /// Checks that no schedule exercised.
  package var neverExercised: [String] {
    isWhole
      ? []
      : notExercised.filter { $0.value == schedules && !expectation.notExercised.contains($0.key) }.keys.sorted()
  }
}
