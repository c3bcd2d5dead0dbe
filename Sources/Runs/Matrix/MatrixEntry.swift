import Checking

/// What one strategy with one merge policy showed of one kind of violation.
package struct MatrixEntry: Sendable, Hashable {
  /// Where an entry belongs.
  package struct Place: Sendable, Hashable {
    package var strategy: String
    package var mergePolicy: String
    package var kind: ViolationKind
  }

  /// A cell that shows it, and the command that reproduces it.
  package struct Witness: Sendable, Hashable {
    package var scenario: String
    package var seed: UInt64
    package var replay: String
  }

  /// The result, from what says least to what says most.
  package enum Result: Sendable, Hashable {
    /// No check of the kind had anything to check.
    case notExercised
    /// There was something to check, and it was right.
    case clean
    /// It happened.
    case violated(Witness)
  }

  package var place: Place
  package var result: Result

  /// The sign in tables.
  package var sign: String {
    switch result {
    case .notExercised: "–"
    case .clean: "✓"
    case .violated: "✗"
    }
  }
}
