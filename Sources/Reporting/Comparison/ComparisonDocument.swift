/// A comparison as it is kept in a results folder, for every output to show.
package struct ComparisonDocument: Codable, Sendable, Hashable {
  /// The base of the comparison: a results folder, or `PATH, side by side`.
  package var baseline: String
  /// The exit code that the comparison alone asks for.
  package var status: ExitStatus
  /// How many rows are worse, better, equivalent and inconclusive, in a sentence; nil when nothing was compared.
  package var summary: String?
  /// Every row, in the order of the terminal's table.
  package var rows: [Row] = []
  /// Rows of the baseline that were not measured again.
  package var missing: [Missing] = []
  /// Advice and remarks, each a sentence.
  package var notes: [String] = []
  /// Why nothing could be compared; nil when it was.
  package var problem: String?

  /// The reason why a row fails the comparison.
  package enum Failure: String, Codable, Sendable {
    /// It is worse, and decides.
    case regression
    /// It is inconclusive, and had to be decided.
    case inconclusive
    /// It is better, and `--improvements` was given.
    case improvement
  }

  /// One subject by one measure.
  package struct Row: Codable, Sendable, Hashable {
    package var scenario: String
    /// Nil for all strategies together.
    package var strategy: String?
    package var options: String?
    package var mergePolicy: String?
    /// The strategy, with its options where others of its name were compared too.
    package var name: String
    /// The column of `cells.csv`.
    package var column: String
    /// `primary`, `threshold` or `secondary`.
    package var role: String
    package var baselineCount: Int
    package var candidateCount: Int
    package var baselineMedian: Double?
    package var candidateMedian: Double?
    package var ratio: Double
    package var ratioLow: Double?
    package var ratioHigh: Double?
    package var minimumEffect: Double
    package var noise: Double?
    package var pWorse: Double
    package var pBetter: Double
    /// `worse`, `better`, `equivalent` or `inconclusive`.
    package var verdict: String
    package var advisoryVerdict: String?
    package var cellsNeeded: Int?
    package var runsNeeded: Int?
    /// The verdict in the words of the measure.
    package var verdictText: String
    /// Why the comparison fails by this row; nil when it does not.
    package var failure: Failure?
  }

  /// A row of the baseline without a value in the candidate.
  package struct Missing: Codable, Sendable, Hashable {
    package var scenario: String
    package var name: String
    package var column: String

    /// In a sentence.
    package var sentence: String {
      "\(scenario), \(name), \(column): the baseline has it, and it was not measured again"
    }
  }

  /// Keeps a comparison.
  package init(_ comparison: Comparison, baseline: String, failsOnImprovement: Bool) {
    let comparison = comparison.planned()
    let subjects = comparison.rows.map(\.subject)
    self.baseline = baseline
    status = ExitStatus(comparison, failsOnImprovement: failsOnImprovement)
    summary = comparison.summary
    notes = comparison.notes(subjects)
    rows = comparison.rows.map { row in
      Row(row, name: row.subject.name(among: subjects)) { comparison.failure(of: row, failsOnImprovement) }
    }
    let all = subjects + comparison.missing.map(\.subject)
    missing = comparison.missing.map {
      Missing(scenario: $0.subject.scenario, name: $0.subject.name(among: all), column: $0.metric.column)
    }
    precondition(status != .passed || failures.isEmpty, "a comparison that passes has no row that fails it")
  }

  /// Keeps that nothing could be compared.
  package init(baseline: String, status: ExitStatus, problem: String) {
    precondition(status != .passed && !problem.isEmpty, "what could not be compared has not passed, and says why")
    self.baseline = baseline
    self.status = status
    self.problem = problem
  }

  /// The rows by which the comparison fails.
  package var failures: [Row] { rows.filter { $0.failure != nil } }
}

extension ComparisonDocument.Row {
  fileprivate init(_ row: ComparisonRow, name: String, failure: () -> ComparisonDocument.Failure?) {
    scenario = row.subject.scenario
    strategy = row.subject.variant?.strategy
    options = row.subject.variant?.options
    mergePolicy = row.subject.variant?.mergePolicy
    self.name = name
    column = row.metric.column
    role = row.metric.role
    (baselineCount, candidateCount) = (row.baseCount, row.headCount)
    (baselineMedian, candidateMedian) = (row.baseMedian, row.headMedian)
    ratio = row.estimate.ratio
    (ratioLow, ratioHigh) = (row.estimate.interval?.low, row.estimate.interval?.high)
    minimumEffect = row.metric.effectMin
    noise = row.noise
    (pWorse, pBetter) = (row.pWorse, row.pBetter)
    verdict = row.verdict.rawValue
    advisoryVerdict = row.leaning?.rawValue
    switch row.needed {
    case .cells(let count): cellsNeeded = count
    case .runs(let count): runsNeeded = count
    case nil: break
    }
    verdictText = row.verdictText
    self.failure = failure()
  }

  /// The ratio with its interval: `1.12× (1.08…1.16)`.
  package var ratioText: String {
    guard let ratioLow, let ratioHigh else { return HumanReadable.ratio(ratio) }
    return
      "\(HumanReadable.ratio(ratio)) (\(HumanReadable.significant(ratioLow))…\(HumanReadable.significant(ratioHigh)))"
  }

  /// A median in the unit of the measure.
  package func text(_ median: Double?) -> String { Comparison.value(median, column: column) }

  /// In one sentence.
  package var sentence: String {
    let medians = baselineMedian == nil ? "" : ", \(text(baselineMedian)) → \(text(candidateMedian))"
    return "\(scenario), \(name), \(column): \(verdictText): \(ratioText) of the baseline\(medians); "
      + "minimum effect \(HumanReadable.significant(minimumEffect * 100)) %"
  }
}

extension Comparison {
  /// Why the comparison fails by a row; nil when it does not.
  fileprivate func failure(of row: ComparisonRow, _ failsOnImprovement: Bool) -> ComparisonDocument.Failure? {
    switch row.verdict {
    case .worse: return row.metric.isDeciding ? .regression : nil
    case .better: return failsOnImprovement && row.metric.isDeciding ? .improvement : nil
    case .equivalent: return nil
    case .inconclusive:
      let isOpen =
        (mustShow != nil && !row.metric.isOfLatencies) || row.metric.isNamed || (row.metric.isPrimary && isPrimaryOpen)
      return isOpen ? .inconclusive : nil
    }
  }
}

extension ExitStatus {
  /// The status of a comparison; a row that was not measured again outweighs a regression, that an inconclusive row, and
  /// that an improvement.
  package init(_ comparison: Comparison, failsOnImprovement: Bool) {
    self =
      if !comparison.missing.isEmpty {
        .baselineMissing
      } else if !comparison.regressions.isEmpty {
        .regression
      } else if comparison.isInconclusive {
        .inconclusive
      } else if failsOnImprovement, !comparison.improvements.isEmpty {
        .improvement
      } else {
        .passed
      }
  }
}
