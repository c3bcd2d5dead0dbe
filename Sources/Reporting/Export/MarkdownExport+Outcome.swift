extension MarkdownExport {
  /// The exit code with its meaning, and the reasons that no cell has; nil of a run that was killed.
  static func exit(_ outcome: RunOutcome?) -> String? {
    guard let outcome else { return nil }
    let code = "**Exit code \(outcome.exitCode.rawValue)**: \(escaped(outcome.meaning)).\n"
    let reasons = outcome.reasons.map { "- \(escaped($0))\n" }.joined()
    return reasons.isEmpty ? code : code + "\n" + reasons
  }

  /// The comparison with a baseline, the rows that decide first.
  static func comparison(_ comparison: ComparisonDocument?) -> String? {
    guard let comparison else { return nil }
    var text = "## Compared with \(escaped(comparison.baseline))\n\n"
    if let summary = comparison.summary { text += "\(escaped(summary)).\n\n" }
    let deciding = comparison.rows.filter { $0.role != "secondary" }
    let secondary = comparison.rows.filter { $0.role == "secondary" }
    if !deciding.isEmpty { text += table(deciding) + "\n" }
    text += (comparison.missing.map(\.sentence) + comparison.notes).map { "- \(escaped($0))\n" }.joined()
    if !secondary.isEmpty {
      text +=
        "\n<details><summary>Secondary measures, which decide nothing</summary>\n\n\(table(secondary))\n</details>\n"
    }
    return text
  }

  /// The conclusions from a scenario's cells about its strategies.
  static func list(_ conclusion: Conclusion) -> String {
    "**\(escaped(conclusion.title))**: \(escaped(conclusion.heading)).\n\n"
      + conclusion.sentences.map { "- **\(escaped($0.topic))**: \(escaped($0.sentence))\n" }.joined()
  }

  private static func table(_ rows: [ComparisonDocument.Row]) -> String {
    let lines = rows.map { row in
      let verdict = row.failure == nil ? escaped(row.verdictText) : "**\(escaped(row.verdictText))**"
      return
        "| \(escaped(row.scenario)) | \(escaped(row.name)) | \(escaped(row.column)) | \(row.text(row.baselineMedian)) "
        + "| \(row.text(row.candidateMedian)) | \(row.ratioText) | \(verdict) |\n"
    }
    return "| scenario | strategy | measure | baseline | candidate | ratio (95 % interval) | verdict |\n"
      + "|---|---|---|--:|--:|--:|---|\n" + lines.joined()
  }
}
