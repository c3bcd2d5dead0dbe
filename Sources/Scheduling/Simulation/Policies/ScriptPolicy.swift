/// Follows segments: one task runs until it waits, is over, or is about to do a named step; then the next one's.
///
/// After the last segment, and where one does not fit, the task that ran continues as long as it can, and then the one that was
/// made first. The simulation has to name its steps.
package struct ScriptPolicy: FollowingPolicy {
  private struct Place: Hashable {
    let task: String
    let point: String
    let subject: String
  }

  package let name = "script"
  private let segments: [ScheduleSegment]
  private var position = 0
  /// Whether the task of the segment has done a step in it.
  private var hasBegun = false
  private var counts: [Place: Int] = [:]
  /// The first segment that did not fit, from 0, and why; nil while all do.
  package private(set) var divergence: (segment: Int, reason: String)?

  package init(_ segments: [ScheduleSegment]) { self.segments = segments }

  /// Whether every segment was begun.
  package var isThrough: Bool { position >= segments.count || position == segments.count - 1 && hasBegun }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let chosen = next(ready) ?? current ?? 0
    let choice = ready[chosen]
    counts[Place(task: choice.key, point: choice.step.point, subject: choice.step.subject), default: 0] += 1
    return chosen
  }

  /// The place of the segment's task; nil after the last segment.
  private mutating func next(_ ready: [Choice]) -> Int? {
    while position < segments.count {
      let segment = segments[position]
      if let place = ready.firstIndex(where: { $0.key == segment.task }) {
        if let stop = segment.stop, isAt(stop, ready[place]) {
          if !hasBegun { diverge("\(segment.task) is there already: before \(stop.point)") }
        } else if let stop = segment.stop, isBeyond(stop) {
          diverge("\(segment.task) is beyond \(stop.point) \(stop.nth) \(stop.subject)")
        } else {
          hasBegun = true
          return place
        }
      } else if !hasBegun {
        diverge("\(segment.task) cannot run here")
      } else if let stop = segment.stop {
        diverge("\(segment.task) waits or is over, and was to stop before \(stop.point) \(stop.nth) \(stop.subject)")
      }
      position += 1
      hasBegun = false
    }
    return nil
  }

  private func isAt(_ stop: ScheduleSegment.Stop, _ choice: Choice) -> Bool {
    guard choice.step.point == stop.point, choice.step.subject == stop.subject else { return false }
    return count(stop, of: choice.key) + 1 == stop.nth
  }

  /// Whether the segment's task has done the step that it was to stop at.
  private func isBeyond(_ stop: ScheduleSegment.Stop) -> Bool { count(stop, of: segments[position].task) >= stop.nth }

  private func count(_ stop: ScheduleSegment.Stop, of task: String) -> Int {
    counts[Place(task: task, point: stop.point, subject: stop.subject), default: 0]
  }

  private mutating func diverge(_ reason: String) {
    if divergence == nil { divergence = (position, reason) }
  }
}
