import Boundary
import Scheduling

extension ScriptPolicy.Segment {
  /// The segment as a policy follows it.
  package init(_ segment: ScheduleSegment) {
    switch segment.end {
    case .waits: self.init(task: segment.task, stop: nil)
    case .before(let point, let subject, let nth):
      self.init(task: segment.task, stop: ScriptPolicy.Stop(point: point, subject: subject, nth: nth))
    }
  }
}

extension ScheduleSegment {
  /// The segment as files have it.
  package init(_ segment: ScriptPolicy.Segment) {
    self.init(
      task: segment.task,
      end: segment.stop.map { .before(point: $0.point, subject: $0.subject, nth: $0.nth) } ?? .waits)
  }
}

extension NotedOrder {
  /// What was noted of this process.
  init(_ noted: LiveOrder.Noted) {
    self.init(segments: noted.segments.map(ScheduleSegment.init), isCut: noted.isCut)
  }
}
