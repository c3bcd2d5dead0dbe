import Checking

/// The events in a cell around its violations: the spans of its trace that a page shows.
package struct Timeline: Sendable, Hashable {
  /// A span on the page.
  struct Bar: Sendable, Hashable {
    let span: TraceDocument.Span
    /// Where it begins and ends, of the time that is shown: 0 to 1.
    let place: ClosedRange<Double>
    /// Whether it lies in another span of its row.
    let isInside: Bool
    /// Whether it is a violation, at its step.
    var isViolation: Bool { span.category == HistoryTrace.violation }
  }

  /// Spans beside or in each other.
  struct Row: Sendable, Hashable {
    let name: String
    let bars: [Bar]
  }

  /// Records that are shown before and behind the violation; all of a history that has no more.
  static let shownBefore = 1_200
  static let shownAfter = 400
  /// Records on both sides of these that are read for the other ends of their spans.
  static let readAround = 3_000

  /// The cell.
  let key: CellKey
  /// The violation beside which the page has it.
  let home: ViolationRow
  let rows: [Row]
  /// The time that is shown, in nanoseconds since the first record.
  let time: ClosedRange<UInt64>
  /// Records that are shown, and those that the history has.
  let shown: Int
  let recorded: Int
  /// Violations with a step outside, and those that have none.
  let outside: Int
  let withoutStep: Int

  /// How much of a page it takes.
  var barCount: Int { rows.reduce(0) { $0 + $1.bars.count } }

  /// The timeline of the cell of these rows; nil where its history was not kept, or is empty.
  ///
  /// - Parameter violations: All those of the cell, the most important one first.
  /// - Throws: `ReportingError` for a damaged history.
  init?(beside home: ViolationRow, _ violations: [ViolationRow], in folder: String) throws(ReportingError) {
    precondition(violations.allSatisfy { $0.key == home.key }, "a timeline is that of one cell")
    guard let history = KeptHistory(of: home.key, in: folder), !history.lines.isEmpty else { return nil }
    let places = violations.map { row in row.violation.firstStep.map { history.line(ofStep: $0) ?? 0 } }
    // Without a step, as for a deadlock, the last record is in the middle.
    let focus = places.lazy.compactMap(\.self).first ?? history.lines.count - 1
    let lines = Self.window(around: focus, of: history.lines.count)
    let around =
      max(0, lines.lowerBound - Self.readAround)..<min(history.lines.count, lines.upperBound + Self.readAround)
    precondition(around.clamped(to: lines) == lines, "what is shown is among what is read")
    let records = try history.records(around)
    let times = records[lines.lowerBound - around.lowerBound..<lines.upperBound - around.lowerBound].map(\.time)
    let time = (times.min() ?? 0)...(times.max() ?? 0)

    var document = TraceDocument()
    var trace = HistoryTrace(title: "")
    let inside = zip(violations, places).filter { $0.1.map(lines.contains) ?? false }.map(\.0)
    trace.add(records, inside, isCut: around.upperBound < history.lines.count, to: &document)

    key = home.key
    self.home = home
    self.time = time
    rows = document.rows.compactMap { row in
      let bars = Self.bars(row.spans.map { document[$0] }, in: time)
      return bars.isEmpty ? nil : Row(name: row.name, bars: bars)
    }
    shown = lines.count
    recorded = history.lines.count
    withoutStep = places.count { $0 == nil }
    outside = violations.count - inside.count - withoutStep
    precondition(outside >= 0 && shown <= recorded, "what is shown is a part of the history")
  }

  /// The records around one, as many as may be shown.
  static func window(around line: Int, of count: Int) -> Range<Int> {
    precondition((0..<count).contains(line), "what is looked at is a record of the history")
    let most = shownBefore + shownAfter
    let begin = max(0, min(line - shownBefore, count - most))
    return begin..<min(count, begin + most)
  }

  private static func bars(_ spans: [TraceDocument.Span], in time: ClosedRange<UInt64>) -> [Bar] {
    let length = Double(max(1, time.upperBound - time.lowerBound))
    func share(_ moment: UInt64) -> Double {
      Double(min(max(moment, time.lowerBound), time.upperBound) - time.lowerBound) / length
    }
    var bars: [Bar] = []
    var (begin, end): (UInt64, UInt64) = (0, 0)
    for span in spans {
      precondition(span.begin >= begin, "the spans of a row come by where they begin")
      begin = span.begin
      let isInside = span.begin < end && span.category != HistoryTrace.violation
      end = max(end, span.end)
      guard span.end >= time.lowerBound, span.begin <= time.upperBound else { continue }
      bars.append(Bar(span: span, place: share(span.begin)...share(span.end), isInside: isInside))
    }
    return bars
  }
}

/// The timelines of a run's violations.
package struct Timelines: Sendable, Hashable {
  /// Bars that a page has room for.
  static let barsMax = 8_000

  /// One per cell, in the page's order.
  package var shown: [Timeline] = []
  /// Cells for which there was no room.
  package var omitted = 0

  package init() {}

  /// Reads the histories of a run: for each kind of violation that a strategy showed, that of the first cell which has one.
  ///
  /// - Throws: `ReportingError` for a damaged history.
  package init(of results: Results) throws(ReportingError) {
    var room = Self.barsMax
    let cells = results.cells.map(\.key)
    for group in HTMLReport.groups(results.violations, of: cells) {
      // A cell that is shown for another kind shows this one too.
      if group.rows.contains(where: { row in shown.contains { $0.key == row.key } }) { continue }
      for home in group.rows {
        let own = results.violations.filter { $0.key == home.key }
        let cell = HTMLReport.groups(own, of: cells).flatMap(\.rows)
        guard let timeline = try Timeline(beside: home, cell, in: results.path) else { continue }
        if timeline.barCount <= room {
          shown.append(timeline)
          room -= timeline.barCount
        } else {
          omitted += 1
        }
        break
      }
    }
    precondition(Set(shown.map(\.key)).count == shown.count && room >= 0, "a cell has one timeline, and there is room")
  }
}
