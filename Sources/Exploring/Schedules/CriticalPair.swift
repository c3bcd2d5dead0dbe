import Boundary
import Runs
import Scheduling

/// Two adjacent steps of a schedule in the deciding order: as they are the violation is there, exchanged it is not.
package struct CriticalPair: Codable, Sendable, Hashable {
  /// The step that comes first where the violation is.
  package var first: ScheduleStep
  /// The one that comes second.
  package var second: ScheduleStep
  /// Their numbers among the schedule's steps.
  package var places: [Int]
}

/// Finds the critical pair of a schedule.
package struct CriticalPairSearch: Sendable {
  /// Preemptions that are tried.
  private static let preemptionsMax = 12

  private let simulations: Simulations

  package init(_ simulations: Simulations) { self.simulations = simulations }

  /// Looks at the last preemptions, from the last one on: between the task's stop and its next step others did theirs. Of these
  /// the last one is found before which the stopped task could have gone on without harm, and of its own steps the first
  /// that has to come before it.
  ///
  /// - Returns: nil where no such exchange takes the violation away.
  package func find(in schedule: Schedule, _ steps: [ScheduleStep]) async throws -> CriticalPair? {
    precondition(steps.first?.isPreemption != true, "before the first step no task ran")
    // The last ones are near to the violation, and each takes two children.
    let preemptions = steps.indices.reversed().filter { steps[$0].isPreemption }
    for place in preemptions.prefix(Self.preemptionsMax) {
      let stopped = steps[place - 1].task
      guard let resumed = steps[place...].firstIndex(where: { $0.task == stopped }) else { continue }
      let end = steps[resumed...].firstIndex { $0.task != stopped } ?? steps.count
      let between = Array(place..<resumed)
      let shown = try await showing(schedule, between.map { Self.moved(steps, resumed..<end, to: $0) })
      guard let target = between.indices.last(where: { !shown.contains($0) }) else { continue }
      let counts = Array(1...(end - resumed))
      let shownByCount = try await showing(
        schedule, counts.map { Self.moved(steps, resumed..<resumed + $0, to: between[target]) })
      guard let count = counts.indices.first(where: { !shownByCount.contains($0) }) else { continue }
      let second = resumed + counts[count] - 1
      precondition(between[target] < second, "the first of the two comes first")
      return CriticalPair(
        first: steps[between[target]], second: steps[second], places: [between[target], second])
    }
    return nil
  }

  private static func moved(_ steps: [ScheduleStep], _ range: Range<Int>, to place: Int) -> [ScheduleStep] {
    precondition(
      0...range.lowerBound ~= place && range.upperBound <= steps.count, "steps are moved to an earlier place")
    let moved = Array(steps[..<place] + steps[range] + steps[place..<range.lowerBound] + steps[range.upperBound...])
    precondition(moved.count == steps.count, "no step is lost")
    return moved
  }

  /// The numbers of the orders that show the schedule's kinds, or may.
  private func showing(_ schedule: Schedule, _ orders: [[ScheduleStep]]) async throws -> Set<Int> {
    precondition(!orders.isEmpty, "there is an order to try")
    let request = SimulationRequest(
      cell: schedule.cell, choosing: .scripts(orders.map(ScheduleSegment.following), showing: schedule.kinds),
      count: orders.count, continuesAfterViolation: true, directory: "")
    guard case .reported(let report) = try await simulations.run(request) else { return Set(orders.indices) }
    precondition(report.schedules <= orders.count, "a child tries each order once")
    // Orders that the child did not reach may show them.
    return Set(report.findings.map(\.number)).union(report.schedules..<orders.count)
  }
}

extension ScheduleSegment {
  /// Segments that follow these steps as far as they can, of tasks that never wait where they did not.
  static func following(_ steps: [ScheduleStep]) -> [ScheduleSegment] {
    var segments: [ScheduleSegment] = []
    var counts: [[String]: Int] = [:]
    for (number, step) in steps.enumerated() {
      counts[[step.task, step.point, step.subject], default: 0] += 1
      guard number + 1 < steps.count, steps[number + 1].task != step.task else { continue }
      // Until its next step, which it does later.
      let next = steps[(number + 1)...].first { $0.task == step.task }
      segments.append(
        ScheduleSegment(
          task: step.task,
          stop: next.map {
            ScheduleSegment.Stop(
              point: $0.point, subject: $0.subject,
              nth: counts[[$0.task, $0.point, $0.subject], default: 0] + 1)
          }))
    }
    if let last = steps.last { segments.append(ScheduleSegment(task: last.task, stop: nil)) }
    precondition(
      zip(segments, segments.dropFirst()).allSatisfy { $0.task != $1.task },
      "a segment ends where another task continues")
    return segments
  }
}
