import Checking

extension Evidence {
  /// Evidence of a complete cell: a history as text, rows of notes (entity 1) and words (entity 2) as they are in the file.
  static func proof(
    _ history: String = "", notes: EntityRows = EntityRows(keys: []),
    words: EntityRows = EntityRows(keys: [], orphans: []),
    counters: CheckCounters = CheckCounters(), change: (inout Evidence) -> Void = { _ in }
  ) throws -> Evidence {
    var evidence = Evidence(
      history: .success(try HistoryText.history(history)),
      store: .success(StoreContents(rows: [1: notes, 2: words])),
      condition: .success(StoreCondition(rows: 1)), reports: .success([]),
      parameters: CheckParameters(layout: .notebook, counters: counters))
    change(&evidence)
    return evidence
  }

  /// The same without what checkers go by.
  static func unusable() throws -> Evidence {
    try proof { evidence in
      let reason = Unusable("a case without evidence")
      evidence.history = .failure(reason)
      evidence.store = .failure(reason)
      evidence.condition = .failure(reason)
      evidence.reports = .failure(reason)
      evidence.parameters.counters = nil
    }
  }
}

extension EntityRows {
  /// Rows with these keys; each of revision 1 unless it is said.
  static func keys(_ keys: Int64..., revisions: [Int64]? = nil) -> EntityRows {
    EntityRows(keys: keys, revisions: revisions ?? keys.map { _ in 1 })
  }
}
