import Testing

@testable import Checking

/// The checkers that judge live reports, each with a kind of its own.
struct ReportedKindsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var checker: any Checker
    var kind: ViolationKind
    var counters: CheckCounters
    var testDescription: String { "\(checker.name): \(kind.rawValue)" }
  }

  static let cases = [
    Case(
      checker: ReportedKindChecker.confinement, kind: .contextOffQueue, counters: CheckCounters(\.guardedTouches, 3)),
    Case(checker: ReportedKindChecker.confinement, kind: .objectOffQueue, counters: CheckCounters(\.guardedTouches, 3)),
    Case(checker: ReportedKindChecker.faults, kind: .inaccessibleFault, counters: CheckCounters(\.faultsFired, 3)),
    Case(checker: ReportedKindChecker.deadlock, kind: .deadlock, counters: CheckCounters(\.waitsSeen, 3)),
    Case(checker: ReportedKindChecker.lockOrder, kind: .lockOrder, counters: CheckCounters(\.nestedEntries, 3)),
    Case(
      checker: AsymmetricInverseChecker(), kind: .asymmetricInverse, counters: CheckCounters(\.inversesChecked, 3)),
    Case(
      checker: ReportedKindChecker.temporaryIDEscaped, kind: .temporaryIDEscaped,
      counters: CheckCounters(\.idsHandedOver, 3)),
    Case(
      checker: ReportedKindChecker.crossContextRelationship, kind: .crossContextRelationship,
      counters: CheckCounters(\.objectsJoined, 3)),
    Case(
      checker: ReportedKindChecker.readOnlyContextWritten, kind: .readOnlyContextWritten,
      counters: CheckCounters(\.writesLookedAt, 3)),
    Case(checker: ReportedKindChecker.contextLeak, kind: .contextLeak, counters: CheckCounters(\.contextsReleased, 3)),
    Case(
      checker: ReportedKindChecker.observerLeak, kind: .observerLeak, counters: CheckCounters(\.observersRemoved, 3)),
    Case(
      checker: ReportedKindChecker.controllerDivergence, kind: .controllerDivergence,
      counters: CheckCounters(\.controllerChanges, 3)
    ),
    Case(checker: ReportedKindChecker.storeLifecycle, kind: .failedSave, counters: CheckCounters(\.copiesRead, 3)),
    Case(checker: ReportedKindChecker.storeLifecycle, kind: .lostRecord, counters: CheckCounters(\.copiesRead, 3)),
    Case(
      checker: ReportedKindChecker.storeLifecycle, kind: .storeCorruption,
      counters: CheckCounters(\.savesToReplacedStores, 3)),
    Case(checker: ReportedKindChecker.storedValues, kind: .wrongValue, counters: CheckCounters(\.valuesCompared, 3)),
  ]

  private func report(_ kind: ViolationKind, _ subject: String = "Note") -> Violation {
    Violation(kind: kind, subject: subject, expected: "right", seen: "wrong")
  }

  @Test(arguments: cases)
  func noReportOfTheKindIsHeld(case: Case) throws {
    let others = ViolationKind.allCases.filter { kind in
      !Self.cases.contains { $0.kind == kind && $0.checker.name == `case`.checker.name }
    }
    let result = `case`.checker.check(try .of("", reports: others.map { report($0) }, counters: `case`.counters))
    #expect(result.verdict == .held)
    #expect(result.exercised == 3)
  }

  @Test(arguments: cases)
  func reportsOfTheKindAreViolationsGroupedBySubject(case: Case) throws {
    let reports = [report(`case`.kind), report(`case`.kind, "Word"), report(`case`.kind)]
    let result = `case`.checker.check(try .of("", reports: reports, counters: `case`.counters))
    #expect(result.verdict == .violated)
    #expect(result.violations.map(\.subject) == ["Note", "Word"])
    #expect(result.violations.map(\.count) == [2, 1])
  }

  @Test(arguments: cases)
  func whatWasReportedBeforeTheCellDiedStaysReported(case: Case) throws {
    #expect(`case`.checker.check(try .of("", reports: [report(`case`.kind)], counters: nil)).verdict == .violated)
  }
}
