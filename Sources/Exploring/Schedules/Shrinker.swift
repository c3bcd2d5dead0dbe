import Boundary
import Foundation
import Measuring
import Runs
import Scenarios
import Scheduling

/// Makes a schedule smaller that shows a violation: first the scenario (fewer clients, operations, rows), then the
/// schedule itself (fewer preemptions, fewer segments), as long as it shows the same kinds.
///
/// - SeeAlso: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 2002.
package struct Shrinker: Sendable {
  /// Schedules that a smaller scenario is given to show the violation again.
  private static let searchedSchedules = 400
  /// Scripts that are tried in one child.
  private static let batchSize = 200

  private let simulations: Simulations
  private let loader: ScenarioLoader
  /// When it gives up.
  private let end: UInt64

  package init(_ simulations: Simulations, _ loader: ScenarioLoader, seconds: Double) {
    precondition(seconds >= 0, "shrinking ends after its begin")
    self.simulations = simulations
    self.loader = loader
    end = MonotonicClock.now() + UInt64(seconds * 1e9)
  }

  /// Time that is left.
  private var seconds: Double { max(0, Double(end) - Double(MonotonicClock.now())) / 1e9 }

  /// Makes it smaller until nothing helps any more, or time is up.
  ///
  /// - Returns: the smallest schedule that was found; the given one where none is smaller.
  package func shrink(_ schedule: Schedule) async throws -> Schedule {
    var best = try await shrinkScenario(schedule)
    while let smaller = try await step(best) { best = smaller }
    precondition(best.cell != schedule.cell || !(schedule.size < best.size), "a schedule of the same cell did not grow")
    return best
  }

  // MARK: The scenario

  /// Keys that say how much there is, in the order in which they are made smaller; each with its least. Fewer keys come before
  /// fewer operations: clients that each do little still have to meet.
  private static let sizes: [(key: String, least: Int)] = [
    ("rounds", 1), ("clients", 2), ("keys", 1), ("clients", 1), ("importers", 1), ("operations_per_client", 1),
    ("notes", 1), ("words_per_note", 0), ("members_per_save", 1), ("notes_per_save", 1), ("requests", 1),
    ("deleters", 1), ("update_rounds", 1), ("trees", 1), ("tree_depth", 1), ("tree_fan_out", 1), ("duration_s", 1),
  ]

  /// Makes one size after the other smaller, again as long as that helps: less of one can make less of another enough.
  private func shrinkScenario(_ schedule: Schedule) async throws -> Schedule {
    var best = schedule
    while true {
      let before = best.cell
      for (key, least) in Self.sizes {
        while seconds > 0, let smaller = try await with(fewer: key, least: least, in: best) {
          best = smaller
        }
      }
      guard best.cell != before, seconds > 0 else { return best }
    }
  }

  /// The violation with less of one size; nil where it needs all of it.
  private func with(fewer key: String, least: Int, in schedule: Schedule) async throws -> Schedule? {
    guard let scenario = try? ExploredScenario(schedule.cell, loader), scenario.reads(key, loader.vocabulary),
      let size = scenario.cell.settings.values[key].flatMap({ Int($0) }), size > least
    else { return nil }
    // The least first, then half the way, then one less: most violations need next to nothing.
    var tried: Set<Int> = []
    for candidate in [least, (least + size) / 2, size - 1] where tried.insert(candidate).inserted {
      var cell = schedule.cell
      cell.assignments.removeAll { $0.hasPrefix(key + "=") }
      cell.assignments.append("\(key)=\(candidate)")
      if let smaller = try await search(cell, schedule) { return smaller }
    }
    return nil
  }

  /// The violation again in another cell: by the same script as far as it fits, or else by a search.
  private func search(_ cell: ExploredCell, _ schedule: Schedule) async throws -> Schedule? {
    guard (try? ExploredScenario(cell, loader)) != nil else { return nil }
    var other = schedule
    other.cell = cell
    if let found = try await first(of: [schedule.segments], for: other).schedule { return found }
    let request = SimulationRequest(
      cell: cell, choosing: .policy("portfolio", seed: schedule.seed), count: Self.searchedSchedules,
      seconds: min(5, seconds), continuesAfterViolation: true, stepsEstimate: max(50, 2 * schedule.segments.count),
      directory: "")
    guard case .reported(let report) = try await simulations.run(request),
      let finding = report.findings.first(where: { Set($0.kinds).isSuperset(of: schedule.kinds) })
    else { return nil }
    other.segments = finding.segments
    other.policy = finding.policy
    other.seed = finding.seed
    return other
  }

  // MARK: The schedule

  /// The first smaller schedule that shows the same, of those that lack one part of this one; nil as well when time is up.
  private func step(_ schedule: Schedule) async throws -> Schedule? {
    let candidates = ScheduleSegment.lessThan(schedule.segments)
    var next = 0
    while next < candidates.count, seconds > 0 {
      let batch = Array(candidates[next..<min(next + Self.batchSize, candidates.count)])
      let (smaller, tried) = try await first(of: batch, for: schedule, below: schedule.size)
      if let smaller { return smaller }
      // A child that leaves too many tasks behind gives way to a new one.
      next += max(1, tried)
    }
    return nil
  }

  /// The first of these scripts that shows the schedule's kinds and comes to less than `limit`, as the schedule that it came
  /// to; and how many were tried.
  private func first(
    of scripts: [[ScheduleSegment]], for schedule: Schedule, below limit: ScheduleSize? = nil
  ) async throws -> (schedule: Schedule?, tried: Int) {
    precondition(!scripts.isEmpty, "a schedule is looked for among some")
    let request = SimulationRequest(
      cell: schedule.cell, choosing: .scripts(scripts, showing: schedule.kinds, below: limit), count: scripts.count,
      seconds: seconds, directory: "")
    guard case .reported(let report) = try await simulations.run(request) else { return (nil, scripts.count) }
    precondition(report.schedules <= scripts.count, "a child tries each script once")
    guard let finding = report.findings.first, Set(finding.kinds).isSuperset(of: schedule.kinds) else {
      return (nil, report.schedules)
    }
    var found = schedule
    found.segments = finding.segments
    return (limit.map { found.size < $0 } ?? true ? found : nil, report.schedules)
  }
}
