import Checking
import Measuring

/// The conclusions from a scenario's cells about its strategies: among those that held, which is best by each aspect, how far
/// the others are behind it, and the costs and risks of each.
package struct Conclusion: Codable, Sendable, Hashable {
  /// The aspects of a ranking; of each less is better.
  package enum Aspect: String, Codable, Sendable, CaseIterable {
    /// How long the main thread is busy or blocked.
    case mainThread = "main thread"
    /// When everything is in the file and shown by main.
    case finish
    /// How much resident memory the process takes at most.
    case memory

    /// The column of `cells.csv`.
    package var column: String {
      switch self {
      case .mainThread: "main_thread_s"
      case .finish: "until_visible_s"
      case .memory: "rss_bytes_peak"
      }
    }
  }

  /// A strategy with its options.
  package struct Contender: Codable, Sendable, Hashable {
    /// The strategy, with the options in which it differs from others of its name.
    package var name: String
    package var strategy: String
    /// Its median.
    package var median: Double
    /// Its value / that of the best; 1 of the best itself.
    package var ratio: Double
    /// The 95 % interval of the ratio; nil of the best, and of fewer than five repetitions.
    package var ratioLow: Double?
    package var ratioHigh: Double?

    /// Whether its interval does not lie above 1, so that it is not shown to be behind the best by the medians.
    package var isTied: Bool { ratioLow.map { $0 <= 1 } ?? true }
  }

  /// The strategies that held, best first.
  package struct Ranking: Codable, Sendable, Hashable {
    package var aspect: Aspect
    /// ``Aspect/column``, for readers of the file.
    package var column: String
    package var contenders: [Contender]
    /// Fewest repetitions of any of them.
    package var repetitions: Int
  }

  /// A mistake of a strategy, or an expected one.
  package struct Risk: Codable, Sendable, Hashable {
    package var name: String
    package var kind: String
    /// Whether the scenario expects it.
    package var isExpected: Bool
    package var isWarning: Bool
    package var cells: Int
    package var ofCells: Int
  }

  package var scenario: String
  /// The common setting where the scenario varies an option of all strategies: `save_every=5`; else empty.
  package var setting: String
  /// Strategies of the scenario.
  package var strategies: Int
  /// Those that did not hold, and are not ranked, each with its verdict.
  package var excluded: [String]
  package var rankings: [Ranking]
  package var risks: [Risk]

  /// The conclusions of a run: one for each scenario with several strategies, and for each setting that it varies for all of
  /// them. Cells that only ran to be compared with must have been left out.
  package static func all(cells: [CellRow], violations: [ViolationRow]) -> [Conclusion] {
    var scenarios: [String] = []
    for row in cells where !scenarios.contains(row.key.scenario) { scenarios.append(row.key.scenario) }
    return scenarios.flatMap { name in
      ConclusionGroup.partitions(cells.filter { $0.key.scenario == name }).compactMap { setting, groups in
        Conclusion(name, setting, groups, violations.filter { $0.key.scenario == name })
      }
    }
  }

  /// Nil where there are not two strategies to choose from, or none held.
  private init?(_ scenario: String, _ setting: String, _ groups: [ConclusionGroup], _ violations: [ViolationRow]) {
    let held = groups.filter(\.isHeld)
    guard groups.count >= 2, !held.isEmpty else { return nil }
    self.scenario = scenario
    self.setting = setting
    strategies = groups.count
    excluded = groups.filter { !$0.isHeld }.map { "\($0.name): \($0.verdict)" }
    rankings = Aspect.allCases.compactMap { Ranking($0, held) }
    risks = groups.flatMap { $0.risks(violations) }
    if rankings.isEmpty { return nil }
    precondition(rankings.allSatisfy { $0.contenders.count <= held.count }, "only strategies that held are ranked")
  }
}

extension Conclusion.Ranking {
  /// Ranks groups by their medians; nil when fewer than two were measured.
  fileprivate init?(_ aspect: Conclusion.Aspect, _ groups: [ConclusionGroup]) {
    let metric = ComparedMetric(aspect.column)
    let measured = groups.compactMap { group -> (group: ConclusionGroup, median: Double)? in
      let values = group.rows.compactMap(metric.value).filter { $0 > 0 }
      return Statistics.median(values).map { (group, $0) }
    }.sorted { $0.median < $1.median }
    guard measured.count >= 2, let best = measured.first else { return nil }
    self.aspect = aspect
    column = aspect.column
    repetitions = measured.map { $0.group.rows.compactMap(metric.value).count }.min() ?? 0
    contenders = measured.enumerated().map { place, entry in
      var contender = Conclusion.Contender(
        name: entry.group.name, strategy: entry.group.strategy, median: entry.median, ratio: 1)
      if place > 0 {
        guard let estimate = entry.group.ratio(to: best.group, metric) else {
          preconditionFailure("two strategies that were measured have a ratio")
        }
        contender.ratio = estimate.ratio
        (contender.ratioLow, contender.ratioHigh) = (estimate.interval?.low, estimate.interval?.high)
      }
      return contender
    }
  }

  /// Those that cannot be distinguished from the best.
  package var tied: [Conclusion.Contender] { contenders.dropFirst().filter(\.isTied) }
  /// Those that are behind it.
  package var behind: [Conclusion.Contender] { contenders.dropFirst().filter { !$0.isTied } }
}
