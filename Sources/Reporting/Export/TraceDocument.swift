import Foundation

/// A document of trace events, which Perfetto and Chrome's tracing page read: processes with tracks, spans on them that may
/// lie in each other, and flows that lead from one span to another.
///
/// - SeeAlso: Google, "Trace Event Format".
package struct TraceDocument: Sendable {
  /// A line of the picture.
  package struct Track: Sendable, Hashable {
    package var process: String
    package var name: String

    package init(process: String, name: String) {
      self.process = process
      self.name = name
    }
  }

  /// Something that lasted; times are nanoseconds.
  package struct Span: Sendable, Hashable {
    package var name: String
    package var category: String
    package var begin: UInt64
    package var end: UInt64
    package var arguments: [String: String]

    package init(
      _ name: String, _ category: String, from begin: UInt64, to end: UInt64, _ arguments: [String: String] = [:]
    ) {
      self.name = name
      self.category = category
      self.begin = begin
      self.end = max(begin, end)
      self.arguments = arguments
    }
  }

  /// Names a span of the document.
  package typealias SpanNumber = Int

  private var tracks: [Track] = []
  private var spans: [(track: Track, span: Span)] = []
  private var flows: [(from: SpanNumber, to: SpanNumber, name: String)] = []

  package init() {}

  /// Adds a track, if it is not there: they are shown in the order in which they were added.
  package mutating func add(_ track: Track) {
    if !tracks.contains(track) { tracks.append(track) }
  }

  /// Adds a span; one that takes no time is a moment.
  @discardableResult
  package mutating func add(_ span: Span, on track: Track) -> SpanNumber {
    add(track)
    spans.append((track, span))
    return spans.count - 1
  }

  /// Leads from one span to another that does not begin earlier.
  package mutating func addFlow(_ name: String, from: SpanNumber, to: SpanNumber) {
    precondition(spans[from].span.begin <= spans[to].span.begin, "what a flow leads to does not begin earlier")
    flows.append((from, to, name))
  }

  /// The span of this number.
  package subscript(number: SpanNumber) -> Span { spans[number].span }

  // MARK: Rows

  /// A row of the picture: spans of one track that only lie beside or in each other, as the format wants it.
  package struct Row: Sendable, Hashable {
    package var track: Track
    /// The track's name, with a number from its second row on.
    package var name: String
    /// By where they begin, an outer span before those in it.
    package var spans: [SpanNumber]
  }

  /// The rows, track by track; a track has one at least.
  package var rows: [Row] {
    let byTrack = Dictionary(grouping: spans.indices) { spans[$0].track }
    let rows = tracks.flatMap { track in
      lanes(byTrack[track] ?? []).enumerated().map { number, lane in
        Row(track: track, name: number == 0 ? track.name : "\(track.name) (\(number + 1))", spans: lane)
      }
    }
    precondition(rows.reduce(0) { $0 + $1.spans.count } == spans.count, "every span is in one row")
    return rows
  }

  // MARK: Events

  /// The document as JSON.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Texts and finite numbers can always be encoded.
    guard let data = try? encoder.encode(["displayTimeUnit": "ns", "traceEvents": .array(events)] as JSONValue) else {
      preconditionFailure("a trace has nothing that JSON has not")
    }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Where a span is shown.
  private struct Place {
    var process: Int
    var thread: Int
  }

  private var events: [JSONValue] {
    var processes: [String: Int] = [:]
    var events: [JSONValue] = []
    var places: [SpanNumber: Place] = [:]
    for (index, row) in rows.enumerated() {
      let title = row.track.process
      let process = processes[title] ?? processes.count + 1
      if processes.updateValue(process, forKey: title) == nil {
        events.append(Self.metadata("process_name", Place(process: process, thread: 0), ["name": .text(title)]))
      }
      let place = Place(process: process, thread: index + 1)
      events.append(Self.metadata("thread_name", place, ["name": .text(row.name)]))
      events.append(Self.metadata("thread_sort_index", place, ["sort_index": .integer(place.thread)]))
      for span in row.spans { places[span] = place }
      events += row.spans.map { Self.event(spans[$0].span, place) }
    }
    for (number, flow) in flows.enumerated() {
      for (span, phase) in [(flow.from, "s"), (flow.to, "f")] {
        guard let place = places[span] else { preconditionFailure("every span is on a track") }
        events.append(Self.flow(flow.name, phase, number + 1, spans[span].span.begin, place))
      }
    }
    return events
  }

  /// Spans of one track as rows.
  private func lanes(_ numbers: [SpanNumber]) -> [[SpanNumber]] {
    let sorted = numbers.sorted {
      let (a, b) = (spans[$0].span, spans[$1].span)
      return (a.begin, b.end, $0) < (b.begin, a.end, $1)
    }
    var lanes: [[SpanNumber]] = [[]]
    // By lane: the ends of the spans that are open there, the innermost last.
    var open: [[UInt64]] = [[]]
    for number in sorted {
      let span = spans[number].span
      var lane = 0
      while true {
        if lane == lanes.count {
          lanes.append([])
          open.append([])
        }
        while let end = open[lane].last, end <= span.begin { open[lane].removeLast() }
        if open[lane].last.map({ span.end <= $0 }) ?? true { break }
        lane += 1
      }
      lanes[lane].append(number)
      if span.end > span.begin { open[lane].append(span.end) }
    }
    precondition(open.count == lanes.count, "each lane has the ends of its open spans")
    return lanes
  }

  private static func microseconds(_ nanoseconds: UInt64) -> JSONValue { .number(Double(nanoseconds) / 1_000) }

  private static func metadata(_ name: String, _ place: Place, _ arguments: [String: JSONValue]) -> JSONValue {
    [
      "name": .text(name), "ph": "M", "pid": .integer(place.process), "tid": .integer(place.thread),
      "args": .object(arguments),
    ]
  }

  private static func event(_ span: Span, _ place: Place) -> JSONValue {
    var event: [String: JSONValue] = [
      "name": .text(span.name), "cat": .text(span.category), "pid": .integer(place.process),
      "tid": .integer(place.thread), "ts": microseconds(span.begin),
      "args": .object(span.arguments.mapValues { .text($0) }),
    ]
    if span.end > span.begin {
      event["ph"] = "X"
      event["dur"] = microseconds(span.end - span.begin)
    } else {
      event["ph"] = "i"
      event["s"] = "t"
    }
    return .object(event)
  }

  private static func flow(_ name: String, _ phase: String, _ number: Int, _ time: UInt64, _ place: Place) -> JSONValue
  {
    precondition(phase == "s" || phase == "f", "a flow starts, or it finishes")
    var event: [String: JSONValue] = [
      "name": .text(name), "cat": "flow", "ph": .text(phase), "id": .integer(number), "pid": .integer(place.process),
      "tid": .integer(place.thread), "ts": microseconds(time),
    ]
    // To the span that is there, not to the next one.
    if phase == "f" { event["bp"] = "e" }
    return .object(event)
  }
}
