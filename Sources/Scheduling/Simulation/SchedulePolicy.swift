/// Decides which task of a simulation runs next.
///
/// A policy sees every step, also those at which there is no choice.
package protocol SchedulePolicy: Sendable {
  /// The name on the command line.
  var name: String { get }

  /// The place in `ready` of the task to run.
  ///
  /// - Parameters:
  ///   - ready: at least one task, by ascending number.
  ///   - current: the place of the task that ran until now; nil when it waits, or is over.
  mutating func choose(_ ready: [Choice], current: Int?) -> Int

  /// Notes that the task chosen last has come to a resource that its step does not name.
  mutating func touch(_ resource: UInt64)
}

extension SchedulePolicy {
  package mutating func touch(_ resource: UInt64) {}
}

/// A policy of a search that knows when it is through.
package protocol SearchPolicy: SchedulePolicy {
  /// The policy of the next order, once a simulation has run by this one; nil when there are no more.
  func next() -> Self?
}

/// One task that could run, and its next step.
package struct Choice: Sendable {
  package let task: Int
  package let step: Step
  /// The task's name in schedules; empty unless the simulation names its steps.
  package let key: String

  package init(task: Int, step: Step, key: String = "") {
    self.task = task
    self.step = step
    self.key = key
  }
}

/// A policy that follows an order which is known.
package protocol FollowingPolicy: SchedulePolicy {
  /// The first segment, from 0, that did not fit, and why; nil while all do.
  var divergence: (segment: Int, reason: String)? { get }
}

/// Runs a task as long as it can run, and then the one that was made first.
package struct FIFOPolicy: SchedulePolicy {
  package let name = "fifo"

  package init() {}

  package mutating func choose(_ ready: [Choice], current: Int?) -> Int { current ?? 0 }
}
