import Checking

/// The subject of a comparison: a scenario through one strategy with one set of options, or through all of them.
package struct ComparedSubject: Sendable, Hashable {
  package var scenario: String
  /// Nil for all strategies together.
  package var variant: Variant?

  /// A strategy with its options.
  package struct Variant: Sendable, Hashable {
    package var strategy: String
    package var options: String
    package var mergePolicy: String

    package init(strategy: String, options: String, mergePolicy: String) {
      self.strategy = strategy
      self.options = options
      self.mergePolicy = mergePolicy
    }
  }

  package init(scenario: String, variant: Variant?) {
    self.scenario = scenario
    self.variant = variant
  }

  init(_ key: CellKey) {
    self.init(
      scenario: key.scenario,
      variant: Variant(strategy: key.strategy, options: key.options, mergePolicy: key.mergePolicy))
  }

  /// `parent-child`, with its options where `others` of the same strategy have different ones; `all strategies`.
  package func name(among others: [ComparedSubject]) -> String {
    guard let variant else { return "all strategies" }
    let isOnly = !others.contains { $0 != self && $0.scenario == scenario && $0.variant?.strategy == variant.strategy }
    if isOnly { return variant.strategy }
    return [variant.strategy, variant.mergePolicy, variant.options].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
