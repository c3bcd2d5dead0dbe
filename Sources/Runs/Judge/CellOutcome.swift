import Checking
import Reporting
import Scenarios

/// The findings of a cell, compared with the expected ones; a pure function of its checks.
package struct CellOutcome: Sendable {
  /// A violation, and whether it was expected.
  package struct Finding: Sendable, Hashable {
    package var violation: Violation
    package var isExpected: Bool
  }

  /// The verdict in `cells.csv`: the fact, whatever was expected.
  package var verdict: Verdict
  /// How the cell counts for the run.
  package var ending: RunEnding
  /// Every violation.
  package var findings: [Finding]
  /// All checks that were made.
  package var results: [CheckResult]
  /// A sentence for each reason why the cell did not pass.
  package var reasons: [String]

  /// Judges a cell.
  ///
  /// - Parameters:
  ///   - end: how its process ended.
  ///   - results: all checks that were made.
  ///   - required: names of those that must have had something to check.
  init(end: CellEnd, results: [CheckResult], required: [String], expectation: ScenarioExpectation) {
    self.results = results
    var violations = results.flatMap(\.violations)
    var isBlameless = false
    switch end {
    case .finished, .failed, .interrupted, .starved: break
    case .broken(let violation):
      if !CheckerMutant.isActive("outcome:end") { violations.append(violation) }
    case .killedFromOutside(let violation):
      violations.append(violation)
      isBlameless = !CheckerMutant.isActive("outcome:blameless")
    }
    findings = violations.map { Finding(violation: $0, isExpected: Self.isExpected($0.kind, by: expectation)) }
    let errors = findings.filter { $0.violation.severity == .error || CheckerMutant.isActive("outcome:warnings") }
    // A check that may have had nothing to check says nothing here, unless it found something.
    let judged = results.filter { result in
      result.verdict == .violated
        || ((required.contains(result.name) || CheckerMutant.isActive("outcome:required"))
          && !(result.verdict == .notExercised
            && (expectation.notExercised.contains(result.name) || CheckerMutant.isActive("expect:not-exercised"))))
    }
    let blamed = errors.filter { !(isBlameless && $0.violation.kind == .crash) }
    verdict =
      if !blamed.isEmpty {
        .violated
      } else if end != .finished {
        .unknown
      } else {
        Verdict.combined(judged.map(\.verdict))
      }

    reasons = []
    ending = .passed
    defer { precondition((ending == .passed) == reasons.isEmpty, "a cell passes where there is no reason against it") }
    if case .starved(let reason) = end { add(.inconclusive, reason) }
    if case .failed(let message) = end, !CheckerMutant.isActive("outcome:harness") {
      add(.harnessFailed, "the harness failed: \(message)")
    }
    for error in blamed where !error.isExpected {
      add(.violated, "\(error.violation.kind.rawValue): \(error.violation.subject): \(error.violation.seen)")
    }
    addMissing(expectation, errors: errors)
    if isBlameless, !expectation.allows(.crash) {
      add(.inconclusive, "killed from outside; run it again")
    }
    // A cell that was cut short could not exercise everything; why it was is a violation of its own.
    guard end == .finished else { return }
    for result in judged where result.verdict == .notExercised && !CheckerMutant.isActive("outcome:idle") {
      add(.inconclusive, "\(result.name) was not exercised" + (result.note.isEmpty ? "" : ": \(result.note)"))
    }
    for result in judged where result.verdict == .unknown && !CheckerMutant.isActive("outcome:unknown") {
      add(.inconclusive, "\(result.name) is unknown: \(result.note)")
    }
  }

  private static func isExpected(_ kind: ViolationKind, by expectation: ScenarioExpectation) -> Bool {
    expectation.allows(kind) || CheckerMutant.isActive("expect:may")
  }

  /// Adds expected violations that were not seen often enough.
  private mutating func addMissing(_ expectation: ScenarioExpectation, errors: [Finding]) {
    for must in expectation.must where !CheckerMutant.isActive("expect:must") {
      let kinds = CheckerMutant.isActive("expect:any-of") ? Array(must.anyOf.prefix(1)) : must.anyOf
      let counted = CheckerMutant.isActive("expect:warning") ? findings : errors
      let seen = counted.filter { finding in
        kinds.contains(finding.violation.kind)
          && (must.counts(finding.violation) || CheckerMutant.isActive("expect:containing"))
      }.reduce(0) { $0 + $1.violation.count }
      guard seen < (CheckerMutant.isActive("expect:at-least") ? 1 : must.atLeast) else { continue }
      let names = must.anyOf.map(\.rawValue).joined(separator: " or ")
      let count = must.atLeast == 1 ? "" : " at least \(must.atLeast) times, seen \(seen) times"
      let text = must.containing.map { " with \u{201C}\($0)\u{201D}" } ?? ""
      add(.violated, "expected \(names)\(text)\(count), and it did not happen")
    }
  }

  private mutating func add(_ ending: RunEnding, _ reason: String) {
    precondition(ending != .passed && !reason.isEmpty, "what keeps a cell from passing is a reason")
    self.ending = max(self.ending, ending)
    if !reasons.contains(reason) { reasons.append(reason) }
  }
}

extension CellOutcome {
  /// The outcome of a cell that was judged earlier, by its rows; its checks are not known any more.
  init(row: CellRow, violations: [ViolationRow]) {
    verdict = row.verdict
    ending = row.ending
    findings = violations.map { Finding(violation: $0.violation, isExpected: $0.isExpected) }
    results = []
    reasons = row.reason.map { [$0] } ?? []
  }
}
