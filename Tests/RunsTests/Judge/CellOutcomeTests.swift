import Checking
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

@Suite struct CellOutcomeTests {
  private let held = CheckResult(name: "lost-record", exercised: 5)
  private let idle = CheckResult(name: "overlap", exercised: 0)
  private let lost = CheckResult(name: "lost-record", exercised: 5, violations: [Self.violation(.lostRecord)])

  private static func violation(_ kind: ViolationKind, _ severity: Severity = .error, count: Int = 1) -> Violation {
    Violation(kind: kind, severity: severity, subject: "s", expected: "e", seen: "x", count: count)
  }

  private func outcome(
    _ results: [CheckResult], _ expectation: ScenarioExpectation = ScenarioExpectation(), end: CellEnd = .finished
  ) -> CellOutcome {
    CellOutcome(end: end, results: results, required: ["lost-record", "overlap"], expectation: expectation)
  }

  @Test func aCellWhoseChecksHeldPasses() {
    let outcome = outcome([held])
    #expect(outcome.verdict == .held && outcome.ending == .passed && outcome.reasons.isEmpty)
  }

  @Test func whereNoCheckIsNamedThoseCountThatHadSomethingToCheck() throws {
    let minimal = "workload: import\nstrategies: [main-only]\n"
    let unnamed = try readScenario(minimal)
    let unknown = CheckResult(name: "stale-read", unknown: "no history")
    #expect(unnamed.countedChecks([held, idle, unknown]) == ["lost-record", "stale-read"])
    let nothing = CheckResult(name: "lost-record", exercised: 0)
    let stale = CheckResult(name: "stale-read", exercised: 0)
    #expect(unnamed.countedChecks([nothing, idle, stale]) == ["lost-record", "overlap", "stale-read"])
    let named = try readScenario(minimal + "checks: [lost-record, overlap]\n")
    #expect(named.countedChecks([held, idle]) == ["lost-record", "overlap"])
  }

  @Test func anUnexpectedErrorFails() {
    let outcome = outcome([lost])
    #expect(outcome.verdict == .violated && outcome.ending == .violated)
    #expect(outcome.findings.map(\.isExpected) == [false])
  }

  @Test func whatIsAllowedEndsARunOnlyWhereItsKindIsAskedFor() {
    let allowed = outcome([lost], ScenarioExpectation(may: [.lostRecord]))
    #expect(!StopCondition.violation.isMet(by: allowed) && StopCondition.kind(.lostRecord).isMet(by: allowed))
    #expect(StopCondition.violation.isMet(by: outcome([lost])))
    #expect(!StopCondition.kind(.staleRead).isMet(by: outcome([lost])))
  }

  @Test func aViolationThatMayHappenPassesAndIsStillAViolation() {
    let outcome = outcome([lost], ScenarioExpectation(may: [.lostRecord]))
    #expect(outcome.verdict == .violated && outcome.ending == .passed)
    #expect(outcome.findings.map(\.isExpected) == [true])
  }

  @Test func aMissingViolationFailsWithASentence() {
    let outcome = outcome([held], ScenarioExpectation(must: [.init(anyOf: [.deadlock, .hang])]))
    #expect(outcome.verdict == .held && outcome.ending == .violated)
    #expect(outcome.reasons == ["expected deadlock or hang, and it did not happen"])
  }

  @Test(arguments: [(2, RunEnding.passed), (3, .violated)]) func atLeastCountsWithinTheCell(
    atLeast: Int, ending: RunEnding
  ) {
    let twice = CheckResult(
      name: "lost-record", exercised: 5, violations: [Self.violation(.lostRecord, count: 2)])
    let expectation = ScenarioExpectation(must: [.init(anyOf: [.lostRecord], atLeast: atLeast)])
    #expect(outcome([twice], expectation).ending == ending)
  }

  @Test func aWarningChangesNothing() {
    let stall = CheckResult(
      name: "lost-record", exercised: 5, violations: [Self.violation(.mainThreadStall, .warning)])
    let outcome = outcome([stall])
    #expect(outcome.verdict == .held && outcome.ending == .passed && outcome.findings.count == 1)
  }

  @Test func aWarningIsNotTheErrorThatMustHappen() {
    let stall = CheckResult(
      name: "lost-record", exercised: 5, violations: [Self.violation(.mainThreadStall, .warning)])
    #expect(outcome([stall], ScenarioExpectation(must: [.init(anyOf: [.mainThreadStall])])).ending == .violated)
  }

  @Test func aCheckThatWasNotExercisedIsNotGreen() {
    let outcome = outcome([held, idle])
    #expect(outcome.verdict == .notExercised && outcome.ending == .inconclusive)
    #expect(outcome.reasons == ["overlap was not exercised"])
  }

  @Test func aCheckThatNeedNotBeExercisedIsLeftOut() {
    let outcome = outcome([held, idle], ScenarioExpectation(notExercised: ["overlap"]))
    #expect(outcome.verdict == .held && outcome.ending == .passed)
  }

  @Test func aCheckThatWasNotAskedForOnlySpeaksWhenItFinds() {
    let other = CheckResult(name: "faults", exercised: 0)
    #expect(outcome([held, other]).ending == .passed)
    let found = CheckResult(name: "faults", exercised: 1, violations: [Self.violation(.inaccessibleFault)])
    #expect(outcome([held, found]).ending == .violated)
  }

  @Test func anUnknownCheckIsNeverGreen() {
    let outcome = outcome([held, CheckResult(name: "overlap", unknown: "no history")])
    #expect(outcome.verdict == .unknown && outcome.ending == .inconclusive)
  }

  @Test func aCrashFailsAndNothingElseIsAskedOfTheCell() {
    let outcome = outcome([idle], end: .broken(.crash(signal: 11, detail: "")))
    #expect(outcome.verdict == .violated && outcome.ending == .violated)
    #expect(outcome.reasons.count == 1)
    #expect(
      self.outcome([idle], ScenarioExpectation(may: [.crash]), end: .broken(.crash(signal: 11, detail: ""))).ending
        == .passed)
  }

  @Test func aCellKilledFromOutsideBlamesNoStrategyAndIsNotGreen() {
    let outcome = outcome([held], end: .killedFromOutside(.killedFromOutside(signal: 9)))
    #expect(outcome.verdict == .unknown && outcome.ending == .inconclusive)
    #expect(outcome.findings.map(\.violation.kind) == [.crash])
  }

  @Test func whatACellDidBeforeItWasKilledStillCounts() {
    #expect(outcome([lost], end: .killedFromOutside(.killedFromOutside(signal: 9))).ending == .violated)
  }

  @Test func aFailureOfTheHarnessIsWorseThanAViolation() {
    let outcome = outcome([lost], end: .failed("no store"))
    #expect(outcome.ending == .harnessFailed)
    #expect(RunEnding.allCases.sorted() == [.passed, .inconclusive, .violated, .harnessFailed])
  }
}
