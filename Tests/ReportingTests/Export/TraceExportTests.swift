import Foundation
import Testing

@testable import Checking
@testable import Reporting

/// Trace events, compared with the form that Google's "Trace Event Format" describes.
@Suite struct TraceExportTests {
  /// The format's rules for the phases that are used: the keys of each, and their types.
  private static let schema = """
    {"type": "object", "required": ["traceEvents"], "additionalProperties": false,
     "properties": {
       "displayTimeUnit": {"enum": ["ms", "ns"]},
       "traceEvents": {"type": "array", "minItems": 1, "items": {
         "type": "object", "required": ["name", "ph", "pid", "tid"], "additionalProperties": false,
         "properties": {
           "name": {"type": "string"}, "cat": {"type": "string"},
           "ph": {"enum": ["X", "i", "M", "s", "f"]},
           "pid": {"type": "integer", "minimum": 1}, "tid": {"type": "integer", "minimum": 0},
           "ts": {"type": "number", "minimum": 0}, "dur": {"type": "number", "minimum": 0},
           "s": {"enum": ["g", "p", "t"]}, "bp": {"enum": ["e"]}, "id": {"type": "integer"},
           "args": {"type": "object"}}}}}}
    """

  struct Document: Decodable {
    var traceEvents: [Event]
  }

  struct Event: Decodable {
    var name: String
    var ph: String
    var pid: Int
    var tid: Int
    var ts: Double?
    var dur: Double?
    var s: String?
    var id: Int?
    var args: Arguments?
  }

  struct Arguments: Decodable {
    var name: String?
    var type: String?
    var seen: String?
  }

  /// The events of a document that is in form.
  private func events(_ text: String) throws -> [Event] {
    #expect(try JSONSchema(Self.schema).problems(text) == [])
    let events = try JSONDecoder().decode(Document.self, from: Data(text.utf8)).traceEvents
    for event in events {
      switch event.ph {
      case "X": #expect(event.ts != nil && event.dur != nil, "\(event)")
      case "i": #expect(event.ts != nil && event.s != nil, "\(event)")
      case "s", "f":
        #expect(event.id != nil, "\(event)")
        let isBound = events.contains {
          $0.ph == "X" && $0.tid == event.tid && $0.ts ?? .infinity <= event.ts ?? 0
            && event.ts ?? .infinity <= ($0.ts ?? 0) + ($0.dur ?? 0)
        }
        #expect(isBound, "a flow begins and ends in a span: \(event)")
      default: #expect(["process_name", "thread_name", "thread_sort_index"].contains(event.name), "\(event)")
      }
    }
    // Spans of a track lie in each other or apart.
    for track in Dictionary(grouping: events.filter { $0.ph == "X" }, by: \.tid).values {
      for (number, first) in track.enumerated() {
        for second in track[(number + 1)...] {
          let (a, b) = (
            (first.ts ?? 0, (first.ts ?? 0) + (first.dur ?? 0)), (second.ts ?? 0, (second.ts ?? 0) + (second.dur ?? 0))
          )
          #expect(
            a.1 <= b.0 || b.1 <= a.0 || (a.0 <= b.0 && b.1 <= a.1) || (b.0 <= a.0 && a.1 <= b.1), "\(first) \(second)")
        }
      }
    }
    return events
  }

  private func tracks(_ events: [Event]) -> [Int: String] {
    Dictionary(
      events.filter { $0.name == "thread_name" }.map { ($0.tid, $0.args?.name ?? "") }, uniquingKeysWith: { $1 })
  }

  @Test func spansThatOverlapComeToRowsOfTheirOwn() throws {
    var document = TraceDocument()
    let track = TraceDocument.Track(process: "cell", name: "main")
    let outer = document.add(TraceDocument.Span("outer", "a", from: 0, to: 100), on: track)
    document.add(TraceDocument.Span("inner", "a", from: 10, to: 20), on: track)
    let across = document.add(TraceDocument.Span("across", "a", from: 50, to: 150), on: track)
    document.add(TraceDocument.Span("moment", "a", from: 60, to: 60), on: track)
    document.addFlow("on", from: outer, to: across)
    let events = try events(document.json)
    let tracks = tracks(events)
    let places = Dictionary(
      events.filter { ["X", "i"].contains($0.ph) }.map { ($0.name, tracks[$0.tid]) }, uniquingKeysWith: { $1 })
    #expect(places == ["outer": "main", "inner": "main", "across": "main (2)", "moment": "main"])
    #expect(events.filter { $0.ph == "s" }.map(\.ts) == [0])
    #expect(events.filter { $0.ph == "f" }.map(\.ts) == [0.05])
  }

  @Test func aKeptHistoryHasTracksForWorkersAndQueuesAndFlowsFromSavesToMerges() throws {
    let folder = try TemporaryFolder()
    func line(_ step: Int, _ time: Int, _ type: String, _ process: Int, _ function: String, context: String? = nil)
      -> String
    {
      let context = context.map { ",\"context\":\"\($0)\"" } ?? ""
      return "{\"index\":\(step),\"time\":\(time),\"type\":\"\(type)\",\"process\":\(process),\"f\":\"\(function)\","
        + "\"value\":{\"entity\":\"Note\",\"key\":7,\"count\":1,\"value\":0}\(context)}\n"
    }
    try folder.write(
      line(0, 1_000, "invoke", 1, "update") + line(1, 2_000, "invoke", 2, "read")
        + line(2, 5_000, "ok", 1, "update", context: "writer") + line(3, 6_000, "invoke", 0, "drained")
        + line(4, 8_000, "ok", 0, "drained") + line(5, 9_000, "ok", 2, "read")
        + line(6, 9_500, "invoke", 1, "delete"), to: "histories/2/history.jsonl")
    let events = try events(TraceExport.text(of: ExportSamples.results(folder: folder.path)))
    let tracks = tracks(events)
    #expect(Set(tracks.values) == ["main", "worker 1", "worker 2", "queue writer"])
    let spans = events.filter { $0.ph == "X" }
    #expect(Set(spans.filter { $0.name == "update Note 7" }.map { tracks[$0.tid] }) == ["worker 1", "queue writer"])
    #expect(spans.first { $0.name == "update Note 7" }?.dur == 4)
    // From the save that was acknowledged before, to main's merge of it.
    let flows = events.filter { ["s", "f"].contains($0.ph) }
    #expect(flows.map { tracks[$0.tid] } == ["worker 1", "main"])
    #expect(flows.map(\.ts) == [1, 6])
    #expect(Set(flows.map(\.id)).count == 1)
    // The violation is at its step, 3.
    let violation = try #require(events.first { $0.name == "lost-record" })
    #expect(violation.ts == 6 && tracks[violation.tid] == "main")
    #expect(violation.args?.seen == ExportSamples.hostile)
  }

  private static func record(key: Int64, count: Int64) -> String {
    "{\"index\":0,\"time\":0,\"type\":\"invoke\",\"process\":1,\"f\":\"update\","
      + "\"value\":{\"entity\":\"Note\",\"key\":\(key),\"count\":\(count),\"value\":0}}"
  }

  @Test(arguments: ["{}", record(key: .max, count: 2), record(key: 7, count: -1)])
  func whatIsNoHistoryIsNamedWithItsLine(line: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(line + "\n", to: "histories/2/history.jsonl")
    #expect(throws: ReportingError.self) {
      try TraceExport.text(of: ExportSamples.results(folder: folder.path))
    }
  }

  @Test func aRunWithoutKeptHistoriesIsAnEmptyDocument() throws {
    let text = try TraceExport.text(of: ExportSamples.results(folder: "nowhere"))
    #expect(try JSONDecoder().decode(Document.self, from: Data(text.utf8)).traceEvents.isEmpty)
  }
}
