/// Workflow commands that mark the scenario's file in a pull request: one for each kind of violation of a strategy, and
/// for each row by which a comparison fails.
///
/// GitHub shows ten errors and ten warnings of a step; the last one says how many more there are.
///
/// - SeeAlso: GitHub, "Workflow commands for GitHub Actions", "Setting an error message".
package enum GitHubAnnotations: ExportFormat {
  package static let name = "github-annotations"
  package static let summary = "workflow commands (::error file=…) for a step's standard output"
  package static let isForPrograms = false

  /// Annotations of a level that GitHub shows for a step.
  static let shownMax = 10

  private struct Annotation {
    var level: String
    /// Nil for the run as a whole.
    var file: String?
    var title: String
    var message: String

    var line: String {
      let place = file.map { "file=\(GitHubAnnotations.property($0)),line=1," } ?? ""
      return "::\(level) \(place)title=\(GitHubAnnotations.property(title))::\(GitHubAnnotations.data(message))\n"
    }
  }

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var annotations: [Annotation] = []
    for group in ViolationGroup.groups(of: results) where group.state != "expected" {
      annotations.append(
        Annotation(
          level: group.state == "warning" ? "warning" : "error",
          file: results.place(ofScenario: group.first.key.scenario), title: group.kind,
          message: group.sentence + "\nTo reproduce: " + group.first.replay))
    }
    annotations += unexplained(results) + outcome(results)
    let levels = ["error", "warning"]
    precondition(annotations.allSatisfy { levels.contains($0.level) }, "no annotation is left out for its level")
    return levels.flatMap { level in limited(annotations.filter { $0.level == level }) }
      .map(\.line).joined()
  }

  /// Cells that did not pass for another reason than a violation: not exercised, unknown, not as expected, not run.
  private static func unexplained(_ results: ExportedResults) -> [Annotation] {
    var annotations = CellReason.all(results.cells, results.results.violations).map { reason in
      Annotation(
        level: "error", file: results.place(ofScenario: reason.scenario), title: reason.title, message: reason.sentence)
    }
    let missing = Dictionary(grouping: results.missingCells, by: \.block.scenario).sorted { $0.key < $1.key }
    for (scenario, cells) in missing {
      annotations.append(
        Annotation(
          level: "error", file: results.place(ofScenario: scenario), title: "not run",
          message: "\(scenario): \(cells.count) cells were planned and have no row"))
    }
    return annotations
  }

  /// The failures of the comparison, and other reasons that ended the run.
  private static func outcome(_ results: ExportedResults) -> [Annotation] {
    guard let outcome = results.outcome else { return [] }
    let rows = outcome.comparison?.failures ?? []
    let missing = outcome.comparison?.missing ?? []
    return rows.map { row in
      Annotation(
        level: "error", file: results.place(ofScenario: row.scenario), title: row.failure?.rawValue ?? "",
        message: row.sentence)
    }
      + missing.map { missing in
        Annotation(
          level: "error", file: results.place(ofScenario: missing.scenario), title: "not measured again",
          message: missing.sentence)
      }
      + outcome.reasons.map { reason in
        Annotation(level: "error", title: outcome.exitCode.name, message: reason)
      }
  }

  private static func limited(_ annotations: [Annotation]) -> [Annotation] {
    guard annotations.count > shownMax, var last = annotations.first else { return annotations }
    precondition(annotations.allSatisfy { $0.level == last.level }, "GitHub's limit is that of one level")
    last.title = "and \(annotations.count - shownMax + 1) more"
    last.message = "GitHub shows \(shownMax) of a step; the others are in the step's summary and in violations.csv"
    return annotations.prefix(shownMax - 1) + [last]
  }

  /// A command's message.
  static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D")
      .replacing("\n", with: "%0A")
  }

  /// A command's property.
  static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
