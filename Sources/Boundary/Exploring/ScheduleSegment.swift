import Foundation

/// A part of a schedule in which one task runs, until it waits, is over, or is about to do a named step.
package struct ScheduleSegment: Codable, Sendable, Hashable {
  /// What the segment ends with.
  package enum End: Codable, Sendable, Hashable {
    /// The task waits, or is over.
    case waits
    /// The task is about to do a step and others go first: for the `nth` time, from 1, at a place of this name and subject.
    case before(point: String, subject: String, nth: Int)
  }

  /// The task's name in schedules.
  package var task: String
  /// What ends it.
  package var end: End

  /// Makes a segment.
  package init(task: String, end: End) {
    if case .before(_, _, let nth) = end { precondition(nth > 0, "visits of a point count from 1") }
    self.task = task
    self.end = end
  }

  /// The segment as a line of a schedule: `client 1 | before save.beforeCommit 1 writer 1`.
  package var text: String {
    switch end {
    case .waits: "\(task) | waits"
    case .before(let point, let subject, let nth):
      "\(task) | before \(point) \(nth)" + (subject.isEmpty ? "" : " \(subject)")
    }
  }

  /// Reads a line of a schedule; nil when it is none.
  package init?(line: String) {
    if line.hasSuffix(Self.waiting) {
      self.init(task: String(line.dropLast(Self.waiting.count)), end: .waits)
    } else if let before = line.range(of: " | before ") {
      let words = line[before.upperBound...].split(separator: " ", maxSplits: 2)
      guard words.count >= 2, let nth = Int(words[1]), nth > 0 else { return nil }
      let subject = words.count > 2 ? String(words[2]) : ""
      self.init(
        task: String(line[..<before.lowerBound]), end: .before(point: String(words[0]), subject: subject, nth: nth))
    } else {
      return nil
    }
    guard !task.isEmpty else { return nil }
  }

  private static let waiting = " | waits"
}

/// How much there is to a schedule: what makes it hard to understand counts first.
package struct ScheduleSize: Codable, Sendable, Hashable, Comparable {
  /// How often a task that could have gone on was not chosen.
  package var preemptions: Int
  package var segments: Int

  /// The size of these segments.
  package init(_ segments: [ScheduleSegment]) {
    preemptions = segments.count { $0.end != .waits }
    self.segments = segments.count
  }

  package static func < (one: Self, other: Self) -> Bool {
    (one.preemptions, one.segments) < (other.preemptions, other.segments)
  }
}
