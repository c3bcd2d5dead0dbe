import Checking

/// A small case with a known outcome, for one checker or one rule of the judging.
struct Proof: Sendable {
  /// The subject: a checker's name, or that of a rule.
  let subject: String
  /// The expected outcome, in a few words.
  let name: String
  /// Whether it comes out so; an error that it throws is a failure.
  let holds: @Sendable () throws -> Bool

  /// Name in the table of mutants.
  var label: String { "\(subject): \(name)" }

  /// A case of a checker.
  init(_ example: CheckerCase) {
    subject = example.subject
    name = example.description
    holds = example.holds
  }

  /// A case of a rule.
  init(rule: String, _ name: String, _ holds: @escaping @Sendable () throws -> Bool) {
    precondition(!rule.isEmpty && !name.isEmpty, "a case has a label by which a mutant is noticed")
    subject = rule
    self.name = name
    self.holds = holds
  }

  /// Whether it comes out as it must.
  var isHeld: Bool { (try? holds()) ?? false }
}

/// All cases.
enum ProofCatalogue {
  static let all: [Proof] =
    (CheckerCase.all + CheckerCase.files).map(Proof.init) + Proof.chains
    + Proof.verdicts + Proof.outcomes + Proof.everyCell

  /// Checkers of which some verdict has no case.
  static var gaps: [String] {
    CheckerCatalogue.all.flatMap { checker in
      let own = all.filter { $0.subject == checker.name }
      let never = neverViolated.contains(checker.name)
      let verdicts: [Verdict] = (never ? [] : [.violated]) + [.held, .notExercised]
      return verdicts.filter { verdict in !own.contains { $0.name.hasPrefix(verdict.rawValue) } }
        .map { "\(checker.name) has no case that is \($0.rawValue)" }
        + checker.kinds.filter { kind in
          !own.contains { $0.name.hasPrefix("violated") && $0.name.contains(kind.rawValue) }
        }.map { "\(checker.name) has no case of \($0.rawValue)" }
    }
  }

  /// Checks that find nothing and only say whether there was something to see.
  private static let neverViolated = ["overlap", "injected-faults"]
}
