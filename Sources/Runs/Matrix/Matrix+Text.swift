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
    if !witnesses.isEmpty { lines += ["", "One witness per kind (all of them are in `matrix.csv`):", "", "```"] }
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

extension MatrixEntry {
  /// The cell that shows it.
  package var witness: Witness? {
    if case .violated(let witness) = result { witness } else { nil }
  }
}
