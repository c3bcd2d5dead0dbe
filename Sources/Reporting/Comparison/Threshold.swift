/// The smallest difference that counts, from a scenario or a file of thresholds.
package struct Threshold: Sendable, Hashable, CustomStringConvertible {
  /// Scenario it is about; nil for all.
  package var scenario: String?
  /// Strategy it is about; nil for each, and for all together.
  package var strategy: String?
  /// Column of `cells.csv`; one that is not compared by itself is then compared too.
  package var column: String
  /// Relative difference above 0: 0.1 for 10 %.
  package var effect: Double
  /// Where it is declared: `thresholds.yml:3`.
  package var source: String

  package init(scenario: String?, strategy: String?, column: String, effect: Double, source: String) {
    precondition(effect > 0, "whoever reads a threshold refuses one of 0")
    self.scenario = scenario
    self.strategy = strategy
    self.column = column
    self.effect = effect
    self.source = source
  }

  package var description: String {
    [scenario, strategy, column].compactMap(\.self).joined(separator: ", ")
  }

  func matches(_ subject: ComparedSubject) -> Bool {
    (scenario == nil || scenario == subject.scenario) && (strategy == nil || strategy == subject.variant?.strategy)
  }
}
