import Scenarios

/// Strategies and workloads the tests may use, independent of the registered ones.
package let testVocabulary = ScenarioVocabulary(
  strategies: [
    StrategyDescription(name: "notification-merge", options: ["merge": "async", "reset_after_save": "true"]),
    StrategyDescription(name: "parent-child", options: ["root_save": "each", "reset_after_save": "true"]),
    StrategyDescription(name: "main-only"),
  ],
  workloads: [
    WorkloadDescription(
      name: "import",
      keys: [
        Keys.importers.key, Keys.saveEvery.key, Keys.ratePerSecond.key, Keys.pageSize.key, Keys.pageEveryTicks.key,
        Keys.floor.key,
      ]),
    WorkloadDescription(
      name: "delete-during-request",
      keys: [
        Keys.clients.key, Keys.care.key,
        ScenarioKey("requests", .integer(1...1_000_000), default: "200", quick: "60", "How many."),
      ]),
    WorkloadDescription(
      name: "nested-perform-and-wait",
      keys: [
        Keys.clients.key, Keys.processes.key, Keys.rounds.key,
        ScenarioKey("depth", .integer(1...64), default: "4", "How deep."),
      ]),
  ],
  checks: ["lost-record", "overlap", "stale-read"])

/// Reads a scenario text that has to be right.
package func readScenario(
  _ text: String, quick: Bool = false, set overrides: [String] = [], vocabulary: ScenarioVocabulary = testVocabulary
) throws -> Scenario {
  var reader = ScenarioReader(
    source: "test.yml", vocabulary: vocabulary, quick: quick,
    overrides: try overrides.map { try ScenarioOverride(set: $0) })
  return try reader.read(text)
}

/// The problems of a scenario text, as they are printed.
package func problems(
  of text: String, set overrides: [String] = [], vocabulary: ScenarioVocabulary = testVocabulary
) -> [String] {
  do {
    _ = try readScenario(text, set: overrides, vocabulary: vocabulary)
    return []
  } catch let error as ScenarioProblems {
    return error.problems.map(\.description)
  } catch {
    return ["\(error)"]
  }
}

/// The two lines every scenario needs.
package let minimal = """
  workload: import
  strategies: [parent-child, main-only]

  """
