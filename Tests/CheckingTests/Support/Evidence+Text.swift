@testable import Checking

extension Evidence {
  /// Evidence of a complete cell: a history as text, and a store with these rows.
  static func of(
    _ history: String, notes: [Int64] = [], revisions: [Int64]? = nil, words: [Int64] = [], orphans: [Int64] = [],
    reports: [Violation] = [], counters: CheckCounters? = CheckCounters()
  ) throws -> Evidence {
    Evidence(
      history: .success(try HistoryText.history(history)),
      store: .success(
        StoreContents(rows: [
          1: EntityRows(keys: notes, revisions: revisions ?? notes.map { _ in 1 }),
          2: EntityRows(keys: words, orphans: orphans),
        ])),
      reports: .success(reports),
      parameters: CheckParameters(layout: .notebook, counters: counters))
  }

  /// The same with a history that cannot be used.
  func withUnusableHistory() -> Evidence {
    var evidence = self
    evidence.history = .failure(Unusable("damaged history"))
    return evidence
  }

  /// The same with a store that cannot be used.
  func withUnusableStore() -> Evidence {
    var evidence = self
    evidence.store = .failure(Unusable("damaged store"))
    return evidence
  }
}
