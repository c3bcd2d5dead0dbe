import Measuring

extension Comparison {
  /// A table for each scenario, the rows that were not measured again, and a sentence that sums it up.
  ///
  /// - Parameters:
  ///   - width: columns of the terminal, which tables fit; nil = none.
  ///   - rowsMax: rows that are shown, those first that were decided; nil = all, in their order.
  package func text(colour: Bool, width: Int? = nil, rowsMax: Int? = nil) -> String {
    planned().plannedText(colour: colour, width: width, rowsMax: rowsMax)
  }

  private func plannedText(colour: Bool, width: Int?, rowsMax: Int?) -> String {
    let subjects = rows.map(\.subject)
    let shown = rowsMax.map { Array(rows.sorted(by: Self.isShownFirst).prefix($0)) } ?? rows
    var parts = scenarios.compactMap { scenario -> String? in
      let own = shown.filter { $0.subject.scenario == scenario }
      return own.isEmpty ? nil : scenario + "\n" + table(own, subjects, colour: colour, width: width)
    }
    if shown.count < rows.count {
      parts.append("\(rows.count - shown.count) of \(rows.count) rows are not shown: --all shows them\n")
    }
    let notes = notes(subjects).flatMap { note in width.map { TextTable.lines(of: note, width: $0) } ?? [note] }
    if !notes.isEmpty { parts.append(notes.joined(separator: "\n") + "\n") }
    parts.append(summary + "\n")
    return parts.joined(separator: "\n")
  }

  /// Decided rows come first, and of those the ones that decide.
  private static func isShownFirst(_ one: ComparisonRow, _ other: ComparisonRow) -> Bool {
    func rank(_ row: ComparisonRow) -> (Int, Int, Int) {
      let verdict =
        switch row.verdict {
        case .worse: 0
        case .better: 1
        case .equivalent: 2
        case .inconclusive: 3
        }
      return (verdict, row.metric.isDeciding ? 0 : 1, row.subject.variant == nil ? 0 : 1)
    }
    return rank(one) < rank(other)
  }

  private var scenarios: [String] {
    var names: [String] = []
    for name in rows.map(\.subject.scenario) where !names.contains(name) { names.append(name) }
    return names
  }

  private func table(_ rows: [ComparisonRow], _ subjects: [ComparedSubject], colour: Bool, width: Int?) -> String {
    var table = TextTable(columns: [
      .left("strategy"), .left("measure"), .left("role", dropped: 1), .right("baseline", dropped: 3),
      .right("candidate", dropped: 2), .right("ratio"), .right("95 % interval"), .right("A/A noise", dropped: 4),
      .right("minimum effect", dropped: 5), .left("verdict"),
      .left("decided by", dropped: 6),
    ])
    var last: ComparedSubject?
    for row in rows {
      let interval = row.estimate.interval.map {
        "\(HumanReadable.significant($0.low))…\(HumanReadable.significant($0.high))"
      }
      table.append([
        TextTable.Cell(row.subject == last ? "" : row.subject.name(among: subjects)), TextTable.Cell(row.metric.column),
        TextTable.Cell(row.metric.role), TextTable.Cell(Self.value(row.baseMedian, column: row.metric.column)),
        TextTable.Cell(Self.value(row.headMedian, column: row.metric.column)),
        TextTable.Cell(HumanReadable.ratio(row.estimate.ratio)),
        TextTable.Cell(interval ?? HumanReadable.notMeasured),
        TextTable.Cell(row.noise.map { "±" + Self.percent($0) } ?? "unknown"),
        TextTable.Cell("±" + Self.percent(row.metric.effectMin)), TextTable.Cell(row.verdictText, row.emphasis),
        TextTable.Cell(row.rule),
      ])
      last = row.subject
    }
    return table.rendered(colour: colour, width: width)
  }

  func notes(_ subjects: [ComparedSubject]) -> [String] {
    var lines = executableNotes
    lines += missing.map { missing in
      let name = missing.subject.name(among: subjects + self.missing.map(\.subject))
      return "not measured: \(missing.subject.scenario), \(name), \(missing.metric.column): the baseline has it"
    }
    lines += appearances.map { change in
      let name = change.subject.name(among: subjects + appearances.map(\.subject))
      let values = [change.baseMedian, change.headMedian].map { Self.value($0, column: change.metric.column) }
      return "no ratio: \(change.subject.scenario), \(name), \(change.metric.column): "
        + "was \(values[0]) and is \(values[1])"
    }
    lines += added.map { "new: \($0.scenario), \($0.name(among: added)): the baseline does not have it" }
    if rows.contains(where: \.isAdvisory) {
      lines.append(
        "advisory: intervals are of these two runs only, and how much two runs of one executable differ is unknown. "
          + "Give two or more --noise-run of the baseline, or run --against its executable")
    }
    lines += drifts.map { drift in
      "drift: \(drift.scenario), \(drift.run): \(drift.metric.column) changed by \(Self.percent(drift.change)) from the first "
        + "repetition to the last (p = \(HumanReadable.significant(drift.p))); --against is free of it"
    }
    return lines + advice
  }

  /// Which executables were compared.
  private var executableNotes: [String] {
    let (base, head) = executables
    if let base, base == head { return ["baseline and candidate: \(base)"] }
    return [base.map { "baseline: \($0)" }, head.map { "candidate: \($0)" }].compactMap(\.self)
  }

  /// How much would decide the rows that are inconclusive.
  private var advice: [String] {
    let open = rows.filter { $0.needed != nil }
    let cells = open.compactMap { if case .cells(let count) = $0.needed { count } else { nil } }.max()
    let runs = open.compactMap { if case .runs(let count) = $0.needed { count } else { nil } }.max()
    let words = [cells.map { "--repetitions \($0)" }, runs.map { "\($0) runs of the baseline and of the candidate" }]
    guard let effect = open.map(\.plannedEffect).max(), cells != nil || runs != nil else { return [] }
    return [
      "to decide: \(words.compactMap(\.self).joined(separator: ", ")) would show a change of \(Self.percent(effect)) in 4 "
        + "of 5 cases in each inconclusive row"
    ]
  }

  /// How many rows have which verdict.
  var summary: String {
    func counts(_ rows: [ComparisonRow]) -> String {
      let verdicts: [(ComparisonRow.Verdict, String)] = [
        (.worse, "worse in"), (.better, "better in"), (.equivalent, "equivalent in"),
        (.inconclusive, "inconclusive in"),
      ]
      let parts = verdicts.compactMap { verdict, words -> String? in
        let count = rows.count { $0.verdict == verdict }
        return count == 0 ? nil : "\(words) \(count)"
      }
      return parts.joined(separator: ", ") + " of " + (rows.count == 1 ? "1 comparison" : "\(rows.count) comparisons")
    }
    let deciding = rows.filter(\.metric.isDeciding)
    let secondary = rows.filter { !$0.metric.isDeciding }
    var text = deciding.isEmpty ? "nothing that decides was compared" : counts(deciding)
    if !secondary.isEmpty { text += "; secondary: " + counts(secondary) }
    return missing.isEmpty ? text : text + "; \(missing.count) of the baseline not measured"
  }

  private static func percent(_ share: Double) -> String { HumanReadable.significant(share * 100) + " %" }

  /// A value of a column of `cells.csv` in its unit.
  static func value(_ value: Double?, column: String) -> String {
    guard let value else { return HumanReadable.notMeasured }
    if column.contains(" latency_ns_") { return HumanReadable.seconds(value / 1e9) }
    let unit = Table<CellRow>.cells.columns.first { $0.name == column }?.unit
    switch unit {
    case "s": return HumanReadable.seconds(value)
    case "ns": return HumanReadable.seconds(value / 1e9)
    case "bytes": return HumanReadable.bytes(UInt64(max(0, value)))
    default: return column.hasSuffix("_ratio") ? HumanReadable.ratio(value) : HumanReadable.significant(value)
    }
  }
}

extension ComparisonRow {
  /// The reason of its verdict; empty where nothing did.
  var rule: String {
    func test(_ p: Double) -> String { "p = \(HumanReadable.significant(p)), by Holm's rule" }
    return switch verdict {
    case .worse: test(pWorse)
    case .better: test(pBetter)
    case .equivalent: "interval within the minimum effect"
    case .inconclusive: ""
    }
  }

  /// The verdict in the words of the metric: slower and faster of times, more and less of anything else.
  package var verdictText: String {
    switch verdict {
    case .worse, .better, .equivalent: return words(verdict)
    case .inconclusive:
      if let leaning, leaning != .inconclusive { return "inconclusive; \(words(leaning)) in these two runs" }
      switch needed {
      case .cells(let count) where count > headCount:
        return "inconclusive: \(count - headCount) more cells would decide"
      case .runs(let count): return "inconclusive: \(count) runs on either side would decide"
      case .cells, nil: return verdict.rawValue
      }
    }
  }

  private func words(_ verdict: Verdict) -> String {
    let isTime = metric.isOfLatencies || metric.column.hasSuffix("_s") || metric.column.hasSuffix("_ratio")
    switch verdict {
    case .worse: return isTime ? "slower" : "more"
    case .better: return isTime ? "faster" : "less"
    case .equivalent, .inconclusive: return verdict.rawValue
    }
  }

  var emphasis: Emphasis {
    switch verdict {
    case .worse: metric.isDeciding ? .bad : .caution
    case .better: .good
    case .equivalent: .plain
    case .inconclusive: .caution
    }
  }
}
