import Checking
import Measuring

/// The cells of one scenario and strategy with the same options and merge policy: repetitions of one another.
package struct CellGroup: Sendable {
  package var scenario: String
  package var strategy: String
  package var options: String
  package var mergePolicy: String
  package var cells: [CellRow] = []
  package var timings: [TimingRow] = []
  package var violations: [ViolationRow] = []
  /// `scenario/strategy`, and in brackets its difference from other groups of the strategy.
  package var name = ""

  private struct Identity: Hashable {
    let scenario: String
    let strategy: String
    let options: String
    let mergePolicy: String

    init(_ key: CellKey) {
      scenario = key.scenario
      strategy = key.strategy
      options = key.options
      mergePolicy = key.mergePolicy
    }

    init(_ group: CellGroup) {
      scenario = group.scenario
      strategy = group.strategy
      options = group.options
      mergePolicy = group.mergePolicy
    }
  }

  private init(_ identity: Identity) {
    scenario = identity.scenario
    strategy = identity.strategy
    options = identity.options
    mergePolicy = identity.mergePolicy
  }

  /// The groups of results by scenario, and then in the order of ``StrategyOrder``, so that two exports of the same rows are
  /// the same. Warm-up cells are in none.
  package static func groups(of exported: ExportedResults) -> [CellGroup] {
    var groups: [Identity: CellGroup] = [:]
    func add(_ key: CellKey, _ change: (inout CellGroup) -> Void) {
      let identity = Identity(key)
      change(&groups[identity, default: CellGroup(identity)])
    }
    for row in exported.cells { add(row.key) { $0.cells.append(row) } }
    for row in exported.results.timings { add(row.key) { $0.timings.append(row) } }
    for row in exported.results.violations where row.key.repetition >= 0 {
      add(row.key) { $0.violations.append(row) }
    }
    let places = groups.mapValues { StrategyOrder.place($0.cells) }
    func place(_ group: CellGroup) -> Double { places[Identity(group)] ?? .infinity }
    let sorted = groups.values.sorted {
      ($0.scenario, place($0), $0.strategy, $0.options, $0.mergePolicy)
        < ($1.scenario, place($1), $1.strategy, $1.options, $1.mergePolicy)
    }
    precondition(sorted.reduce(0) { $0 + $1.cells.count } == exported.cells.count, "each cell is in one group")
    return sorted.map { group in
      var group = group
      let siblings = sorted.filter { $0.scenario == group.scenario && $0.strategy == group.strategy }
      group.name = "\(group.scenario)/\(group.strategy)" + group.distinction(from: siblings)
      return group
    }
  }

  /// Its difference from its siblings: the options with other values, and the merge policy where it differs.
  private func distinction(from siblings: [CellGroup]) -> String {
    let others = siblings.map { Set($0.options.split(separator: ";")) }
    var words = options.split(separator: ";").filter { word in others.contains { !$0.contains(word) } }.map(String.init)
    if siblings.contains(where: { $0.mergePolicy != mergePolicy }) { words.append(mergePolicy) }
    return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
  }

  /// How its worst cell ended.
  package var ending: RunEnding { cells.map(\.ending).max() ?? .passed }
}
