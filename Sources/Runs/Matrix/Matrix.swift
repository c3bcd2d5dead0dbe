import Checking
import Reporting

/// Strategies × merge policies × kinds of violations; a pure function of the simulations' results, which are the same on
/// every machine.
package struct Matrix: Sendable {
  /// Kinds that a simulation cannot show: how long things take, and the files that a killed process leaves to the next one.
  package static let liveKinds: [ViolationKind] = [.mainThreadStall, .logGrowth, .durabilityLost]

  /// Strategies in the order in which they are shown.
  package let strategies: [String]
  /// Merge policies in the order in which they are shown.
  package let mergePolicies: [String]
  private var results: [MatrixEntry.Place: MatrixEntry.Result] = [:]

  /// A matrix in which nothing was exercised.
  package init(strategies: [String], mergePolicies: [String]) {
    precondition(Set(strategies).count == strategies.count, "a strategy has one column")
    precondition(Set(mergePolicies).count == mergePolicies.count, "a merge policy has one place")
    self.strategies = strategies
    self.mergePolicies = mergePolicies
  }

  /// The kinds that are shown, in their order.
  package static let kinds = ViolationKind.allCases.filter { !liveKinds.contains($0) }

  /// Adds the results of a cell: violations stay, schedules without one add up.
  package mutating func add(_ observation: MatrixObservation) {
    precondition(
      strategies.contains(observation.strategy) && mergePolicies.contains(observation.mergePolicy),
      "what was observed has its place in the matrix")
    for kind in Self.kinds {
      let place = MatrixEntry.Place(
        strategy: observation.strategy, mergePolicy: observation.mergePolicy, kind: kind)
      switch (results[place] ?? .notExercised, observation.result(kind)) {
      case (.violated, _), (_, .notExercised): continue
      case (.clean(let before), .clean(let more)): results[place] = .clean(schedules: before + more)
      case (_, let new): results[place] = new
      }
    }
  }

  /// One entry.
  package func entry(_ strategy: String, _ mergePolicy: String, _ kind: ViolationKind) -> MatrixEntry {
    precondition(strategies.contains(strategy) && mergePolicies.contains(mergePolicy), "an entry has its place")
    let place = MatrixEntry.Place(strategy: strategy, mergePolicy: mergePolicy, kind: kind)
    return MatrixEntry(place: place, result: results[place] ?? .notExercised)
  }

  /// All entries, by kind, then strategy, then merge policy.
  package var entries: [MatrixEntry] {
    Self.kinds.flatMap { kind in
      strategies.flatMap { strategy in mergePolicies.map { entry(strategy, $0, kind) } }
    }
  }

  /// The kinds of which anything was exercised.
  package var exercisedKinds: [ViolationKind] {
    Self.kinds.filter { kind in
      results.contains { $0.key.kind == kind && $0.value != .notExercised }
    }
  }

  /// A table cell for a strategy and a kind over all merge policies: ✓ and the number of schedules that exercised it; or ✗,
  /// with the policies where not all show it.
  package func summary(_ strategy: String, _ kind: ViolationKind) -> String {
    let entries = mergePolicies.map { entry(strategy, $0, kind) }
    let exercised = entries.filter { $0.result != .notExercised }
    guard !exercised.isEmpty else { return "–" }
    let violated = exercised.filter { $0.witness != nil }
    if violated.isEmpty { return "✓ \(exercised.reduce(0) { $0 + $1.schedules })" }
    return Self.violatedSign + (violated.count == exercised.count ? "" : " " + Self.joined(violated))
  }

  static let violatedSign = "✗"

  private static func joined(_ entries: [MatrixEntry]) -> String {
    entries.map(\.place.mergePolicy).joined(separator: ", ")
  }
}
