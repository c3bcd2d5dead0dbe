import Checking

extension Comparison {
  /// Compares runs with counted instructions, pair by pair: cells of the same data, which differ by their code alone.
  ///
  /// - Throws: `ComparisonProblem` when only one of them counted, they are of two machines, no cell has a partner, or a
  ///   threshold matched nothing.
  static func counts(
    _ base: Results, _ head: Results, _ options: ComparisonOptions
  ) throws(ComparisonProblem) -> Comparison {
    for (results, other) in [(base, head), (head, base)] where !results.countsInstructions {
      throw ComparisonProblem(
        "\(other.path) counted instructions, \(results.path) did not", "Compare runs of the same kind")
    }
    guard areOfOneMachine([base, head]) != false else {
      throw ComparisonProblem(
        "the counts are of two machines, whose libraries take other steps", "Count both executables on one: --against")
    }
    var comparison = Comparison(
      pairsOf: paired(base.cells, as: .base) + paired(head.cells, as: .head), mustShow: options.mustShow
    ) { subject in
      options.metrics(of: subject, over: ComparedMetric.counts)
    }
    comparison.executables = (base.manifest?.executableSummary, head.manifest?.executableSummary)
    let (old, new) = (ComparedCells(base.cells), ComparedCells(head.cells))
    comparison.added = new.subjects.filter { !old.subjects.contains($0) }
    guard !comparison.rows.isEmpty else {
      throw ComparisonProblem(
        "no cell of \(base.path) has one of the same strategy, options, seed and repetition in \(head.path)",
        "Count both with the same scenarios and repetitions")
    }
    try options.checkThresholds(
      comparison.rows.map { ($0.subject, $0.metric) } + comparison.missing.map { ($0.subject, $0.metric) })
    return comparison
  }

  /// The cells of a run as one side of pairs.
  private static func paired(_ rows: [CellRow], as arm: Arm) -> [CellRow] {
    rows.filter { $0.arm != .base }.map { row in
      var row = row
      row.arm = arm
      row.key.run = ""
      return row
    }
  }
}

extension Results {
  /// Whether its cells were counted and not timed.
  var countsInstructions: Bool { cells.contains { $0.instructions != nil } }
}
