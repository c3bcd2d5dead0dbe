import Checking
import Reporting

extension Matrix {
  private static let legend =
    "✓ clean, ✗ seen (with the merge policies, where not all show it), – not exercised"

  /// For the terminal: the table, and a witness of every ✗.
  package func text() -> String {
    var table = TextTable(columns: [.left("kind")] + strategies.map { .left($0) })
    for kind in exercisedKinds { table.append([kind.rawValue] + strategies.map { summary($0, kind) }) }
    let witnesses = entries.compactMap { entry -> String? in
      guard case .violated(let witness) = entry.result else { return nil }
      let place = entry.place
      return
        "\(place.kind.rawValue), \(place.strategy), \(place.mergePolicy): \(witness.scenario), seed \(witness.seed)\n"
        + "  \(witness.replay)\n"
    }
    return table.rendered() + "\n\(Self.legend)\n\(unexercised)\n" + (witnesses.isEmpty ? "" : "\n")
      + witnesses.joined()
  }

  /// For a README: the table, and a witness of every kind that was seen.
  package func markdown() -> String {
    var lines = ["| kind | " + strategies.joined(separator: " | ") + " |"]
    lines.append("|---" + String(repeating: "|:-:", count: strategies.count) + "|")
    for kind in exercisedKinds {
      lines.append("| `\(kind.rawValue)` | " + strategies.map { summary($0, kind) }.joined(separator: " | ") + " |")
    }
    lines += ["", "\(Self.legend).", unexercised]
    let witnesses = exercisedKinds.compactMap(firstWitness)
    if !witnesses.isEmpty { lines += ["", "One witness a kind (all of them are in `matrix.csv`):", "", "```"] }
    lines += witnesses.map { "\($0.kind.rawValue): \($0.witness.replay)" }
    if !witnesses.isEmpty { lines.append("```") }
    return lines.joined(separator: "\n") + "\n"
  }

  private var unexercised: String {
    let kinds = Self.kinds.filter { !exercisedKinds.contains($0) }.map(\.rawValue)
    return kinds.isEmpty
      ? "Every kind was exercised." : "Not exercised by these files: \(kinds.joined(separator: ", "))."
  }

  private func firstWitness(of kind: ViolationKind) -> (kind: ViolationKind, witness: MatrixEntry.Witness)? {
    for strategy in strategies {
      for policy in mergePolicies {
        if case .violated(let witness) = entry(strategy, policy, kind).result { return (kind, witness) }
      }
    }
    return nil
  }
}

extension Table where Row == MatrixEntry {
  /// `matrix.csv`.
  package static let matrix = Table(
    fileName: "matrix.csv", grain: "a row a kind of violation, strategy and merge policy",
    columns: [
      .integer("schema_version", "version of the columns; raised when one changes its meaning") { _ in
        CellKey.schemaVersion
      },
      .text("kind", "kind of violation") { $0.place.kind.rawValue },
      .text("strategy", "name of the strategy") { $0.place.strategy },
      .text("merge_policy", "merge policy of the strategy's contexts") { $0.place.mergePolicy },
      .text("result", "clean, violated or not exercised") { entry in
        switch entry.result {
        case .notExercised: "not exercised"
        case .clean: "clean"
        case .violated: "violated"
        }
      },
      .text("scenario", "scenario of the witness") { $0.witness?.scenario },
      .unsigned("seed", "seed of the witness") { $0.witness?.seed },
      .text("replay", "command that brings it back") { $0.witness?.replay },
    ])
}

extension MatrixEntry {
  /// The cell that shows it.
  package var witness: Witness? {
    if case .violated(let witness) = result { witness } else { nil }
  }
}
