import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The cells of a run that ran in pairs, by subject.
struct ComparedPairs {
  /// A baseline and a candidate that ran one after the other, with the same data.
  private struct Pair {
    var block: Block
    var base: CellRow
    var head: CellRow?
  }

  /// A repetition: its pairs ran one after another, and other load on the machine may hit several of them.
  struct Block: Hashable, Comparable {
    var run: String
    var seed: UInt64
    var repetition: Int

    static func < (left: Block, right: Block) -> Bool {
      (left.run, left.repetition, left.seed) < (right.run, right.repetition, right.seed)
    }
  }

  /// A pair of which both have a value above zero.
  struct Values {
    var block: Block
    var base: Double
    var head: Double

    var logarithm: Double { log(head / base) }
  }

  private struct Key: Hashable {
    var block: Block
    var subject: ComparedSubject
  }

  private var bySubject: [ComparedSubject: [Pair]] = [:]
  /// In the order of the file.
  private(set) var subjects: [ComparedSubject] = []

  init(_ rows: [CellRow]) {
    func block(_ row: CellRow) -> Block {
      Block(run: row.key.run, seed: row.key.seed, repetition: row.key.repetition)
    }
    func key(_ row: CellRow) -> Key { Key(block: block(row), subject: ComparedSubject(row.key)) }
    let heads = Dictionary(rows.filter { $0.arm?.isBase == false }.map { (key($0), $0) }) { first, _ in first }
    for row in rows where row.arm?.isBase == true {
      let subject = ComparedSubject(row.key)
      if bySubject[subject] == nil { subjects.append(subject) }
      bySubject[subject, default: []].append(Pair(block: block(row), base: row, head: heads[key(row)]))
    }
    precondition(subjects.count == bySubject.count, "a subject is listed once")
  }

  /// All that the baseline has.
  func base(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [Double] {
    (bySubject[subject] ?? []).compactMap { metric.value($0.base) }
  }

  /// All that the candidate has.
  func head(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [Double] {
    (bySubject[subject] ?? []).compactMap { $0.head.flatMap(metric.value) }
  }

  /// Whether the baseline has a value above zero, with which there can be a ratio.
  func hasBase(_ subject: ComparedSubject, _ metric: ComparedMetric) -> Bool {
    base(subject, metric).contains { $0 > 0 }
  }

  /// Whether any candidate has a value, be it zero, with which there is no ratio.
  func hasHead(_ subject: ComparedSubject, _ metric: ComparedMetric) -> Bool { !head(subject, metric).isEmpty }

  /// The values of the pairs of which both have one above zero.
  func values(_ subject: ComparedSubject, _ metric: ComparedMetric) -> [Values] {
    (bySubject[subject] ?? []).compactMap { pair in
      guard let base = metric.value(pair.base), let head = pair.head.flatMap(metric.value), base > 0, head > 0 else {
        return nil
      }
      return Values(block: pair.block, base: base, head: head)
    }
  }
}
