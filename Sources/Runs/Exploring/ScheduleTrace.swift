import Boundary
import Foundation
import Reporting

/// An interleaving in the form of Chrome's trace events, which Perfetto reads: a track for each task, a span for each step.
///
/// - SeeAlso: Google, "Trace Event Format".
package enum ScheduleTrace {
  private struct Document: Encodable {
    var displayTimeUnit = "ns"
    var traceEvents: [Event]
  }

  private struct Event: Encodable {
    var name: String
    var cat: String?
    /// `M` metadata, `X` a span, `i` an instant.
    var ph: String
    var pid = 1
    var tid: Int
    /// Microseconds.
    var ts: Double?
    var dur: Double?
    /// An instant concerns its track.
    var s: String?
    var args: [String: String]?
  }

  /// The document of a schedule's steps.
  ///
  /// - Parameter title: names the process.
  package static func json(_ steps: [ScheduleStep], title: String) throws -> Data {
    var tracks: [String: Int] = [:]
    var events = [Event(name: "process_name", ph: "M", tid: 0, args: ["name": title])]
    for step in steps where tracks[step.task] == nil {
      tracks[step.task] = tracks.count + 1
      events.append(Event(name: "thread_name", ph: "M", tid: tracks.count, args: ["name": step.task]))
    }
    for (number, step) in steps.enumerated() {
      let track = tracks[step.task] ?? 0
      let begin = Double(step.nanoseconds) / 1_000
      // One task runs at a time: a step lasts until the next one of any.
      let end = number + 1 < steps.count ? Double(steps[number + 1].nanoseconds) / 1_000 : begin + 1
      events.append(
        Event(
          name: step.point, cat: "step", ph: "X", tid: track, ts: begin, dur: end - begin,
          args: ["subject": step.subject, "preemption": step.isPreemption ? "yes" : "no"]))
      for operation in step.operations {
        events.append(Event(name: operation, cat: "history", ph: "i", tid: track, ts: begin, s: "t"))
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(Document(traceEvents: events))
  }
}
