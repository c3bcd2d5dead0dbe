extension Evidence {
  /// Evidence of a complete cell: a history as text, rows of notes (entity 1) and words (entity 2) as they are in the file.
  package static func sample(
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

  /// A part of the evidence of a cell.
  enum Part: String, Sendable, CaseIterable {
    case history, file, condition, reports, counters
  }

  /// The same without one part.
  func without(_ part: Part) -> Evidence {
    var evidence = self
    let reason = Unusable("the case lacks \(part.rawValue)")
    switch part {
    case .history: evidence.history = .failure(reason)
    case .file: evidence.store = .failure(reason)
    case .condition: evidence.condition = .failure(reason)
    case .reports: evidence.reports = .failure(reason)
    case .counters: evidence.parameters.counters = nil
    }
    return evidence
  }
}

extension EntityRows {
  /// Rows with these keys; each of revision 1 unless it is said.
  package static func keys(_ keys: Int64..., revisions: [Int64]? = nil) -> EntityRows {
    EntityRows(keys: keys, revisions: revisions ?? keys.map { _ in 1 })
  }
}
