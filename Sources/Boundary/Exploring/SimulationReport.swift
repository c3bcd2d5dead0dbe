import Checking
import Scheduling

/// The findings of a child process that simulated one cell, many times; `result.json` of its folder.
package struct SimulationReport: Codable, Sendable {
  /// Schedules that came to an end.
  package var schedules = 0
  /// Their steps together, and those at which there was a choice.
  package var steps = 0
  package var decisions = 0
  /// Most steps of one.
  package var stepsMax = 0
  /// Steps of each task of the last one.
  package var stepsByTask: [Int] = []
  /// The number of the next schedule.
  package var next: Int?
  /// Whether every order was tried that the search is about.
  package var isExhausted = false
  /// Where an exhaustive search runs.
  package var prefix: [Int] = []
  /// Where a reduced search is.
  package var nodes: [ReducedPolicy.Node] = []
  /// Names of the orders, each once.
  package var fingerprints: [UInt64] = []
  /// Pairs of steps of different tasks that came one directly after the other on one resource.
  package var pairs: [[String]] = []
  /// Queues that were entered inside each other, the outer one first.
  package var lockOrders: [[String]] = []
  /// How often each kind of violation was seen that the scenario allows or asks for.
  package var expected: [String: Int] = [:]
  /// How many schedules found something to check, by check.
  package var exercised: [String: Int] = [:]
  /// How many schedules found nothing to check, by check of the scenario.
  package var notExercised: [String: Int] = [:]
  /// Schedules that were found wanting, one for each kind.
  package var findings: [SimulationFinding] = []
  /// Schedules in which the cell gave up, and no check saw why.
  package var failures = 0
  /// The first of them, and why.
  package var failure: String?
  /// Wall time of the schedules.
  package var seconds = 0.0

  /// A report of nothing.
  package init() {}
}

/// One schedule, and its violations.
package struct SimulationFinding: Codable, Sendable {
  /// Number of the schedule.
  package var number: Int
  /// The policy that found it, with its parameters.
  package var policy: String
  package var seed: UInt64
  package var violations: [FoundViolation]
  /// Whether it ended since the schedule had too many steps.
  package var isStepLimit: Bool
  package var segments: [ScheduleSegment]
  /// Whether the same seed gave the same order and violations again, and the segments did.
  package var isVerified: Bool
  /// Whether the same seed gave the same order again, whatever came of it.
  package var isSameOrder: Bool
  /// Name of the order.
  package var fingerprint: UInt64
  /// The segment of a script that did not fit, from 0, and the reason.
  package var divergence: ScheduleDivergence?
  /// The steps, where they are wanted.
  package var steps: [ScheduleStep]

  package init(number: Int, policy: String, seed: UInt64) {
    precondition(number >= 0, "schedules count from 0")
    precondition(!policy.isEmpty, "a schedule is found by a policy")
    self.number = number
    self.policy = policy
    self.seed = seed
    violations = []
    segments = []
    isStepLimit = false
    isVerified = false
    isSameOrder = false
    fingerprint = 0
    steps = []
  }

  /// The kinds of its violations that are errors, sorted.
  package var kinds: [String] {
    Set(violations.filter { $0.violation.severity == .error }.map(\.violation.kind.rawValue)).sorted()
  }

  /// The same of the unexpected ones.
  package var unexpectedKinds: [String] {
    Set(violations.filter { $0.violation.severity == .error && !$0.isExpected }.map(\.violation.kind.rawValue)).sorted()
  }
}

/// A violation, and whether the scenario allows it or asks for it.
package struct FoundViolation: Codable, Sendable, Hashable {
  package var violation: Violation
  package var isExpected: Bool

  package init(_ violation: Violation, isExpected: Bool) {
    self.violation = violation
    self.isExpected = isExpected
  }
}

/// Where a program no longer follows a schedule.
package struct ScheduleDivergence: Codable, Sendable, Hashable {
  /// Number of the segment, from 0.
  package var segment: Int
  package var reason: String

  package init(segment: Int, reason: String) {
    precondition(segment >= 0 && !reason.isEmpty, "a segment, counted from 0, does not fit for a reason")
    self.segment = segment
    self.reason = reason
  }
}

/// One step of an interleaving.
package struct ScheduleStep: Codable, Sendable, Hashable {
  package var task: String
  package var point: String
  package var subject: String
  /// By the simulation's clock.
  package var nanoseconds: UInt64
  /// Whether the step before was of a task that could have gone on.
  package var isPreemption: Bool
  /// The reads and writes recorded in the history from here to the next step.
  package var operations: [String]

  package init(task: String, point: String, subject: String, nanoseconds: UInt64, isPreemption: Bool) {
    precondition(!point.isEmpty, "a step is at a point")
    self.task = task
    self.point = point
    self.subject = subject
    self.nanoseconds = nanoseconds
    self.isPreemption = isPreemption
    operations = []
  }
}
