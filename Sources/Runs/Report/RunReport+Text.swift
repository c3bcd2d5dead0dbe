import Boundary
import Checking
import Foundation
import Reporting

extension RunReport {
  /// The tables that were not shown before, the violations and the reasons of cells that did not pass; the results folder is
  /// the last line.
  ///
  /// - Parameter width: columns of the terminal, which tables fit; nil = none, so that tables have every column.
  package func text(colour: Bool, width: Int? = nil) -> String {
    var parts: [String] = []
    for scenario in scenarioNames where !shownScenarios.contains(scenario) {
      parts.append(text(of: scenario, colour: colour, width: width))
    }
    parts += [violations(colour: colour)].compactMap(\.self)
    var sentences = warnings.map { "warning: \($0)\n" }
    if let machine { sentences += NoiseWarnings(judged, machine: machine, before: noiseBefore).paragraphs }
    sentences += [failures()].compactMap(\.self)
    parts += sentences.map { Self.fitted($0, width) }
    if isInterrupted {
      parts.append(
        """
        interrupted after \(records.count) of \(plannedCellCount) cells
        to resume: \(replay.resuming(folder))

        """)
    }
    return parts.joined(separator: "\n") + "\n" + folder + "\n"
  }

  /// Lines that are broken between words where they do not fit, each with its own indentation and two blanks more.
  private static func fitted(_ text: String, _ width: Int?) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.count > width else { return String(line) }
      let indentation = String(line.prefix { $0 == " " })
      let lines = TextTable.lines(of: String(line), width: max(20, width - indentation.count - 2))
      return indentation + lines.joined(separator: "\n" + indentation + "  ")
    }.joined(separator: "\n")
  }

  /// A scenario's table and its conclusions about the strategies.
  ///
  /// - Parameter width: As in ``text(colour:width:)``.
  package func text(of scenario: String, colour: Bool, width: Int? = nil) -> String {
    let records = counted.filter { $0.row.key.scenario == scenario }
    let repetitions = Set(records.map(\.row.key.repetition)).count
    let title = repetitions == 1 ? scenario : "\(scenario), medians of \(repetitions) repetitions"
    var parts = [title + "\n" + ScenarioTable(records).rendered(colour: colour, width: width)]
    parts += [PairComparison(records).text].compactMap(\.self)
    parts += [LoadCurve(records.map(\.row))?.text(width: width)].compactMap(\.self)
    parts += conclusions(records).map { $0.text(width: width ?? Terminal.widthElsewhere) }
    return parts.joined(separator: "\n")
  }

  /// Cells without the warm-up.
  private var counted: [CellRecord] { judged.filter { !$0.cell.isWarmup } }

  /// Scenarios in the order of the run.
  private var scenarioNames: [String] {
    var names: [String] = []
    for record in counted where !names.contains(record.row.key.scenario) { names.append(record.row.key.scenario) }
    return names
  }

  /// The conclusions of a scenario's cells about its strategies.
  private func conclusions(_ records: [CellRecord]) -> [Conclusion] {
    let violations = records.flatMap { record in
      record.outcome.findings.map { finding in
        ViolationRow(key: record.row.key, violation: finding.violation, isExpected: finding.isExpected, replay: "")
      }
    }
    return Conclusion.all(cells: records.map(\.row), violations: violations)
  }

  /// One paragraph for each kind of violation of a scenario's strategy, with the command that reproduces it.
  private func violations(colour: Bool) -> String? {
    var paragraphs: [String] = []
    for group in violationGroups {
      let (first, state) = (group.first, group.state)
      let emphasis: Emphasis = state == "violation" ? .bad : .caution
      let title = "\(state): \(first.violation.kind.rawValue)"
      let place = group.cells > 1 ? "in the first, " : ""
      paragraphs.append(
        """
        \(emphasis.applied(to: title, colour: colour)) in \(group.cells) of \(group.ofCells) cells of \
        \(first.key.scenario), \(first.key.strategy)
          \(place)\(first.violation.subject): expected \(first.violation.expected); \(first.violation.seen)
          to reproduce (by repetition): \(first.replay)

        """)
    }
    return paragraphs.isEmpty ? nil : paragraphs.joined()
  }

  private var violationGroups: [ViolationGroup] {
    let rows = judged.flatMap { record in
      record.outcome.findings.map { finding in
        ViolationRow(
          key: record.row.key, violation: finding.violation, isExpected: finding.isExpected,
          replay: replay.text(for: finding.violation.kind, of: record.cell))
      }
    }
    return ViolationGroup.groups(rows, of: judged.map(\.row.key))
  }

  /// Why the run did not pass: each reason once a scenario and strategy, with its first cell.
  func failures() -> String? {
    var lines = harnessFailures
    var groups: [(record: CellRecord, reason: String, count: Int)] = []
    for record in judged where record.outcome.ending != .passed {
      for reason in record.outcome.reasons {
        let index = groups.firstIndex { group in
          group.reason == reason && group.record.row.key.scenario == record.row.key.scenario
            && group.record.row.key.strategy == record.row.key.strategy
        }
        if let index { groups[index].count += 1 } else { groups.append((record, reason, 1)) }
      }
    }
    lines += groups.map { record, reason, count in
      let key = record.row.key
      let cells = count == 1 ? "cell \(key.cell)" : "\(count) cells, the first cell \(key.cell)"
      return "\(key.scenario), \(key.strategy), \(cells), seed \(key.seed): \(reason)"
    }
    let shown = lines.prefix(Self.reasonsMax).map { "not passed: \($0)\n" }
    let rest = lines.count > Self.reasonsMax ? ["and \(lines.count - Self.reasonsMax) more: see the files\n"] : []
    return lines.isEmpty ? nil : (shown + rest).joined()
  }

  /// Reasons that are shown on the terminal.
  private static let reasonsMax = 20
}

/// How much the arms of A/A pairs differ: the noise of this machine.
struct PairComparison {
  /// Fewest pairs that are reported.
  private static let pairsMin = 2

  private let records: [CellRecord]

  /// Compares the arms of one scenario's cells.
  init(_ records: [CellRecord]) { self.records = records }

  /// A line for each strategy and option set that ran often enough in both arms; nil without pairs.
  var text: String? {
    let rows = records.map(\.row).filter { $0.arm == .a || $0.arm == .b }
    let comparison = Comparison(pairsOf: rows) { subject in
      subject.variant == nil ? [] : [ComparedMetric("until_durable_s")]
    }
    let subjects = comparison.rows.map(\.subject)
    let lines = comparison.rows.filter { $0.headCount >= Self.pairsMin }.map { row in
      "until durable, \(row.subject.name(among: subjects)), arm b / arm a: \(HumanReadable.ratio(row.estimate))\n"
    }
    return lines.isEmpty ? nil : lines.joined()
  }
}
