import Checking
import Measuring

/// The repetitions of one strategy with the same options and merge policy in one scenario.
struct HTMLReportGroup: Sendable {
  /// The strategy, and its difference from others of its name.
  let title: String
  let rows: [CellRow]

  /// The groups of one scenario's cells, in the order of ``StrategyOrder``.
  static func groups(of cells: [CellRow]) -> [HTMLReportGroup] {
    let grouped = Dictionary(grouping: cells) { Identity($0.key) }
    let groups = grouped.map { identity, rows in
      let others = grouped.keys.filter { $0.strategy == identity.strategy && $0 != identity }
      return HTMLReportGroup(
        title: ([identity.strategy] + identity.differences(from: others)).joined(separator: " "), rows: rows)
    }
    return groups.map { (StrategyOrder.place($0.rows), $0) }.sorted { ($0.0, $0.1.title) < ($1.0, $1.1.title) }.map(\.1)
  }

  /// The worst verdict, in how many of its cells, and whether the scenario expects it; nil without cells.
  var verdict: JudgedVerdict? { JudgedVerdict(rows.map { ($0.verdict, $0.ending) }) }

  private struct Identity: Hashable {
    let strategy: String
    let options: [String]
    let mergePolicy: String

    init(_ key: CellKey) {
      strategy = key.strategy
      options = key.options.split(separator: ";").map(String.init)
      mergePolicy = key.mergePolicy
    }

    /// Options, and the merge policy, in which it is not like all others.
    func differences(from others: [Identity]) -> [String] {
      let options = options.filter { option in others.contains { !$0.options.contains(option) } }
      return options + (others.contains { $0.mergePolicy != mergePolicy } ? ["merge_policy=\(mergePolicy)"] : [])
    }
  }
}
