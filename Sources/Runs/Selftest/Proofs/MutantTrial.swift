import Checking

/// Breaks the judging code in one way after the other, and looks which case notices.
package struct MutantTrial: Sendable {
  /// A mutant, and the cases that fail with it.
  package struct Row: Sendable {
    package let mutant: String
    package let noticedBy: [String]
  }

  /// The mutants of the rules, beside those of the checkers.
  static let ofRules = [
    "verdicts:violated", "verdicts:unknown", "verdicts:not-exercised", "verdicts:empty", "expect:may", "expect:must",
    "expect:any-of", "expect:warning", "expect:at-least", "expect:containing", "expect:not-exercised", "outcome:idle",
    "outcome:unknown",
    "outcome:required", "outcome:warnings", "outcome:end", "outcome:blameless", "outcome:harness",
    "history:indeterminate-deletes", "history:open-deletes", "history:refused-deletes",
  ]

  /// Whether this build has mutants.
  package static var areBuilt: Bool { CheckerMutant.areBuilt }

  /// Every mutant with the checkers or rules that notice it; empty in a build without mutants.
  package static func rows() -> [Row] {
    guard CheckerMutant.areBuilt else { return [] }
    precondition(
      Set(ofRules).isDisjoint(with: CheckerMutant.ofCheckers),
      "a mutant is of a checker or of a rule, and is tried once")
    return (CheckerMutant.ofCheckers + ofRules).map { mutant in
      let failed = CheckerMutant.with(mutant) { ProofCatalogue.all.filter { !$0.isHeld } }
      return Row(mutant: mutant, noticedBy: failed.map(\.label))
    }
  }

  /// Problems of the cases themselves: those that fail in a build as it is, and verdicts without a case.
  package static var problems: [String] {
    ProofCatalogue.all.filter { !$0.isHeld }.map { "the case does not come out as it must: \($0.label)" }
      + ProofCatalogue.gaps
  }

  /// How many cases there are.
  package static var caseCount: Int { ProofCatalogue.all.count }

  /// A table as CSV: subject, mutant, how many cases notice it, and the first of them.
  package static func text(_ rows: [Row]) -> String {
    let lines = rows.map { row in
      let first = row.noticedBy.first ?? ""
      return "\(row.mutant),\(row.noticedBy.count),\"\(first.replacing("\"", with: "\"\""))\"\n"
    }
    return "mutant,noticed_by,first\n" + lines.joined()
  }
}
