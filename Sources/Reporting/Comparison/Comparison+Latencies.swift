import Checking
import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

extension Comparison {
  /// Percentiles that are compared.
  private static let percentiles: [Percentile] = [.p50, .p99]

  /// Adds a row for each operation's latencies, from the histograms of all cells together; they decide nothing.
  ///
  /// Nothing is added where a run has no histograms, or too few latencies for a percentile.
  ///
  /// - Parameter significance: As ``judge(_:)`` takes it.
  /// - Throws: `ComparisonProblem` for a histogram that is damaged.
  mutating func appendLatencies(
    base: [Results], head: [Results], arePairs: Bool = false, _ significance: Double
  ) throws(ComparisonProblem) {
    do throws(ReportingError) {
      try appendLatencies(base: base, head: head, arePairs: arePairs)
    } catch {
      throw ComparisonProblem("\(error.path) \(error.cause)", error.remedy)
    }
    judge(significance)
  }

  private mutating func appendLatencies(
    base: [Results], head: [Results], arePairs: Bool
  ) throws(ReportingError) {
    var olds: [LatencySamples] = []
    for results in base { olds.append(try LatencySamples(results, arm: arePairs ? .base : nil)) }
    var news: [LatencySamples] = []
    for results in head { news.append(try LatencySamples(results, arm: arePairs ? .head : nil)) }
    guard let first = olds.first else { return }
    for place in first.places {
      let sides = [olds, news].map { runs in runs.map { $0.cells(place) } }
      guard sides.joined().allSatisfy({ !$0.isEmpty }) else { continue }
      for percentile in Self.percentiles {
        if let row = Self.row(place, percentile, sides[0], sides[1], arePairs: arePairs) { append(row.0, row.1) }
      }
    }
  }

  private static func row(
    _ place: LatencySamples.Place, _ percentile: Percentile, _ base: [[LatencySamples.Cell]],
    _ head: [[LatencySamples.Cell]], arePairs: Bool
  ) -> (ComparisonRow, Evidence)? {
    var (base, head) = (base, head)
    precondition(!base.isEmpty && !head.isEmpty, "either side has a run")
    precondition(!arePairs || (base.count == 1 && head.count == 1), "pairs are of one run, which repeats nothing")
    if arePairs { (base[0], head[0]) = LatencySamples.partners(base[0], head[0]) }
    let olds = base.map { PooledLatency($0.map(\.counts)) }
    let news = head.map { PooledLatency($0.map(\.counts)) }
    let share = percentile.quantile
    guard (olds + news).allSatisfy({ $0.count >= percentile.countMin }),
      let old = olds[0].logarithm(share), let new = news[0].logarithm(share)
    else { return nil }
    var row = ComparisonRow(
      subject: place.subject, metric: ComparedMetric(latencies: place.tag, percentile),
      baseCount: base[0].count, headCount: head[0].count, baseMedian: exp(old), headMedian: exp(new),
      estimate: RatioEstimate(ratio: exp(new - old), interval: nil), pWorse: 1, pBetter: 1)
    let bound = row.bound
    let effects = [olds, news].map { pools in pools.map { [$0.logarithm(share) ?? 0] } }
    if let runs = RunEffect(base: effects[0], head: effects[1]) {
      row.estimate = runs.estimate()
      (row.pWorse, row.pBetter, row.noise) = (runs.pAbove(bound), runs.pBelow(-bound), runs.noise)
      return (row, .runs(runs))
    }
    row.isAdvisory = !arePairs
    let variance =
      arePairs
      ? PooledLatency.varianceOfPairs(olds[0], news[0], share)
      : olds[0].variance(share).flatMap { one in news[0].variance(share).map { one + $0 } }
    let count = min(row.baseCount, row.headCount)
    if let variance, count >= Statistics.intervalCountMin {
      let spread = LogRatioTest(logarithm: new - old, variance: variance, degrees: count - 1)
      row.estimate = spread.estimate()
      (row.pWorse, row.pBetter) = (spread.pAbove(bound), spread.pBelow(-bound))
      row.noise = arePairs ? row.estimate.interval.map { ($0.high / $0.low).squareRoot() - 1 } : nil
    }
    return (row, .twoRuns)
  }
}

extension ComparedMetric {
  /// The latencies of an operation, by a percentile.
  init(latencies tag: String, _ percentile: Percentile) {
    self.init("\(tag) latency_ns_\(percentile.rawValue)")
    isOfLatencies = true
  }
}

/// The latencies of the cells of a run, by operation.
struct LatencySamples {
  /// An operation of a subject: phase, name and kind of thread.
  struct Place: Hashable {
    var subject: ComparedSubject
    var tag: String
  }

  /// The latencies of one cell.
  struct Cell {
    var seed: UInt64
    var repetition: Int
    var counts: PooledLatency.Counts

    fileprivate var identity: [UInt64] { [seed, UInt64(bitPattern: Int64(repetition))] }
  }

  private var byPlace: [Place: [Cell]] = [:]
  /// In the order of the cells.
  private(set) var places: [Place] = []

  /// Reads the histograms of a results folder; nothing where it has none.
  ///
  /// - Parameter arm: The cells of a pair that are meant; nil = those that are judged.
  init(_ results: Results, arm: Arm?) throws(ReportingError) {
    for row in results.cells.sorted(by: { $0.key.cell < $1.key.cell }) {
      guard arm == nil ? row.arm != .base : row.arm?.isBase == arm?.isBase else { continue }
      for entry in try PooledLatencies.entries(of: row.key, in: results.path) {
        let place = Place(subject: ComparedSubject(row.key), tag: entry.tag)
        if byPlace[place] == nil { places.append(place) }
        byPlace[place, default: []].append(
          Cell(seed: row.key.seed, repetition: row.key.repetition, counts: entry.latencies.counts))
      }
    }
  }

  func cells(_ place: Place) -> [Cell] { byPlace[place] ?? [] }

  /// The cells of pairs that are whole, in the same order.
  static func partners(_ base: [Cell], _ head: [Cell]) -> ([Cell], [Cell]) {
    let others = Dictionary(head.map { ($0.identity, $0) }) { first, _ in first }
    let pairs = base.compactMap { cell in others[cell.identity].map { (cell, $0) } }
    return (pairs.map(\.0), pairs.map(\.1))
  }
}
