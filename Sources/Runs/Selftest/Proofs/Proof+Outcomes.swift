import Checking
import Scenarios

extension Proof {
  /// How the verdicts of checks become that of their cell.
  static let verdicts: [Proof] = [
    Proof(rule: "verdicts", "violated before everything") {
      Verdict.combined([.held, .unknown, .violated, .notExercised]) == .violated
    },
    Proof(rule: "verdicts", "unknown before not exercised and held") {
      Verdict.combined([.held, .notExercised, .unknown]) == .unknown
    },
    Proof(rule: "verdicts", "not exercised before held") { Verdict.combined([.held, .notExercised]) == .notExercised },
    Proof(rule: "verdicts", "held when all are") { Verdict.combined([.held, .held]) == .held },
    Proof(rule: "verdicts", "no check, nothing exercised") { Verdict.combined([]) == .notExercised },
  ]

  private static let held = CheckResult(name: "a", exercised: 1)
  private static let idle = CheckResult(name: "b", exercised: 0)
  private static let unknown = CheckResult(name: "b", unknown: "nothing to go by")

  private static func found(_ kind: ViolationKind, _ severity: Severity = .error, count: Int = 1) -> CheckResult {
    CheckResult(
      name: "a", exercised: 1,
      violations: [Violation(kind: kind, severity: severity, subject: "s", expected: "e", seen: "x", count: count)])
  }

  private static func outcome(
    _ results: [CheckResult], _ expectation: ScenarioExpectation = ScenarioExpectation(), end: CellEnd = .finished,
    required: [String] = ["a", "b"]
  ) -> CellOutcome {
    CellOutcome(end: end, results: results, required: required, expectation: expectation)
  }

  private static func must(
    _ kinds: [ViolationKind], atLeast: Int = 1, containing text: String? = nil
  ) -> ScenarioExpectation {
    ScenarioExpectation(must: [.init(anyOf: kinds, atLeast: atLeast, containing: text)])
  }

  /// Comparisons of a cell with the expectations of its scenario.
  static let outcomes: [Proof] = [
    Proof(rule: "expect", "an error that is not expected fails") { outcome([found(.lostRecord)]).ending == .violated },
    Proof(rule: "expect", "may: the error passes, and stays a violation") {
      let cell = outcome([found(.lostRecord)], ScenarioExpectation(may: [.lostRecord]))
      return cell.ending == .passed && cell.verdict == .violated
    },
    Proof(rule: "expect", "may: another error fails") {
      outcome([found(.hang)], ScenarioExpectation(may: [.lostRecord])).ending == .violated
    },
    Proof(rule: "expect", "must: its absence fails") { outcome([held], must([.lostRecord])).ending == .violated },
    Proof(rule: "expect", "must: a warning is not it") {
      outcome([found(.lostRecord, .warning)], must([.lostRecord])).ending == .violated
    },
    Proof(rule: "expect", "must: any of its kinds is enough") {
      outcome([found(.hang)], must([.deadlock, .hang])).ending == .passed
    },
    Proof(rule: "expect", "at_least: fewer fail") {
      outcome([found(.lostRecord, count: 2)], must([.lostRecord], atLeast: 3)).ending == .violated
    },
    Proof(rule: "expect", "at_least: as many pass") {
      outcome([found(.lostRecord, count: 3)], must([.lostRecord], atLeast: 3)).ending == .passed
    },
    Proof(rule: "expect", "containing: the same kind without the text fails") {
      outcome([found(.lostRecord)], must([.lostRecord], containing: "e: y")).ending == .violated
    },
    Proof(rule: "expect", "containing: a violation with the text passes") {
      outcome([found(.lostRecord)], must([.lostRecord], containing: "s: e: x")).ending == .passed
    },
    Proof(rule: "expect", "not_exercised: the check is left out") {
      outcome([held, idle], ScenarioExpectation(notExercised: ["b"])).ending == .passed
    },
    Proof(rule: "expect", "not_exercised: another check is not") {
      outcome([held, idle], ScenarioExpectation(notExercised: ["a"])).ending == .inconclusive
    },
    Proof(rule: "outcome", "a check that was not exercised is not green") {
      let cell = outcome([held, idle])
      return cell.ending == .inconclusive && cell.verdict == .notExercised
    },
    Proof(rule: "outcome", "an unknown check is not green") {
      let cell = outcome([held, unknown])
      return cell.ending == .inconclusive && cell.verdict == .unknown
    },
    Proof(rule: "outcome", "a check that is not required may be idle") {
      outcome([held, idle], required: ["a"]).ending == .passed
    },
    Proof(rule: "outcome", "a check that is not required fails all the same when it finds") {
      outcome([found(.lostRecord)], required: []).ending == .violated
    },
    Proof(rule: "outcome", "a warning does not fail") {
      outcome([found(.mainThreadStall, .warning)]).ending == .passed
    },
    Proof(rule: "outcome", "a crash fails") {
      outcome([held], end: .broken(.crash(signal: 11, detail: ""))).ending == .violated
    },
    Proof(rule: "outcome", "a cell that was killed from outside blames no strategy, and is not green") {
      let cell = outcome([held], end: .killedFromOutside(.killedFromOutside(signal: 9)))
      return cell.ending == .inconclusive && cell.verdict == .unknown
    },
    Proof(rule: "outcome", "a failure of the harness is worse than a violation") {
      outcome([found(.lostRecord)], end: .failed("no store")).ending == .harnessFailed
    },
    Proof(rule: "history", "an indeterminate delete may have taken place") {
      let history = "w1 invoke insert Note 1\nw1 ok insert Note 1\nw2 invoke delete Note 1\nw2 info delete Note 1"
      return LostRecordChecker().check(try .sample(history)).violations.isEmpty
    },
    Proof(rule: "history", "a delete that never ended may have taken place") {
      let history = "w1 invoke insert Note 1\nw1 ok insert Note 1\nw2 invoke delete Note 1"
      return LostRecordChecker().check(try .sample(history)).violations.isEmpty
    },
    Proof(rule: "history", "a refused delete did not take place") {
      let history = "w1 invoke insert Note 1\nw1 ok insert Note 1\nw2 invoke delete Note 1\nw2 fail delete Note 1"
      return LostRecordChecker().check(try .sample(history)).violations.map(\.kind) == [.lostRecord]
    },
  ]
}
