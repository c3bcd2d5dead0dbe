import Checking
import Measuring

extension HTMLReport {
  /// A row a strategy with what it took, medians over its repetitions.
  func medians(_ groups: [HTMLReportGroup]) -> HTML {
    let titles = [
      "until durable", "until visible", "× floor", "main thread", "push", "save", "merge", "fetch", "worst stall",
      "objects/s", "cells",
    ]
    let rows = groups.map { group -> HTML in
      let values = [
        HumanReadable.seconds(group.median(\.untilDurableSeconds)),
        HumanReadable.seconds(group.median(\.untilVisibleSeconds)),
        HumanReadable.ratio(group.median(\.floorRatio)), HumanReadable.seconds(group.median(\.mainThread.totalSeconds)),
        HumanReadable.seconds(group.median(\.mainThread.pushSeconds)),
        HumanReadable.seconds(group.median(\.mainThread.saveSeconds)),
        HumanReadable.seconds(group.median(\.mainThread.mergeSeconds)),
        HumanReadable.seconds(group.median(\.mainThread.fetchSeconds)),
        HumanReadable.nanoseconds(group.worstStall),
        HumanReadable.count(group.objectsPerSecond.map { Int($0.rounded()) }),
        String(group.rows.count),
      ]
      let verdict = group.verdict
      return .element(
        "tr",
        [
          .element("th", ["scope": "row"], group.title),
          .element(
            "td", ["class": "verdict \(Self.mark(verdict?.emphasis))"], verdict?.text ?? HumanReadable.notMeasured),
        ] + values.map { .element("td", $0) })
    }
    return table(["strategy", "verdict"] + titles, rows)
  }

  /// A row an operation and strategy with its latencies, folded away.
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
      "details", [.element("summary", "Latencies of every operation"), table(titles, rows.map(\.row))])
  }

  private func latency(_ operation: String, _ strategy: String, _ cells: [LatencySummary]) -> HTML {
    func median(_ value: (LatencySummary) -> UInt64?) -> String {
      HumanReadable.seconds(Statistics.median(cells.compactMap(value).map { Double($0) / 1e9 }))
    }
    func sum(_ value: (LatencySummary) -> UInt64) -> String {
      HumanReadable.count(Int(clamping: cells.reduce(0) { $0 &+ value($1) }))
    }
    let values = [
      sum(\.count), sum(\.failed), median(\.latencyNanosecondsP50), median(\.latencyNanosecondsP90),
      median(\.latencyNanosecondsP99), median(\.latencyNanosecondsP999),
      HumanReadable.nanoseconds(cells.compactMap(\.latencyNanosecondsMax).max()),
    ]
    return .element(
      "tr",
      [.element("th", ["scope": "row"], operation), .element("td", ["class": "name"], strategy)]
        + values.map { .element("td", $0) })
  }

  func table(_ titles: [String], _ rows: [HTML]) -> HTML {
    let head = HTML.element("thead", [.element("tr", titles.map { .element("th", ["scope": "col"], $0) })])
    return .element(
      "div", ["class": "wide", "tabindex": "0"], [.element("table", [head, .element("tbody", rows)])])
  }
}
