/// The cells of a run that ran in pairs, by what is compared.
struct ComparedPairs {
  /// A base and a head that ran one after the other, with the same data.
  private struct Pair {
    var base: CellRow
    var head: CellRow?
  }

  private struct Key: Hashable {
    var run: String
    var subject: ComparedSubject
    var seed: UInt64
    var repetition: Int
  }

  private var bySubject: [ComparedSubject: [Pair]] = [:]
  /// In the order of the file.
  private(set) var subjects: [ComparedSubject] = []

  init(_ rows: [CellRow]) {
    func key(_ row: CellRow) -> Key {
      Key(run: row.key.run, subject: ComparedSubject(row.key), seed: row.key.seed, repetition: row.key.repetition)
    }
    let heads = Dictionary(rows.filter { $0.arm?.isBase == false }.map { (key($0), $0) }) { first, _ in first }
    for row in rows where row.arm?.isBase == true {
      let subject = ComparedSubject(row.key)
      if bySubject[subject] == nil { subjects.append(subject) }
      bySubject[subject, default: []].append(Pair(base: row, head: heads[key(row)]))
    }
  }

  /// Whether the base has a value above zero, with which there can be a ratio.
  func hasBase(_ subject: ComparedSubject, _ metric: ComparedMetric) -> Bool {
    (bySubject[subject] ?? []).contains { (metric.value($0.base) ?? 0) > 0 }
  }

  /// Whether any head has a value, be it zero, with which there is no ratio.
  func hasHead(_ subject: ComparedSubject, _ metric: ComparedMetric) -> Bool {
    (bySubject[subject] ?? []).contains { $0.head.flatMap(metric.value) != nil }
  }

  /// The values of the pairs of which both have one above zero.
  func values(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [(base: Double, head: Double)] {
    (bySubject[subject] ?? []).compactMap { pair in
      guard let base = metric.value(pair.base), let head = pair.head.flatMap(metric.value), base > 0, head > 0 else {
        return nil
      }
      return (base, head)
    }
  }
}
