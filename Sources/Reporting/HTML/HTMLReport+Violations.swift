import Checking

extension HTMLReport {
  /// Every kind of violation that a strategy showed, with the command that reproduces it; the expected ones folded away.
  var violations: HTML {
    let groups = Self.groups(results.violations, of: results.cells.map(\.key))
    let title = HTML.element("h2", "Violations")
    guard !groups.isEmpty else {
      return .element("section", ["id": "violations"], [title, .element("p", "None was seen.")])
    }
    let unexpected = groups.filter { !$0.first.isExpected }
    let expected = groups.filter { $0.first.isExpected }
    var parts = [title]
    if unexpected.isEmpty { parts.append(.element("p", "None that is unexpected.")) }
    parts += unexpected.map(article)
    if !expected.isEmpty {
      parts.append(
        .element("details", [.element("summary", "As the scenarios expect: \(expected.count)")] + expected.map(article))
      )
    }
    if timelines.omitted > 0 {
      let omitted = "There was no room for the timelines of \(timelines.omitted) more kinds."
      parts.append(.element("p", ["class": "note"], "\(omitted) \(traceCommand) has all, for Perfetto."))
    }
    return .element("section", ["id": "violations"], parts)
  }

  /// The violations by kind: unexpected ones first, errors before warnings.
  static func groups(_ rows: [ViolationRow], of cells: [CellKey]) -> [ViolationGroup] {
    func rank(_ row: ViolationRow) -> (Int, Int, Int, String) {
      let severity = row.violation.severity == .error ? 0 : 1
      return (row.isExpected ? 1 : 0, severity, row.key.cell, row.violation.kind.rawValue)
    }
    return ViolationGroup.groups(rows.sorted { $0.key.cell < $1.key.cell }, of: cells)
      .sorted { rank($0.first) < rank($1.first) }
  }

  private func article(_ group: ViolationGroup) -> HTML {
    let first = group.first
    let mark = first.isExpected || first.violation.severity == .warning ? "caution" : "bad"
    let severity = first.violation.severity.rawValue + (first.isExpected ? ", as expected" : "")
    return .element(
      "article", ["class": "violation \(mark)"],
      [
        .element(
          "h3",
          [
            .text(first.violation.kind.rawValue),
            .element("span", ["class": "badge \(mark)"], severity),
          ]),
        .element("p", "In \(group.cells) of \(group.ofCells) cells of \(first.key.scenario), \(first.key.strategy)"),
        .element(
          "p", ["class": "note"],
          [
            .text("\(first.violation.kind.meaning) Causes and remedies: "),
            .element("code", "contextbench explain \(first.violation.kind.rawValue)"),
          ]),
        .element("dl", ["class": "facts"], subjects(group.rows)),
        .element("p", ["class": "note"], "To reproduce:"), .element("pre", [.element("code", first.replay)]),
      ] + timeline(of: group.rows))
  }

  /// Subjects that are shown of one kind.
  private static let subjectsMax = 5

  private func subjects(_ rows: [ViolationRow]) -> [HTML] {
    var seen: [Violation] = []
    for violation in rows.map(\.violation) where !seen.contains(where: { $0.subject == violation.subject }) {
      seen.append(violation)
    }
    var items = seen.prefix(Self.subjectsMax).flatMap { violation -> [HTML] in
      [
        .element("dt", violation.subject),
        .element("dd", "expected \(violation.expected); \(violation.seen)"),
      ]
    }
    if seen.count > Self.subjectsMax {
      items += [
        .element("dt", "and"),
        .element("dd", "\(seen.count - Self.subjectsMax) more subjects: violations.csv has them"),
      ]
    }
    return items
  }
}
