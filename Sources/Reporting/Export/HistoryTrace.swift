/// The records of one history as parts of a trace.
struct HistoryTrace {
  /// Category of a violation's moment.
  static let violation = "violation"
  /// Category of a time in which main was late for a tick.
  static let stall = "stall"
  /// Category of operations that were begun and never completed.
  static let unfinished = "no completion"

  /// The name of its tracks' process.
  let title: String
  private var open: [Identity: HistoryRecord] = [:]
  /// Saves that are not yet known to have been merged: the span, and the process that saved.
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

  /// Functions with an `ok` that means that something was saved or pushed.
  private static let saving: Set<String> = ["insert", "update", "delete", "push", "txn", "transfer", "edit"]

  /// Adds the spans of these records, and the violations at their steps.
  ///
  /// - Parameter isCut: Whether the history continues behind them, so that a completion may only be missing here.
  mutating func add(
    _ records: [HistoryRecord], _ violations: [ViolationRow], isCut: Bool = false, to document: inout TraceDocument
  ) {
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
        TraceDocument.Span(
          "\(record.f) \(record.value.text)", isCut ? category(record) : Self.unfinished, from: record.time, to: end,
          ["type": isCut ? "completed later" : Self.unfinished, "step": String(record.index)]),
        on: track(record.worker))
    }
    for row in violations {
      guard let step = row.violation.firstStep, let record = records.last(where: { $0.index <= step }) else { continue }
      document.add(
        TraceDocument.Span(
          row.violation.kind.rawValue, Self.violation, from: record.time, to: record.time,
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
      // Main has merged the saves that were acknowledged before.
      for save in saves where save.end <= begin && save.process != record.process {
        document.addFlow("save to merge", from: save.span, to: number)
      }
      saves.removeAll { $0.end <= begin }
    }
  }

  private func category(_ record: HistoryRecord) -> String {
    switch record.f {
    case "drained": "merge"
    case "stall": Self.stall
    case "will-save", "did-save", "notified", "save": "save"
    case _ where Self.saving.contains(record.f): "save"
    default: "read"
    }
  }
}
