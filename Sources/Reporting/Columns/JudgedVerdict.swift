import Checking

/// A verdict for a reader: an expected violation is no failure, and an unexpected one is.
package struct JudgedVerdict: Sendable, Hashable {
  package let text: String
  package let emphasis: Emphasis

  /// The verdict of one cell, or of those of several that show the same.
  package init(_ verdict: Verdict, ending: RunEnding) { self.init(verdict, ending: ending, share: "") }

  /// The worst of several verdicts, with the share of cells that have it, and the worst ending; nil of none.
  package init?(_ cells: [(verdict: Verdict, ending: RunEnding)]) {
    guard let ending = cells.map(\.ending).max() else { return nil }
    let worst = Verdict.combined(cells.map(\.verdict))
    let count = cells.count { $0.verdict == worst }
    self.init(worst, ending: ending, share: count == cells.count ? "" : " \(count)/\(cells.count)")
  }

  private init(_ verdict: Verdict, ending: RunEnding, share: String) {
    let fact = verdict.rawValue + share
    switch (verdict, ending) {
    case (.held, .passed): (text, emphasis) = (fact, .good)
    case (_, .passed): (text, emphasis) = ("\(fact), as expected", .caution)
    case (.held, _): (text, emphasis) = ("\(fact), but not as expected", .bad)
    case (_, .inconclusive): (text, emphasis) = (fact, .caution)
    default: (text, emphasis) = (fact, .bad)
    }
  }
}
