import Checking

extension StandIn {
  /// A word names its note, and the note's words do not have it: the stack keeps both sides itself.
  static let oneSidedInverse = StandIn(
    "one-sided-inverse", of: .asymmetricInverse,
    broken: { seed in
      let report = Violation(
        kind: .asymmetricInverse, subject: "Word.note", expected: "the note's words have the word",
        seen: "word \(seed) is not among them")
      return try StandInHistory().evidence(reports: [report], counters: CheckCounters(\.inversesChecked, 2))
    },
    sound: { _ in try StandInHistory().evidence(counters: CheckCounters(\.inversesChecked, 2)) })
}
