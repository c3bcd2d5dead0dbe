import Foundation
import Measuring

extension RunHistory {
  /// A row for each change, the latest first, and a summary.
  package func text(width: Int?) -> String {
    let changes = series.flatMap { series in series.changes.map { (series, $0) } }
      .sorted { ($1.1.run, $0.0.scenario, $0.0.name) < ($0.1.run, $1.0.scenario, $1.0.name) }
    let summary = "\(changes.count) changes in \(series.count) series of \(runs.count) runs\n"
    let note =
      isTooShort ? "from \(2 * ChangePoints.segmentMin) runs on a change can be seen\n" : ""
    guard !changes.isEmpty else { return note + summary }
    var table = TextTable(columns: [
      .left("scenario"), .left("strategy"), .left("measure"), .right("before"), .right("after"), .right("change"),
      .right("p", dropped: 2), .left("first run"), .left("revision"), .left("started", dropped: 1),
    ])
    for (series, change) in changes {
      precondition(runs.indices.contains(change.run), "a change is at one of the runs")
      let run = runs[change.run]
      table.append([
        series.scenario, series.name, series.column, Comparison.value(change.before, column: series.column),
        Comparison.value(change.after, column: series.column),
        (change.difference > 0 ? "+" : "") + HumanReadable.significant(change.difference * 100) + " %",
        HumanReadable.significant(change.p), run.name, run.revision.map { String($0.prefix(12)) } ?? "unknown",
        run.startedAt.formatted(.iso8601),
      ])
    }
    return note + table.rendered(width: width) + "\n" + summary
  }

  /// All medians as CSV: one row per series and run, with the changes.
  package var csv: String {
    var text = CSV.line([
      "scenario", "strategy", "measure", "run", "revision", "started_at", "median", "is_change", "p",
    ])
    for series in series {
      for point in series.points {
        let change = series.changes.first { $0.run == point.run }
        let run = runs[point.run]
        text += CSV.line([
          series.scenario, series.name, series.column, run.name, run.revision ?? "", run.startedAt.formatted(.iso8601),
          String(point.median), change == nil ? "no" : "yes", change.map { String($0.p) } ?? "",
        ])
      }
    }
    return text
  }
}
