import Checking
import Measuring

extension HTMLReport {
  /// One row per strategy with its measurements, medians over its repetitions.
  func medians(_ groups: [HTMLReportGroup]) -> HTML {
    let rows = groups.map { group -> HTML in
      let values =
        SummaryColumn.all.map { column in
          let (value, text) = column.valueAndText(group.rows)
          return cell(text, value)
        } + [cell(String(group.rows.count), Double(group.rows.count))]
      let verdict = group.verdict
      return .element(
        "tr",
        [
          .element("th", ["scope": "row"], group.title),
          .element(
            "td", ["class": "verdict \(Self.mark(verdict?.emphasis))"], verdict?.text ?? HumanReadable.notMeasured),
        ] + values)
    }
    let columns = ["strategy", "verdict"] + SummaryColumn.all.map(\.title) + ["cells"]
    return .element("div", [table(columns, rows), Self.legend(columns)])
  }

  /// A number as it is read, with its value for sorting.
  private func cell(_ text: String, _ value: Double?) -> HTML {
    .element("td", ["data-value": value.map { "\($0)" } ?? ""], text)
  }

  /// One row per operation and strategy with its latencies, folded away.
  func latencies(_ groups: [HTMLReportGroup]) -> HTML {
    let timings = Dictionary(grouping: results.timings) { $0.key }
    var rows: [(operation: String, title: String, row: HTML)] = []
    for group in groups {
      let own = group.rows.flatMap { timings[$0.key] ?? [] }
      let operations = Dictionary(grouping: own) { "\($0.operation), \($0.role), phase \($0.phase)" }
      for (operation, timings) in operations {
        rows.append((operation, group.title, latency(operation, group.title, timings.map(\.summary))))
      }
    }
    guard !rows.isEmpty else { return .text("") }
    let places = Dictionary(groups.enumerated().map { ($1.title, $0) }) { first, _ in first }
    rows.sort { ($0.operation, places[$0.title] ?? 0) < ($1.operation, places[$1.title] ?? 0) }
    let titles = ["operation", "strategy", "count", "failed", "median", "90 %", "99 %", "99.9 %", "longest"]
    return .element(
      "details",
      [
        .element("summary", "Latencies of every operation"), table(titles, rows.map(\.row)), Self.legend(titles),
      ])
  }

  private func latency(_ operation: String, _ strategy: String, _ cells: [LatencySummary]) -> HTML {
    func median(_ value: (LatencySummary) -> UInt64?) -> HTML {
      let seconds = Statistics.median(cells.compactMap(value).map { Double($0) / 1e9 })
      return cell(HumanReadable.seconds(seconds), seconds)
    }
    func sum(_ value: (LatencySummary) -> UInt64) -> HTML {
      let sum = Int(clamping: cells.reduce(0) { $0 &+ value($1) })
      return cell(HumanReadable.count(sum), Double(sum))
    }
    let longest = cells.compactMap(\.latencyNanosecondsMax).max()
    let values = [
      sum(\.count), sum(\.failed), median(\.latencyNanosecondsP50), median(\.latencyNanosecondsP90),
      median(\.latencyNanosecondsP99), median(\.latencyNanosecondsP999),
      cell(HumanReadable.nanoseconds(longest), longest.map(Double.init)),
    ]
    return .element(
      "tr",
      [.element("th", ["scope": "row"], operation), .element("td", ["class": "name"], strategy)] + values)
  }

  func table(_ titles: [String], _ rows: [HTML]) -> HTML {
    let head = HTML.element("thead", [.element("tr", titles.map(Self.heading))])
    return .element(
      "div", ["class": "wide", "tabindex": "0"], [.element("table", [head, .element("tbody", rows)])])
  }
}
