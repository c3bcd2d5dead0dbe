import Checking
import Reporting

/// A row of `matrix.csv`: a ``MatrixEntry`` with its witness, where it has one.
package struct MatrixRow: Sendable, Hashable {
  /// The name of a ``MatrixEntry/Result``.
  package enum Result: String, Sendable {
    case notExercised = "not exercised"
    case clean, violated
  }

  package var kind: ViolationKind
  package var strategy: String
  package var mergePolicy: String
  package var result: Result
  package var scenario: String?
  package var seed: UInt64?
  package var replay: String?
  package var schedules: Int?

  package init(_ entry: MatrixEntry) {
    kind = entry.place.kind
    strategy = entry.place.strategy
    mergePolicy = entry.place.mergePolicy
    switch entry.result {
    case .notExercised: result = .notExercised
    case .clean: result = .clean
    case .violated: result = .violated
    }
    scenario = entry.witness?.scenario
    seed = entry.witness?.seed
    replay = entry.witness?.replay
    if case .clean(let count) = entry.result { schedules = count }
    precondition((result == .violated) == (replay != nil), "what was seen has a witness")
  }
}

extension Table where Row == MatrixRow {
  /// `matrix.csv`.
  package static let matrix = Table(
    fileName: "matrix.csv", grain: "one row per kind of violation, strategy and merge policy",
    empty: {
      let place = MatrixEntry.Place(strategy: "", mergePolicy: "", kind: .crash)
      return MatrixRow(MatrixEntry(place: place, result: .notExercised))
    },
    columns: [
      .schemaVersion,
      .text("kind", "kind of violation", \.kind),
      .text("strategy", "name of the strategy", \.strategy),
      .text("merge_policy", "merge policy of the strategy's contexts", \.mergePolicy),
      .text("result", "clean, violated or not exercised", \.result),
      .text("scenario", "scenario of the witness", \.scenario),
      .unsigned("seed", "seed of the witness's data", \.seed),
      .text("replay", "command that brings it back", \.replay),
      .integer("schedules", "of what is clean: schedules in which there was something to check", \.schedules)
        .addedLater(),
    ])
}
