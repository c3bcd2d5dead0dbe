import Checking

/// The results of one cell's schedules.
package struct MatrixObservation: Sendable {
  package var strategy: String
  package var mergePolicy: String
  /// Schedules that were tried.
  package var schedules: Int
  /// Schedules in which a check had something to check, by the check's name.
  package var exercised: [String: Int]
  /// Kinds of violations that were seen.
  package var seen: [ViolationKind: MatrixEntry.Witness]

  /// Makes an observation.
  package init(
    strategy: String, mergePolicy: String, schedules: Int, exercised: [String: Int],
    seen: [ViolationKind: MatrixEntry.Witness]
  ) {
    precondition(schedules >= 0, "schedules count up from 0")
    precondition(exercised.values.allSatisfy { 0...schedules ~= $0 }, "a check is exercised by some schedules")
    self.strategy = strategy
    self.mergePolicy = mergePolicy
    self.schedules = schedules
    self.exercised = exercised
    self.seen = seen
  }

  /// The result for a kind.
  func result(_ kind: ViolationKind) -> MatrixEntry.Result {
    if let witness = seen[kind] { return .violated(witness) }
    // The harness sees these of every schedule.
    if kind == .hang || kind == .crash { return schedules > 0 ? .clean(schedules: schedules) : .notExercised }
    let counts = CheckerCatalogue.all.filter { $0.kinds.contains(kind) }.compactMap { exercised[$0.name] }
    return counts.max().flatMap { $0 > 0 ? .clean(schedules: $0) : nil } ?? .notExercised
  }
}
