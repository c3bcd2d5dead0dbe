import Checking
import Reporting

extension Matrix {
  private static let legend =
    "✓ clean, in so many schedules that had something to check; ✗ seen (under these merge policies, where not under all); – not exercised"

  /// For the terminal: the table, and a witness of every ✗.
  package func text() -> String {
    var table = TextTable(columns: [.left("kind")] + strategies.map { .left($0) })
    for kind in exercisedKinds { table.append([kind.rawValue] + strategies.map { summary($0, kind) }) }
    let witnesses = entries.compactMap { entry -> String? in
      guard let witness = entry.witness else { return nil }
      let place = entry.place
      return
        "\(place.kind.rawValue), \(place.strategy), \(place.mergePolicy): \(witness.scenario)\n  \(witness.replay)\n"
    }
    return table.rendered() + "\n\(Self.legend)\n\(unexercised)\n" + (witnesses.isEmpty ? "" : "\n")
      + witnesses.joined()
  }

  // MARK: Markdown

  /// For a document: a table of the kinds that were seen, each ✗ with its witness; then the kinds that were not.
  ///
  /// - Parameter folder: The folder of the document; links are relative to it where schedules are below it.
  package func markdown(in folder: String = "") -> String {
    let seen = exercisedKinds.filter { kind in entries(of: kind).contains { $0.witness != nil } }
    var lines = [Self.header(strategies), "|---" + String(repeating: "|:-:", count: strategies.count) + "|"]
    for kind in seen {
      lines.append(Self.row(["`\(kind.rawValue)`"] + strategies.map { linkedSummary($0, kind, folder) }))
    }
    lines += ["", "\(Self.legend).", ""]
    let clean = exercisedKinds.filter { !seen.contains($0) }.map(cleanSummary)
    if !clean.isEmpty {
      lines.append("Never seen, in at least so many schedules of each strategy: \(clean.joined(separator: ", ")).")
    }
    return (lines + [unexercised]).joined(separator: "\n") + "\n"
  }

  private static func header(_ strategies: [String]) -> String { row(["kind"] + strategies) }

  private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private func entries(of kind: ViolationKind) -> [MatrixEntry] { entries.filter { $0.place.kind == kind } }

  /// The summary, its ✗ a link to the schedule.
  private func linkedSummary(_ strategy: String, _ kind: ViolationKind, _ folder: String) -> String {
    let summary = summary(strategy, kind)
    let files = mergePolicies.compactMap { entry(strategy, $0, kind).witness?.schedule }
    guard let file = files.first, summary.hasPrefix(Self.violatedSign) else { return summary }
    let link = file.hasPrefix(folder + "/") ? String(file.dropFirst(folder.count + 1)) : file
    return "[\(Self.violatedSign)](\(link))" + summary.dropFirst(Self.violatedSign.count)
  }

  /// A kind that was not seen, and the fewest schedules of a strategy that could have shown it.
  private func cleanSummary(_ kind: ViolationKind) -> String {
    let counts = strategies.map { strategy in
      mergePolicies.reduce(0) { $0 + entry(strategy, $1, kind).schedules }
    }.filter { $0 > 0 }
    guard let least = counts.min() else { preconditionFailure("a kind that was exercised has schedules") }
    let some =
      counts.count == strategies.count ? "" : " (\(counts.count) strateg\(counts.count == 1 ? "y" : "ies"))"
    return "`\(kind.rawValue)` \(least)\(some)"
  }

  private var unexercised: String {
    let kinds = Self.kinds.filter { !exercisedKinds.contains($0) }.map { "`\($0.rawValue)`" }
    let live = Self.liveKinds.map { "`\($0.rawValue)`" }.joined(separator: ", ")
    return (kinds.isEmpty ? "" : "Not exercised by these files: \(kinds.joined(separator: ", ")). ")
      + "Not shown by simulations: \(live)."
  }

  // MARK: Comparing

  /// The violations of this matrix that a text of ``markdown()`` lacks: strategies, and kinds under merge policies.
  ///
  /// It may have been made with fewer schedules: violations of the text that this matrix lacks are no difference.
  package func differences(from markdown: String) -> [String] {
    let rows = markdown.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.dropFirst().dropLast().split(separator: "|").map { $0.drop { $0 == " " }.description.trimmed }
    }
    guard let header = rows.first, header.first == "kind" else { return ["the section has no table"] }
    let known = Array(header.dropFirst())
    let missing = strategies.filter { !known.contains($0) }.map { "\($0): there is no column" }
    var shown: [String: [String: String]] = [:]
    for row in rows.dropFirst() where row.count == header.count {
      shown[row[0].filter { $0 != "`" }] = Dictionary(zip(known, row.dropFirst())) { first, _ in first }
    }
    return missing
      + entries.filter { $0.witness != nil }.compactMap { entry in
        let place = entry.place
        let cell = shown[place.kind.rawValue]?[place.strategy] ?? ""
        guard !Self.shows(place.mergePolicy, in: cell) else { return nil }
        return "\(place.kind.rawValue), \(place.strategy), \(place.mergePolicy): seen\n  \(entry.witness?.replay ?? "")"
      }
  }

  /// Whether a cell of the table says that it was seen under a merge policy.
  private static func shows(_ mergePolicy: String, in cell: String) -> Bool {
    guard cell.contains(violatedSign) else { return false }
    let policies = cell.split(separator: " ").dropFirst().map { $0.filter { $0 != "," } }
    return policies.isEmpty || policies.contains(mergePolicy)
  }
}

extension String {
  /// Without spaces at its end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
