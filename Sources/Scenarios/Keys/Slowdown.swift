/// A place of the code under test that a scenario can have slowed down on purpose, to see whether a comparison finds it.
package enum Slowdown: String, CaseIterable, Sendable {
  /// Saves of contexts.
  case stack
  /// Statements of SQLite.
  case sqlite
  /// Merges into main.
  case merge

  /// The scenario key that says by which share of its own time.
  package var key: String { "slowdown_" + rawValue }
}

extension ScenarioKey {
  /// The keys of slowdowns.
  static let slowdowns: [ScenarioKey] = [
    ScenarioKey(
      Slowdown.stack.key, .number(0...100), default: "0",
      "Share of its own time by which every save of a context takes longer: to see whether a comparison finds it."),
    ScenarioKey(
      Slowdown.sqlite.key, .number(0...100), default: "0",
      "Share of its own time by which every step of an SQLite statement takes longer; the floor's take none."),
    ScenarioKey(
      Slowdown.merge.key, .number(0...100), default: "0",
      "Share of its own time by which every merge into the main context takes longer."),
  ]
}
