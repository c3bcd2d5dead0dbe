/// The part of a strategy that other targets need, without its code.
package struct StrategyDescription: Sendable {
  /// Name on the command line, in scenario files and in the CSV.
  package let name: String
  /// One sentence for `contextbench list`.
  package let summary: String
  /// The options it reads besides those of every strategy, each with its default.
  package let options: [String: String]
  /// Keys of scenario files that only this strategy declares.
  package let keys: [ScenarioKey]
  /// Whether saves are handed on from one context to another in a cell of these settings.
  package let deliversSaves: @Sendable (ScenarioSettings) -> Bool

  /// Makes a description; without more than a name it is of a strategy that has nothing of its own.
  package init(
    name: String, summary: String = "", options: [String: String] = [:], keys: [ScenarioKey] = [],
    deliversSaves: @escaping @Sendable (ScenarioSettings) -> Bool = { _ in true }
  ) {
    self.name = name
    self.summary = summary
    self.options = options
    self.keys = keys
    self.deliversSaves = deliversSaves
  }
}
