import Measuring

/// The cells of a run by subject.
struct ComparedCells {
  private let bySubject: [ComparedSubject: [CellRow]]
  /// Scenarios in the order of the file, and of each the strategies in the order of ``StrategyOrder``.
  let subjects: [ComparedSubject]

  /// Takes the cells of a run, without those that only ran to be compared with the others.
  init(_ rows: [CellRow]) {
    let rows = rows.filter { $0.arm != .base }
    bySubject = Dictionary(grouping: rows) { ComparedSubject($0.key) }
    var scenarios: [String] = []
    for row in rows where !scenarios.contains(row.key.scenario) { scenarios.append(row.key.scenario) }
    // Runs that were merged have cells of the same number: then the order of the rows decides, never that of a hash.
    var appearances: [ComparedSubject: Int] = [:]
    for (place, row) in rows.enumerated().reversed() { appearances[ComparedSubject(row.key)] = place }
    let places = bySubject.map { subject, rows in
      (
        subject: subject, scenario: scenarios.firstIndex(of: subject.scenario) ?? 0, place: StrategyOrder.place(rows),
        first: rows.map(\.key.cell).min() ?? 0, appearance: appearances[subject] ?? 0
      )
    }
    subjects = places.sorted {
      ($0.scenario, $0.place, $0.first, $0.appearance) < ($1.scenario, $1.place, $1.first, $1.appearance)
    }.map(\.subject)
  }

  var scenarios: [String] {
    var names: [String] = []
    for subject in subjects where !names.contains(subject.scenario) { names.append(subject.scenario) }
    return names
  }

  func rows(_ subject: ComparedSubject) -> [CellRow] { bySubject[subject] ?? [] }

  func values(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [Double] {
    rows(subject).compactMap(metric.value)
  }
}
