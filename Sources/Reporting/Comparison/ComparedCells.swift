import Measuring

/// The cells of a run by what is compared.
struct ComparedCells {
  private let bySubject: [ComparedSubject: [CellRow]]
  /// In the order of the file.
  let subjects: [ComparedSubject]

  /// Takes the cells of a run, without those that only ran to be compared with the others.
  init(_ rows: [CellRow]) {
    let rows = rows.filter { $0.arm != .base }
    bySubject = Dictionary(grouping: rows) { ComparedSubject($0.key) }
    var subjects: [ComparedSubject] = []
    var seen: Set<ComparedSubject> = []
    for row in rows where seen.insert(ComparedSubject(row.key)).inserted { subjects.append(ComparedSubject(row.key)) }
    self.subjects = subjects
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
