import Checking
import Foundation
import Measuring
import Reporting

/// Strategies ranked by an app's weights, from the conclusions of a run and from the updates that two writers of one row lose.
package struct Recommendation: Sendable {
  /// A strategy that loses updates under every merge policy costs as much as one that takes so many times as long.
  package static let lossFactor = 4.0
  /// A ratio that cannot be distinguished from 1 counts as 1, unless it may be greater than this: then noise hides too much.
  package static let tieMax = 2.0

  /// A strategy that held.
  package struct Candidate: Sendable, Hashable {
    package var name: String
    package var strategy: String
    /// Its value / that of the best, by aspect: the mean over the conclusions; 1 where it counts as the best, none where few
    /// repetitions rank nothing.
    package var ratios: [Conclusion.Aspect: Double]
    /// Merge policies under which an update of two writers of one row was lost, of those that were tried.
    package var losing: [String]
    package var tried: Int
    /// The fewest schedules that a merge policy without a loss was tried in; 0 where each lost some.
    package var schedules: Int
    /// The worst stall of main in any of its cells, in nanoseconds; nil where none was measured. It is no part of the cost.
    package var worstStall: UInt64?
    /// The weighted geometric mean of the ratios and of the cost of losses.
    package var cost: Double
  }

  /// Best first; of equal ones first those that Apple does not deprecate, then the one that is better in more aspects.
  package let candidates: [Candidate]
  /// Strategies that did not hold, with their verdicts.
  package let excluded: [String]
  package let conclusions: [Conclusion]
  package let weights: RecommendationWeights

  /// Ranks the strategies that held in every conclusion.
  ///
  /// - Parameters:
  ///   - losses: rows of a matrix with lost updates; empty when none was made.
  ///   - cells: those of the conclusions, for the stalls.
  package init(
    _ conclusions: [Conclusion], losses: [MatrixRow], cells: [CellRow] = [], weights: RecommendationWeights
  ) {
    self.conclusions = conclusions
    self.weights = weights
    let lost = losses.filter { $0.kind == .lostUpdate }
    excluded = conclusions.flatMap { conclusion in conclusion.excluded.map { "\(conclusion.title): \($0)" } }
    var names: [String] = []
    for contender in conclusions.flatMap(\.rankings).flatMap(\.contenders) where !names.contains(contender.name) {
      names.append(contender.name)
    }
    let held = names.filter { name in
      conclusions.allSatisfy { conclusion in
        conclusion.rankings.allSatisfy { $0.contenders.contains { $0.name == name } }
      }
    }
    let stalls = Dictionary(
      cells.compactMap { cell in cell.stalls?.lateness.latencyNanosecondsMax.map { (cell.key.strategy, UInt64($0)) } },
      uniquingKeysWith: max)
    candidates = held.compactMap { Candidate($0, conclusions, lost, stalls, weights) }
      .sorted { ($0.cost, $0.deprecation, $0.sum, $0.name) < ($1.cost, $1.deprecation, $1.sum, $1.name) }
    precondition(candidates.count == held.count, "each strategy that held is ranked")
  }
}

extension Recommendation.Candidate {
  fileprivate init?(
    _ name: String, _ conclusions: [Conclusion], _ lost: [MatrixRow], _ stalls: [String: UInt64],
    _ weights: RecommendationWeights
  ) {
    let rankings = conclusions.flatMap(\.rankings)
    guard let strategy = rankings.flatMap(\.contenders).first(where: { $0.name == name })?.strategy else { return nil }
    self.name = name
    self.strategy = strategy
    worstStall = stalls[strategy]
    var logarithms: [(weight: Double, value: Double)] = []
    var ratios: [Conclusion.Aspect: Double] = [:]
    for aspect in Conclusion.Aspect.allCases {
      let values = rankings.filter { $0.aspect == aspect && $0.isRanked }.compactMap { ranking in
        ranking.contenders.first { $0.name == name }.map { log($0.counted) }
      }
      guard !values.isEmpty else { continue }
      let mean = values.reduce(0, +) / Double(values.count)
      ratios[aspect] = exp(mean)
      logarithms.append((weights.weight(of: aspect), mean))
    }
    self.ratios = ratios
    let own = lost.filter { $0.strategy == strategy && $0.result != .notExercised }
    losing = own.filter { $0.result == .violated }.map(\.mergePolicy)
    tried = own.count
    schedules = own.filter { $0.result == .clean }.compactMap(\.schedules).min() ?? 0
    if tried > 0 {
      logarithms.append((weights.safety, Double(losing.count) / Double(tried) * log(Recommendation.lossFactor)))
    }
    let total = logarithms.reduce(0) { $0 + $1.weight }
    cost = total > 0 ? exp(logarithms.reduce(0) { $0 + $1.weight * $1.value } / total) : 1
    precondition(cost >= 1 - 1e-9, "no strategy costs less than one that is the best in all")
  }

  /// For ties of the cost.
  fileprivate var deprecation: Int { Arrangement.of(strategy)?.isDeprecated == true ? 1 : 0 }
  fileprivate var sum: Double { ratios.values.reduce(0, +) + Double(losing.count) }
}

extension Conclusion.Contender {
  /// Whether noise hides whether it is as good as the best.
  var isHidden: Bool { isTied && (ratioHigh ?? 1) > Recommendation.tieMax }

  /// Its ratio to the best as it is counted.
  fileprivate var counted: Double { isTied && !isHidden ? 1 : max(1, ratio) }
}

extension RecommendationWeights {
  func weight(of aspect: Conclusion.Aspect) -> Double {
    switch aspect {
    case .mainThread: mainThread
    case .finish: throughput
    case .memory: memory
    }
  }
}

/// The weight of each aspect for an app; the sum does not matter.
package struct RecommendationWeights: Sendable, Hashable {
  package var mainThread: Double
  package var throughput: Double
  package var memory: Double
  package var safety: Double

  package init(mainThread: Double = 1, throughput: Double = 1, memory: Double = 1, safety: Double = 1) {
    let weights = [mainThread, throughput, memory, safety]
    precondition(weights.allSatisfy { $0 >= 0 && $0.isFinite }, "a weight is none, or more")
    self.mainThread = mainThread
    self.throughput = throughput
    self.memory = memory
    self.safety = safety
  }
}
