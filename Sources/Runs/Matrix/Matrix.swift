import Checking

/// Strategies × merge policies × kinds of violations; a pure function of cells.
///
/// What is timed is left out, so that the same cells give the same matrix on every machine.
package struct Matrix: Sendable {
  /// Kinds that depend on how fast the machine is.
  package static let timedKinds: Set<ViolationKind> = [.mainThreadStall]

  /// Strategies in the order in which they are shown.
  package let strategies: [String]
  /// Merge policies in the order in which they are shown.
  package let mergePolicies: [String]
  private var results: [MatrixEntry.Place: MatrixEntry.Result] = [:]

  /// A matrix in which nothing was exercised.
  package init(strategies: [String], mergePolicies: [String]) {
    self.strategies = strategies
    self.mergePolicies = mergePolicies
  }

  /// The kinds that are shown, in their order.
  package static let kinds = ViolationKind.allCases.filter { !timedKinds.contains($0) }

  /// Adds what a cell showed; what was seen before stays, unless this says more.
  mutating func add(_ record: CellRecord, replay: String) {
    let key = record.row.key
    for kind in Self.kinds {
      let place = MatrixEntry.Place(strategy: key.strategy, mergePolicy: key.mergePolicy, kind: kind)
      switch (results[place] ?? .notExercised, Self.result(kind, of: record, replay: replay)) {
      case (.violated, _), (_, .notExercised), (.clean, .clean): continue
      case (_, let new): results[place] = new
      }
    }
  }

  private static func result(_ kind: ViolationKind, of record: CellRecord, replay: String) -> MatrixEntry.Result {
    let isSeen = record.outcome.findings.contains { $0.violation.kind == kind && $0.violation.severity == .error }
    if isSeen {
      return .violated(
        MatrixEntry.Witness(scenario: record.row.key.scenario, seed: record.row.key.seed, replay: replay))
    }
    // The harness sees these of every process.
    if kind == .hang || kind == .crash { return record.outcome.verdict == .unknown ? .notExercised : .clean }
    let names = CheckerCatalogue.all.filter { $0.kinds.contains(kind) }.map(\.name)
    let isExercised = record.outcome.results.contains { names.contains($0.name) && $0.exercised > 0 }
    return isExercised ? .clean : .notExercised
  }

  /// One entry.
  package func entry(_ strategy: String, _ mergePolicy: String, _ kind: ViolationKind) -> MatrixEntry {
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

  /// What a strategy shows of a kind over all merge policies: one sign, or the signs with the policies they are of.
  package func summary(_ strategy: String, _ kind: ViolationKind) -> String {
    let entries = mergePolicies.map { entry(strategy, $0, kind) }
    let exercised = entries.filter { $0.result != .notExercised }
    guard !exercised.isEmpty else { return "–" }
    let violated = exercised.filter { $0.sign == "✗" }
    if violated.isEmpty { return "✓" }
    if violated.count == exercised.count { return "✗" }
    return "✗ " + violated.map(\.place.mergePolicy).joined(separator: ", ")
  }
}
