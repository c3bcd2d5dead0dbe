import Checking
import Foundation

/// The kept histories of the cells that did not pass, as trace events: a process for each cell, with a track for each worker
/// and each queue. A history has no waits; those of a simulation are in the trace of its schedule.
package enum TraceExport: ExportFormat {
  package static let name = "trace"
  package static let summary = "Kept histories as trace events, for Perfetto and Chrome; or the steps of a schedule."

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var document = TraceDocument()
    for cell in results.cells {
      let rows = results.results.violations.filter { $0.key == cell.key }
      let path = "\(results.results.path)/\(HistoryExcerpt.path(cell.key, in: results.results.path))"
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      let decoder = JSONDecoder()
      var records: [HistoryRecord] = []
      for (number, line) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
        do {
          records.append(try decoder.decode(HistoryRecord.self, from: Data(line)))
        } catch {
          throw ReportingError(
            path: "\(path):\(number + 1)", cause: "is no record of a history", remedy: "Run the cell again")
        }
      }
      let key = cell.key
      var trace = HistoryTrace(title: "cell \(key.cell): \(key.scenario), \(key.strategy), seed \(key.seed)")
      trace.add(records, rows, to: &document)
    }
    return document.json
  }
}

/// What the records of one history become in a trace.
private struct HistoryTrace {
  let title: String
  private var open: [Identity: HistoryRecord] = [:]
  /// Saves that are not yet known to have been merged: the span, and who saved.
  private var saves: [(span: TraceDocument.SpanNumber, end: UInt64, process: Int)] = []

  init(title: String) { self.title = title }

  private struct Identity: Hashable {
    var process: Int
    var function: String
    var entity: String?
    var key: Int64?

    init(_ record: HistoryRecord) {
      process = record.process
      function = record.f
      entity = record.value.entity
      key = record.value.keys?.lowerBound
    }
  }

  /// Functions whose `ok` means that something was saved or pushed.
  private static let saving: Set<String> = ["insert", "update", "delete", "push", "txn", "transfer", "edit"]

  mutating func add(_ records: [HistoryRecord], _ violations: [ViolationRow], to document: inout TraceDocument) {
    let workers = Set(records.map(\.process)).sorted()
    for process in workers { document.add(track(HistoryRecord.worker(process))) }
    for record in records {
      if record.type == "invoke" {
        open[Identity(record)] = record
      } else {
        add(record, since: open.removeValue(forKey: Identity(record)), to: &document)
      }
    }
    let end = records.last?.time ?? 0
    for record in open.values.sorted(by: { $0.index < $1.index }) {
      document.add(
        TraceDocument.Span("\(record.f) \(record.value.text)", "no completion", from: record.time, to: end),
        on: track(record.worker))
    }
    for row in violations {
      guard let step = row.violation.firstStep, let record = records.last(where: { $0.index <= step }) else { continue }
      document.add(
        TraceDocument.Span(
          row.violation.kind.rawValue, "violation", from: record.time, to: record.time,
          ["subject": row.violation.subject, "seen": row.violation.seen, "replay": row.replay]),
        on: track(record.worker))
    }
  }

  private func track(_ name: String) -> TraceDocument.Track { TraceDocument.Track(process: title, name: name) }

  private mutating func add(
    _ record: HistoryRecord, since invocation: HistoryRecord?, to document: inout TraceDocument
  ) {
    // A stall is recorded when it is over.
    let stalled = record.f == "stall" ? UInt64(clamping: record.value.value) : 0
    let begin = invocation?.time ?? record.time - min(stalled, record.time)
    var arguments = ["type": record.type, "step": String(record.index)]
    if let context = record.context { arguments["context"] = context }
    let name = record.f == "drained" ? "merged" : "\(record.f) \(record.value.text)"
    let span = TraceDocument.Span(name, category(record), from: begin, to: record.time, arguments)
    let number = document.add(span, on: track(record.worker))
    if let context = record.context { document.add(span, on: track("queue \(context)")) }
    if record.type == "ok", Self.saving.contains(record.f) { saves.append((number, record.time, record.process)) }
    if record.f == "drained", record.process == 0 {
      // Main has taken over what was acknowledged before.
      for save in saves where save.end <= begin && save.process != record.process {
        document.addFlow("save to merge", from: save.span, to: number)
      }
      saves.removeAll { $0.end <= begin }
    }
  }

  private func category(_ record: HistoryRecord) -> String {
    switch record.f {
    case "drained": "merge"
    case "stall": "stall"
    case "will-save", "did-save", "notified", "save": "save"
    case _ where Self.saving.contains(record.f): "save"
    default: "read"
    }
  }
}
