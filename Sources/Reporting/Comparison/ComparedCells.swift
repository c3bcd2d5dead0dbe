import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

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

  func values(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [Double] {
    (bySubject[subject] ?? []).compactMap(metric.value)
  }

  /// The values of each arm of the run's own A/A pairs; none without them.
  func arms(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [[Double]] {
    [Arm.a, .b].map { arm in (bySubject[subject] ?? []).filter { $0.arm == arm }.compactMap(metric.value) }
      .filter { !$0.isEmpty }
  }

  /// A value for each repetition, of these cells and of the others': how high all strategies lie together, each taken
  /// as a share of its own median, so that those that take long do not outweigh the others.
  ///
  /// One value a repetition, since its cells share a floor and are not independent. Nil with fewer than two strategies in
  /// common, or when a value is not above zero.
  func levels(_ scenario: String, _ metric: ComparedMetric, with others: [ComparedCells]) -> [[Double]]? {
    let all = [self] + others
    let common = subjects.filter { subject in
      subject.scenario == scenario && all.allSatisfy { !$0.values(subject, metric).isEmpty }
    }
    guard common.count >= 2 else { return nil }
    var logarithms = all.map { _ in [Int: [Double]]() }
    for subject in common {
      let pooled = all.flatMap { $0.values(subject, metric) }
      guard let median = Statistics.median(pooled), pooled.allSatisfy({ $0 > 0 }) else { return nil }
      for (index, cells) in all.enumerated() {
        for row in cells.bySubject[subject] ?? [] {
          guard let value = metric.value(row) else { continue }
          logarithms[index][row.key.repetition, default: []].append(log(value / median))
        }
      }
    }
    return logarithms.map { byRepetition in
      byRepetition.sorted { $0.key < $1.key }.compactMap { Statistics.median($0.value).map { exp($0) } }
    }
  }
}
