/// Follows the notes of ``LiveOrder``: of the tasks that can run, the one with the part that came first live.
///
/// A task that waits here and did not wait live lets the others continue, and takes its part when it can. Tasks without a note
/// run at once. The simulation has to name its steps.
package struct LiveOrderPolicy: FollowingPolicy {
  /// One part of a task, by its place in the whole order.
  private struct Part {
    let number: Int
    let stop: ScheduleSegment.Stop?
  }

  private struct Place: Hashable {
    let task: String
    let point: String
    let subject: String
  }

  /// Number of stops that may be missed in a row: a task that is beyond a later one is beyond them all.
  private static let missedMax = 4

  package let name = "live"
  private let parts: [String: [Part]]
  /// The part that each task is in; none of those that have not begun.
  private var positions: [String: Int] = [:]
  private var counts: [Place: Int] = [:]

  package init(_ segments: [ScheduleSegment]) {
    var parts: [String: [Part]] = [:]
    for (number, segment) in segments.enumerated() {
      parts[segment.task, default: []].append(Part(number: number, stop: segment.stop))
    }
    self.parts = parts
  }

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int {
    let numbers = ready.map { number(of: $0) }
    guard let first = numbers.min() else { preconditionFailure("a policy chooses among tasks") }
    let chosen = current.flatMap { numbers[$0] == first ? $0 : nil } ?? numbers.firstIndex(of: first) ?? 0
    let choice = ready[chosen]
    counts[Place(task: choice.key, point: choice.step.point, subject: choice.step.subject), default: 0] += 1
    return chosen
  }

  /// The number of the part that the task is in with its next step; before all others where nothing was noted of it.
  private mutating func number(of choice: Choice) -> Int {
    guard let parts = parts[choice.key] else { return -1 }
    var position = positions[choice.key] ?? 0
    while let ended = (position..<min(position + Self.missedMax, parts.count - 1)).last(where: { index in
      parts[index].stop.map { isOver($0, choice) } ?? false
    }) {
      position = ended + 1
    }
    positions[choice.key] = position
    return parts[position].number
  }

  private func isOver(_ stop: ScheduleSegment.Stop, _ choice: Choice) -> Bool {
    let count = counts[Place(task: choice.key, point: stop.point, subject: stop.subject), default: 0]
    let isAtIt = choice.step.point == stop.point && choice.step.subject == stop.subject
    return count + (isAtIt ? 1 : 0) >= stop.nth
  }

  /// The first part that was not begun.
  package var divergence: (segment: Int, reason: String)? {
    parts.compactMap { task, parts -> (segment: Int, reason: String)? in
      guard let position = positions[task] else { return (parts[0].number, "there is no \(task)") }
      guard position + 1 < parts.count, let stop = parts[position].stop else { return nil }
      return (parts[position + 1].number, "\(task) did not come to \(stop.point) \(stop.nth) \(stop.subject)")
    }.min { $0.segment < $1.segment }
  }
}
