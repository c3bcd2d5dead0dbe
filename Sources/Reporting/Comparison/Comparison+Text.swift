import Measuring

extension Comparison {
  /// A table for each scenario, what was not measured again, and a sentence that sums it up.
  package func text(colour: Bool) -> String {
    let subjects = rows.map(\.subject)
    var parts = scenarios.map { scenario in
      scenario + "\n" + table(rows.filter { $0.subject.scenario == scenario }, subjects, colour: colour)
    }
    let notes = notes(subjects)
    if !notes.isEmpty { parts.append(notes.joined(separator: "\n") + "\n") }
    parts.append(summary + "\n")
    return parts.joined(separator: "\n")
  }

  private var scenarios: [String] {
    var names: [String] = []
    for name in rows.map(\.subject.scenario) where !names.contains(name) { names.append(name) }
    return names
  }

  private func table(_ rows: [ComparisonRow], _ subjects: [ComparedSubject], colour: Bool) -> String {
    var table = TextTable(columns: [
      .left("strategy"), .left("by"), .right("base"), .right("head"), .right("ratio"), .right("95 % interval"),
      .right("same thing"), .right("counts from"), .left("verdict"),
    ])
    var last: ComparedSubject?
    for row in rows {
      // Of very few pairs there is none that is so sure.
      let interval = row.interval.flatMap { $0.confidence < 0.95 ? nil : $0 }
        .map { "\(Humane.significant($0.low))…\(Humane.significant($0.high))" }
      table.append([
        TextTable.Cell(row.subject == last ? "" : row.subject.name(among: subjects)), TextTable.Cell(row.metric.column),
        TextTable.Cell(Self.value(row.baseMedian, row.metric)), TextTable.Cell(Self.value(row.headMedian, row.metric)),
        TextTable.Cell(Humane.ratio(row.interval?.ratio)), TextTable.Cell(interval ?? Humane.notMeasured),
        TextTable.Cell("±" + Self.percent(row.noise)), TextTable.Cell("±" + Self.percent(row.limit)),
        TextTable.Cell(row.verdictText, row.emphasis),
      ])
      last = row.subject
    }
    return table.rendered(colour: colour)
  }

  private func notes(_ subjects: [ComparedSubject]) -> [String] {
    var lines = missing.map { missing in
      let name = missing.subject.name(among: subjects + self.missing.map(\.subject))
      return "not measured: \(missing.subject.scenario), \(name), \(missing.metric.column): the base has it"
    }
    lines += added.map { "new: \($0.scenario), \($0.name(among: added)): the base does not have it" }
    let few = rows.filter { $0.verdict == .tooFewCells }
    if let needed = few.map(\.countNeeded).max() {
      lines.append(
        "too few cells: no difference can be shown in \(few.count) of \(rows.count) rows; "
          + "\(needed) repetitions on both sides are enough for all: --repetitions \(max(needed, Self.advised))")
    }
    return lines
  }

  /// Repetitions that also leave room for noise.
  private static let advised = 10

  private var summary: String {
    var parts: [String] = []
    if !regressions.isEmpty { parts.append("worse in \(regressions.count)") }
    if !improvements.isEmpty { parts.append("better in \(improvements.count)") }
    let comparisons = rows.count == 1 ? "1 comparison" : "\(rows.count) comparisons"
    let differences =
      parts.isEmpty ? "no difference shown in \(comparisons)" : parts.joined(separator: ", ") + " of \(comparisons)"
    return missing.isEmpty ? differences : differences + "; \(missing.count) of the base not measured"
  }

  private static func percent(_ share: Double) -> String { Humane.significant(share * 100) + " %" }

  private static func value(_ value: Double?, _ metric: ComparedMetric) -> String {
    guard let value else { return Humane.notMeasured }
    let unit = Table<CellRow>.cells.columns.first { $0.name == metric.column }?.unit
    switch unit {
    case "s": return Humane.seconds(value)
    case "ns": return Humane.seconds(value / 1e9)
    case "bytes": return Humane.bytes(UInt64(max(0, value)))
    default: return metric.column.hasSuffix("_ratio") ? Humane.ratio(value) : Humane.significant(value)
    }
  }
}

extension ComparisonRow {
  /// The verdict in the words of the metric: slower and faster of times, more and less of anything else.
  package var verdictText: String {
    let isTime = metric.column.hasSuffix("_s") || metric.column.hasSuffix("_ratio")
    switch verdict {
    case .worse: return isTime ? "slower" : "more"
    case .better: return isTime ? "faster" : "less"
    case .noDifference, .tooFewCells: return verdict.rawValue
    }
  }

  var emphasis: Emphasis {
    switch verdict {
    case .worse: .bad
    case .better: .good
    case .noDifference: .plain
    case .tooFewCells: .caution
    }
  }
}
