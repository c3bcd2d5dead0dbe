import Scheduling

/// A parent's request to a child process that simulates one cell, many times; JSON on the child's standard input.
package struct SimulationRequest: Codable, Sendable {
  /// How the order is chosen.
  package enum Choosing: Codable, Sendable {
    /// A policy by name (`portfolio` takes turns), with a seed for each schedule that follows from this one and the
    /// schedule's number.
    case policy(String, seed: UInt64)
    /// These segments, in all schedules.
    case script([ScheduleSegment])
    /// The segments of a ``NotedOrder``, as far as a simulation can follow it.
    case noted([ScheduleSegment])
    /// These scripts, each once, until one shows all of these kinds of violations and comes to less than that.
    case scripts([[ScheduleSegment]], showing: [String], below: ScheduleSize? = nil)
    /// Every order with at most so many preemptions, one after the other from a prefix of choices.
    case exhaustive(preemptions: Int, prefix: [Int])
    /// Every order but those that only exchange neighbouring steps on different resources, on from a place of the search.
    case reduced([ReducedPolicy.Node])
  }

  package var cell: ExploredCell
  package var choosing: Choosing
  /// Number of the first schedule.
  package var first: Int
  /// Distance between the numbers of two schedules.
  package var stride: Int
  /// How many at most.
  package var count: Int
  /// No schedule but the first is begun after so long.
  package var seconds: Double
  /// Whether the child continues after an unexpected violation.
  package var continuesAfterViolation: Bool
  /// Kinds of violations that need no schedule any more.
  package var knownKinds: [String]
  /// Steps after which a schedule counts as a livelock.
  package var stepsMax: Int
  /// An estimate of a schedule's steps and of its tasks, for policies; 0 = not known yet.
  package var stepsEstimate: Int
  /// Steps of each task in the order of first come, first served, for policies; empty = not known yet.
  package var stepsByTask: [Int]
  /// Whether the steps are wanted.
  package var wantsSteps: Bool
  /// File of the orders that were tried, which the child goes by and adds to: a policy that draws tries none of them again. Nil where
  /// an order may come again.
  package var orders: String?
  /// Folder of the child.
  package var directory: String

  /// Asks for schedules.
  package init(
    cell: ExploredCell, choosing: Choosing, first: Int = 0, stride: Int = 1, count: Int = 1, seconds: Double = 60,
    continuesAfterViolation: Bool = false, knownKinds: [String] = [], stepsMax: Int = 200_000, stepsEstimate: Int = 0,
    stepsByTask: [Int] = [], wantsSteps: Bool = false, orders: String? = nil, directory: String
  ) {
    precondition(first >= 0 && stride > 0 && count >= 0, "schedules are numbered from 0, and each stride leads on")
    precondition(stepsMax > 0 && stepsEstimate >= 0, "a simulation takes steps")
    precondition(seconds >= 0 && seconds < .infinity, "a child has time, or none, and comes to its end")
    precondition(stepsByTask.allSatisfy { $0 >= 0 }, "a task takes steps, or none")
    if case .scripts(let scripts, _, _) = choosing {
      precondition(first + (count - 1) * stride < scripts.count, "each schedule has its script")
    }
    self.cell = cell
    self.choosing = choosing
    self.first = first
    self.stride = stride
    self.count = count
    self.seconds = seconds
    self.continuesAfterViolation = continuesAfterViolation
    self.knownKinds = knownKinds
    self.stepsMax = stepsMax
    self.stepsEstimate = stepsEstimate
    self.stepsByTask = stepsByTask
    self.wantsSteps = wantsSteps
    self.orders = orders
    self.directory = directory
  }
}
