extension HTMLReport {
  /// The comparison with a baseline; nothing where there was none.
  var comparison: HTML {
    guard let comparison = outcome?.comparison else { return .text("") }
    let deciding = comparison.rows.filter { $0.role != "secondary" }
    let secondary = comparison.rows.filter { $0.role == "secondary" }
    var parts = [HTML.element("h2", "Compared with \(comparison.baseline)")]
    parts += [comparison.summary, comparison.problem].compactMap(\.self).map { .element("p", $0) }
    if !deciding.isEmpty { parts.append(table(deciding)) }
    let notes = comparison.missing.map(\.sentence) + comparison.notes
    if !notes.isEmpty { parts.append(.element("ul", notes.map { .element("li", $0) })) }
    if !secondary.isEmpty {
      parts.append(
        .element(
          "details", [.element("summary", "Secondary measures, which decide nothing"), table(secondary)]))
    }
    return .element("section", ["id": "comparison"], parts)
  }

  private func table(_ rows: [ComparisonDocument.Row]) -> HTML {
    let titles = ["strategy", "verdict", "scenario", "measure", "baseline", "candidate", "ratio (95 % interval)"]
    return table(
      titles,
      rows.map { row in
        let values = [row.text(row.baselineMedian), row.text(row.candidateMedian), row.ratioText]
        return .element(
          "tr",
          [
            .element("th", ["scope": "row"], row.name),
            .element("td", ["class": "verdict \(Self.mark(of: row))"], row.verdictText),
            .element("td", ["class": "name"], row.scenario), .element("td", ["class": "name"], row.column),
          ] + values.map { .element("td", $0) })
      })
  }

  private static func mark(of row: ComparisonDocument.Row) -> String {
    switch row.failure {
    case .regression: mark(.bad)
    case .inconclusive, .improvement: mark(.caution)
    case nil: row.verdict == "inconclusive" || row.verdict == "worse" ? mark(.caution) : mark(.good)
    }
  }
}
