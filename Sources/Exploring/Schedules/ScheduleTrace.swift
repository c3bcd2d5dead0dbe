import Boundary
import Foundation
import Reporting
import Runs

/// An interleaving as a trace: a track for each task and each queue; spans for steps, waits, reads of the store, saves and
/// blocks, and flows from each save to the moment from which main shows it.
package struct ScheduleTrace {
  private let title: String
  private let steps: [ScheduleStep]
  private var document: TraceDocument
  private var saves: [(span: TraceDocument.SpanNumber, end: UInt64)] = []

  /// Adds the steps of a schedule to a document.
  ///
  /// - Parameter title: names the process.
  package static func add(_ steps: [ScheduleStep], title: String, to document: inout TraceDocument) {
    var trace = ScheduleTrace(title: title, steps: steps, document: document)
    trace.run()
    document = trace.document
  }

  private init(title: String, steps: [ScheduleStep], document: TraceDocument) {
    precondition(
      zip(steps, steps.dropFirst()).allSatisfy { $0.nanoseconds <= $1.nanoseconds },
      "steps are in the order of their times")
    self.title = title
    self.steps = steps
    self.document = document
  }

  private func track(_ name: String) -> TraceDocument.Track { TraceDocument.Track(process: title, name: name) }

  /// One task runs at a time: a step lasts until the next one of any.
  private func end(_ place: Int) -> UInt64 {
    precondition(
      place + 1 == steps.count || steps[place].nanoseconds <= steps[place + 1].nanoseconds,
      "steps are in the order of time")
    return place + 1 < steps.count ? steps[place + 1].nanoseconds : steps[place].nanoseconds + Self.lastNanoseconds
  }

  private static let lastNanoseconds: UInt64 = 1_000

  private mutating func run() {
    for step in steps { document.add(track(step.task)) }
    let byTask = Dictionary(grouping: steps.indices) { steps[$0].task }
    for (_, places) in byTask.sorted(by: { $0.value[0] < $1.value[0] }) { addSpans(of: places) }
    for (place, step) in steps.enumerated() { add(step, place) }
    addFlows()
  }

  private mutating func add(_ step: ScheduleStep, _ place: Int) {
    document.add(
      TraceDocument.Span(
        step.point, "step", from: step.nanoseconds, to: end(place),
        ["subject": step.subject, "preemption": step.isPreemption ? "yes" : "no"]), on: track(step.task))
    for operation in step.operations {
      document.add(
        TraceDocument.Span(operation, "history", from: step.nanoseconds, to: step.nanoseconds), on: track(step.task))
    }
  }

  /// Points that begin a span of several steps of one task, with the points that may lie in it; the last one ends it.
  private static let spans: [(begin: String, category: String, inside: Set<String>, end: String)] = [
    ("wait.begin", "wait", [], "wait.over"),
    ("store.beforeRead", "fault", ["store.snapshotHeld"], "store.afterRead"),
    (
      "save.beforeWrite", "save", ["enter", "save.beforeCommit", "store.committed", "wait.begin", "wait.over"],
      "save.afterCommit"
    ),
  ]

  /// Steps that begin a block of a queue; it lasts to the next one of the same task.
  private static let blocks: Set<String> = ["main-block", "block", "thread-block", "job", "start"]

  /// Adds the spans of one task that have several steps.
  private mutating func addSpans(of places: [Int]) {
    for (index, place) in places.enumerated() {
      let step = steps[place]
      if Self.blocks.contains(step.point) {
        let rest = places[(index + 1)...]
        let last = rest.prefix { !Self.blocks.contains(steps[$0].point) }.last ?? place
        let queue = step.point == "main-block" ? "main queue" : "queue \(step.subject)"
        document.add(
          TraceDocument.Span("block", "block", from: step.nanoseconds, to: end(last), ["task": step.task]),
          on: track(queue))
      }
      for span in Self.spans where span.begin == step.point {
        let rest = places[(index + 1)...]
        let inside = rest.prefix { span.inside.contains(steps[$0].point) }
        let isEnded = rest.dropFirst(inside.count).first.map { steps[$0].point == span.end } ?? false
        let last = isEnded ? rest[rest.startIndex + inside.count] : inside.last ?? place
        let number = document.add(
          TraceDocument.Span(
            "\(span.category) \(step.subject)", span.category, from: step.nanoseconds, to: end(last),
            ["ended": isEnded ? "yes" : "no"]), on: track(step.task))
        if span.category == "save", isEnded { saves.append((number, steps[last].nanoseconds)) }
      }
    }
  }

  /// Adds an arrow from each save to the first step after which main has merged it, by main's history.
  private mutating func addFlows() {
    let drained = steps.enumerated().filter { _, step in
      step.task == "main" && step.operations.contains { $0.hasSuffix(" drained") && !$0.hasPrefix("invoke") }
    }
    for save in saves {
      guard let merge = drained.first(where: { $0.element.nanoseconds > save.end }) else { continue }
      let number = document.add(
        TraceDocument.Span(
          "merged", "merge", from: merge.element.nanoseconds, to: end(merge.offset)), on: track("main"))
      document.addFlow("save to merge", from: save.span, to: number)
    }
  }
}
