/// A small history, file or report, and the verdict that a checker must give: the cases of the self-test and of the tests.
package struct CheckerCase: Sendable, CustomStringConvertible {
  /// The checker's name.
  package let subject: String
  package let verdict: Verdict
  /// The kinds of violation that must be found.
  package let kinds: [ViolationKind]
  private let name: String
  private let checker: any Checker
  fileprivate let evidence: @Sendable () throws -> Evidence

  package init(
    _ checker: any Checker, _ verdict: Verdict, _ kinds: [ViolationKind] = [], of name: String,
    _ evidence: @escaping @Sendable () throws -> Evidence
  ) {
    precondition(verdict != .violated || !kinds.isEmpty, "a case that is violated says by what")
    subject = checker.name
    self.verdict = verdict
    self.kinds = kinds
    self.name = name
    self.checker = checker
    self.evidence = evidence
  }

  /// The verdict, the kinds, and the case in a few words.
  package var description: String {
    "\(verdict.rawValue)\(kinds.isEmpty ? "" : " by " + kinds.map(\.rawValue).joined(separator: ", ")), \(name)"
  }

  /// Whether the checker gives the verdict, and finds these kinds and no others.
  package func holds() throws -> Bool {
    let result = checker.check(try evidence())
    return result.verdict == verdict && Set(result.violations.map(\.kind)) == Set(kinds)
  }
}

extension CheckerCase {
  /// All cases that need no store's file.
  package static let all: [CheckerCase] = {
    let made = reported + rows + acknowledged + versions + consistency + limits + notified + merged + followed
    let names = Set(made.map { "\($0.subject) \($0.description)" })
    precondition(names.count == made.count, "cases of one checker have different descriptions")
    return made + withoutEvidence(made)
  }()

  /// The parts of the evidence without which a checker knows nothing, by its name.
  private static let needed: [(part: Evidence.Part, checkers: [String])] = [
    (
      .history,
      [
        "lost-record", "row-balance", "set", "find-or-create", "unpersisted-save", "lost-update", "dirty-read",
        "monotonic-reads", "read-your-writes", "stale-read", "staleness-bound", "acknowledged-writes", "bank",
        "failed-save", "list-append", "merge-policy", "notifications", "history-merges", "main-thread-stall", "overlap",
      ]
    ),
    (
      .file,
      [
        "lost-record", "row-balance", "set", "duplicate-record", "find-or-create", "orphan-record",
        "dangling-reference", "unpersisted-save", "acknowledged-writes", "bank", "merge-policy",
        "notifications",
      ]
    ),
    (.condition, ["store-corruption"]),
    (.counters, CheckerCatalogue.all.filter(isOfReports).map(\.name) + ["main-thread-stall"]),
    (.reports, CheckerCatalogue.all.filter(isOfReports).map(\.name)),
  ]

  private static func isOfReports(_ checker: any Checker) -> Bool {
    checker is ReportedKindChecker || checker is ReportsChecker || checker is DurabilityChecker
      || checker is AsymmetricInverseChecker
  }

  /// For each checker a case that holds, without one part of its evidence: then nothing is known.
  private static func withoutEvidence(_ cases: [CheckerCase]) -> [CheckerCase] {
    needed.flatMap { part, names in
      names.map { name in
        guard let held = cases.first(where: { $0.subject == name && $0.verdict == .held && $0.kinds.isEmpty }) else {
          preconditionFailure("\(name) has a case that is held")
        }
        return CheckerCase(held.checker, .unknown, of: "\(held.name), without \(part.rawValue)") {
          try held.evidence().without(part)
        }
      }
    }
  }
}
