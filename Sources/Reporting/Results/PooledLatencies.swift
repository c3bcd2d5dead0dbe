import Checking
import Foundation
import Measuring

/// The histograms of a results folder, added up over the cells of each scenario and strategy.
package struct PooledLatencies {
  /// Cells that belong together.
  private struct Group: Hashable {
    let scenario: String
    let strategy: String
    let options: String
    let mergePolicy: String
  }

  /// An operation of a group; its phase, name and kind of thread.
  private struct Place: Hashable {
    let group: Group
    let tag: String
  }

  private struct Pool {
    var latencies = LatencyRecorder()
    var cells = 0
    var failed: UInt64 = 0
    var words: [String]
    var latencyFrom = "begin"
    var runs: Set<String> = []
  }

  /// In the order of the cells.
  package private(set) var rows: [PercentileRow] = []

  /// Adds up the cells' histograms; baselines of pairs are left out, and cells without a log.
  ///
  /// - Throws: `ReportingError` for a log that is damaged.
  package init(_ results: Results) throws(ReportingError) {
    var pools: [Place: Pool] = [:]
    var order: [Place] = []
    let timings = Dictionary(grouping: results.timings, by: \.key)
    for cell in results.judged.cells.sorted(by: { $0.key.cell < $1.key.cell }) {
      let key = cell.key
      let group = Group(
        scenario: key.scenario, strategy: key.strategy, options: key.options, mergePolicy: key.mergePolicy)
      let own = Dictionary(
        (timings[key] ?? []).map { (HistogramLog.tag([$0.phase, $0.operation, $0.role]), $0) }
      ) { first, _ in first }
      for entry in try Self.entries(of: key, in: results.path) {
        let place = Place(group: group, tag: entry.tag)
        if pools[place] == nil { order.append(place) }
        let row = own[entry.tag]
        var pool =
          pools[place] ?? Pool(words: row.map { [$0.phase, $0.operation, $0.role] } ?? Self.words(of: entry.tag))
        pool.latencies.merge(entry.latencies)
        pool.cells += 1
        pool.failed += row?.summary.failed ?? 0
        pool.latencyFrom = row?.latencyFrom ?? pool.latencyFrom
        pool.runs.insert(key.run)
        pools[place] = pool
      }
    }
    rows = order.compactMap { place in pools[place].map { Self.row(place.group, $0) } }
    precondition(rows.count == pools.count, "each pool of latencies has one row")
  }

  private static func row(_ group: Group, _ pool: Pool) -> PercentileRow {
    precondition(pool.words.count == 3, "a tag is a phase, an operation and a kind of thread")
    var summary = pool.latencies.summary()
    summary.failed = pool.failed
    return PercentileRow(
      run: pool.runs.count == 1 ? pool.runs.first ?? "" : "", scenario: group.scenario, strategy: group.strategy,
      options: group.options, mergePolicy: group.mergePolicy, phase: pool.words[0], operation: pool.words[1],
      role: pool.words[2], cells: pool.cells, summary: summary, latencyFrom: pool.latencyFrom)
  }

  /// Phase, name and kind of thread of a tag without a row of `timings.csv`, such as the heartbeat's.
  private static func words(of tag: String) -> [String] {
    let words = tag.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return words.count == 3 ? words : ["", tag, ""]
  }

  /// The histograms of a cell; nothing where it left no log.
  static func entries(of key: CellKey, in folder: String) throws(ReportingError) -> [HistogramLog.Entry] {
    let name = "\(key.cell).\(HistogramLog.fileExtension)"
    let path = "\(folder)/histograms/\(name)"
    guard let data = FileManager.default.contents(atPath: path) else { return [] }
    do throws(HistogramLogError) {
      return try HistogramLog(text: String(decoding: data, as: UTF8.self)).entries
    } catch {
      throw ReportingError(path: path, cause: "is damaged: \(error.description)", remedy: FieldProblem("").remedy)
    }
  }

  /// Writes `percentiles.csv` of a results folder, whole or not at all; none where there is no histogram.
  ///
  /// - Throws: `ReportingError` when the folder cannot be read or written.
  package static func write(in folder: String) throws(ReportingError) {
    let rows = try PooledLatencies(Results(readingFrom: folder)).rows
    guard !rows.isEmpty else { return }
    try Table<PercentileRow>.percentiles.write(rows, in: folder)
  }
}
