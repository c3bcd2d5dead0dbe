/// Work that a cell does beside its own, to see whether a comparison finds it.
///
/// It is planted from outside: the stack under test has no place for it.
package enum Slowdown {
  /// The scenario key that says how much.
  package static let key = "slowdown_steps"
}

extension ScenarioKey {
  /// The keys of slowdowns.
  static let slowdowns: [ScenarioKey] = [
    ScenarioKey(
      Slowdown.key, .integer(0...1_000_000_000), default: "0",
      """
      Steps of a loop, of two instructions each, that every commit makes for each row that it wrote: to see whether a \
      comparison finds it.
      """
    )
  ]
}
