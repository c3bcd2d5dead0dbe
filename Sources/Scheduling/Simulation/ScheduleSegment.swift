/// A part of a schedule in which one task runs, until it waits, is over, or is about to do a named step.
package struct ScheduleSegment: Codable, Sendable, Hashable {
  /// A step that a task is about to do.
  package struct Stop: Codable, Sendable, Hashable {
    package let point: String
    package let subject: String
    /// The visit of that place, from 1.
    package let nth: Int

    package init(point: String, subject: String, nth: Int) {
      precondition(nth > 0, "visits of a point count from 1")
      self.point = point
      self.subject = subject
      self.nth = nth
    }
  }

  /// The task's name in schedules.
  package var task: String
  /// The step before which others go first; nil where the task runs until it waits or is over.
  package var stop: Stop?

  /// Makes a segment.
  package init(task: String, stop: Stop?) {
    self.task = task
    self.stop = stop
  }

  /// The segment as a line of a schedule: `client 1 | before save.beforeCommit 1 writer 1`.
  package var text: String {
    guard let stop else { return task + Self.waiting }
    return "\(task) | before \(stop.point) \(stop.nth)" + (stop.subject.isEmpty ? "" : " \(stop.subject)")
  }

  /// Reads a line of a schedule; nil when it is none.
  package init?(line: String) {
    if line.hasSuffix(Self.waiting) {
      self.init(task: String(line.dropLast(Self.waiting.count)), stop: nil)
    } else if let before = line.firstRange(of: " | before ") {
      let words = line[before.upperBound...].split(separator: " ", maxSplits: 2)
      guard words.count >= 2, let nth = Int(words[1]), nth > 0 else { return nil }
      let subject = words.count > 2 ? String(words[2]) : ""
      self.init(
        task: String(line[..<before.lowerBound]), stop: Stop(point: String(words[0]), subject: subject, nth: nth))
    } else {
      return nil
    }
    guard !task.isEmpty else { return nil }
  }

  private static let waiting = " | waits"
}

extension ScheduleSegment {
  /// The segments that repeat a trace.
  package static func segments(of trace: [SimulationOutcome.Entry]) -> [ScheduleSegment] {
    var result: [ScheduleSegment] = []
    var counts: [[String]: Int] = [:]
    for (index, entry) in trace.enumerated() {
      if index > 0, trace[index - 1].task != entry.task {
        let last = trace[index - 1]
        result.append(
          ScheduleSegment(
            task: last.key,
            stop: entry.preempted.map { step in
              let count = counts[[last.key, step.point, step.subject], default: 0]
              return ScheduleSegment.Stop(point: step.point, subject: step.subject, nth: count + 1)
            }))
      }
      counts[[entry.key, entry.step.point, entry.step.subject], default: 0] += 1
    }
    if let last = trace.last { result.append(ScheduleSegment(task: last.key, stop: nil)) }
    return result
  }

  /// Scripts that lack a part of this one: large parts first, then single segments, then single preemptions.
  package static func lessThan(_ segments: [ScheduleSegment]) -> [[ScheduleSegment]] {
    var candidates: [[ScheduleSegment]] = []
    var size = segments.count / 2
    while size >= 1 {
      for start in stride(from: 0, to: segments.count, by: size) {
        var rest = segments
        rest.removeSubrange(start..<min(start + size, segments.count))
        candidates.append(rest)
      }
      size /= 2
    }
    for (number, segment) in segments.enumerated() where segment.stop != nil {
      var rest = segments
      rest[number].stop = nil
      candidates.append(rest)
    }
    return candidates
  }
}
