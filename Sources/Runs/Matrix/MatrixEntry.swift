import Checking

/// The result of one strategy with one merge policy for one kind of violation.
package struct MatrixEntry: Sendable, Hashable {
  /// Where an entry belongs.
  package struct Place: Sendable, Hashable {
    package var strategy: String
    package var mergePolicy: String
    package var kind: ViolationKind
  }

  /// A cell that shows it, and the command that brings it back.
  package struct Witness: Sendable, Hashable {
    package var scenario: String
    /// Of the cell's data.
    package var seed: UInt64
    package var replay: String
    /// The file of its schedule; nil where it comes back by the search that found it.
    package var schedule: String?

    package init(scenario: String, seed: UInt64, replay: String, schedule: String? = nil) {
      self.scenario = scenario
      self.seed = seed
      self.replay = replay
      self.schedule = schedule
    }
  }

  /// The result, from the one that says least to the one that says most.
  package enum Result: Sendable, Hashable {
    /// No check of the kind had anything to check.
    case notExercised
    /// There was something to check in so many schedules, and it was right.
    case clean(schedules: Int)
    /// It happened.
    case violated(Witness)
  }

  package var place: Place
  package var result: Result

  /// The cell that shows it.
  package var witness: Witness? {
    if case .violated(let witness) = result { witness } else { nil }
  }

  /// Schedules in which there was something to check, and nothing was wrong.
  package var schedules: Int {
    if case .clean(let schedules) = result { schedules } else { 0 }
  }
}
