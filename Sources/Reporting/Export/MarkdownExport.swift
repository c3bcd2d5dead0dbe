import Checking
import Measuring

/// Markdown for people: a table a scenario, then the violations with the commands that bring them back.
package enum MarkdownExport: ExportFormat {
  package static let name = "markdown"
  package static let summary = "Markdown: a table per scenario, violations with their commands"
  package static let isForPrograms = false

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var parts = ["# contextbench: \(state(of: results))\n"]
    parts += [exit(results.outcome), comparison(results.outcome?.comparison)].compactMap(\.self)
    let groups = CellGroup.groups(of: results)
    let conclusions = results.conclusions
    for scenario in results.plan.scenarios.map(\.name) {
      let own = groups.filter { $0.scenario == scenario && !$0.cells.isEmpty }
      if !own.isEmpty { parts.append("## \(escaped(scenario))\n\n" + table(own)) }
      parts += conclusions.filter { $0.scenario == scenario }.map(list)
    }
    parts += [missing(results), reasons(results)].compactMap(\.self)
    parts += ViolationGroup.groups(of: results).map(paragraph)
    let manifest = results.manifest
    let machine = [manifest.machine.cpuModel, manifest.machine.kernel].compactMap(\.self).joined(separator: ", ")
    parts.append(
      "Run `\(manifest.run)`, contextbench \(manifest.version)"
        + (manifest.executableSummary.map { ", \(escaped($0))" } ?? "") + "; \(escaped(machine)).\n")
    return parts.joined(separator: "\n")
  }

  /// How the run ended, in words.
  static func state(of results: ExportedResults) -> String {
    let ending = results.outcome?.exitCode.name ?? (results.cells.map(\.ending).max() ?? .passed).rawValue
    let missing = results.missingCells.count
    let cells = "\(results.cells.count) cells"
    return missing > 0 ? "\(ending), \(cells), \(missing) not run" : "\(ending), \(cells)"
  }

  private static func table(_ groups: [CellGroup]) -> String {
    var lines = [
      "| strategy | \(SummaryColumn.brief.map(\.title).joined(separator: " | ")) | cells | verdict |",
      "|---|" + String(repeating: "--:|", count: SummaryColumn.brief.count + 1) + "---|",
    ]
    for group in groups {
      precondition(group.name.hasPrefix(group.scenario + "/"), "a group's name begins with its scenario")
      let title = String(group.name.dropFirst(group.scenario.count + 1))
      let values = SummaryColumn.brief.map { $0.text(group.cells) }.joined(separator: " | ")
      lines.append("| \(escaped(title)) | \(values) | \(group.cells.count) | \(verdict(group)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func verdict(_ group: CellGroup) -> String {
    guard let verdict = JudgedVerdict(group.cells.map { ($0.verdict, $0.ending) }) else {
      return HumanReadable.notMeasured
    }
    return group.ending == .passed ? verdict.text : "**\(verdict.text)**"
  }

  private static func missing(_ results: ExportedResults) -> String? {
    let cells = results.missingCells.map { String($0.cell.cell) }
    guard !cells.isEmpty else { return nil }
    return "**Not run:** cells \(cells.prefix(20).joined(separator: ", "))\(cells.count > 20 ? ", …" : "")\n"
  }

  /// Why cells did not pass: each reason once a scenario and strategy.
  private static func reasons(_ results: ExportedResults) -> String? {
    let lines = CellReason.all(results.cells, results.results.violations).map {
      "- **not passed**: \(escaped($0.sentence))"
    }
    guard !lines.isEmpty else { return nil }
    let rest = lines.count > reasonsMax ? ["- and \(lines.count - reasonsMax) more"] : []
    return (lines.prefix(reasonsMax) + rest).joined(separator: "\n") + "\n"
  }

  /// Reasons that are shown.
  private static let reasonsMax = 20

  private static func paragraph(_ group: ViolationGroup) -> String {
    let fence = String(repeating: "`", count: longestRun(of: "`", in: group.first.replay) >= 3 ? 8 : 3)
    return "**\(group.state)**: \(escaped(group.sentence))\n\n\(fence)sh\n\(group.first.replay)\n\(fence)\n"
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var (longest, run) = (0, 0)
    for other in text {
      run = other == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }

  /// Text that Markdown shows as it is, on one line, also in a table.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\n", "\r\n", "\r": escaped += " "
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~": escaped += "\\\(character)"
      case "&": escaped += "&amp;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
