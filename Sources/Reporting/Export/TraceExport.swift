import Checking
import Foundation

/// The kept histories of the cells that did not pass, as trace events: a process for each cell, with a track for each worker
/// and each queue. A history has no waits; those of a simulation are in the trace of its schedule.
package enum TraceExport: ExportFormat {
  package static let name = "trace"
  package static let summary = "trace events for Perfetto: kept histories, or the steps of a schedule"

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var document = TraceDocument()
    for cell in results.cells {
      let rows = results.results.violations.filter { $0.key == cell.key }
      guard let history = KeptHistory(of: cell.key, in: results.results.path) else { continue }
      let records = try history.records(history.lines.indices)
      let key = cell.key
      var trace = HistoryTrace(title: "cell \(key.cell): \(key.scenario), \(key.strategy), seed \(key.seed)")
      trace.add(records, rows, to: &document)
    }
    return document.json
  }
}
