import Reporting

/// A key that grows through a scenario's cells, with its values: `importers=1..8`, or `importers=1,2,4`.
package struct ScenarioSweep: Sendable, Hashable {
  private static let source = "--sweep"
  private static let valuesMax = 100

  package let key: String
  package let values: [String]

  /// - Throws: `ScenarioProblem` where the text is neither.
  package init(_ text: String) throws(ScenarioProblem) {
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    let values = parts.count == 2 ? Self.values(parts[1]) : []
    guard let key = parts.first, !values.isEmpty, values.count <= Self.valuesMax, Set(values).count == values.count
    else {
      throw ScenarioProblem(
        source: Self.source, key: text, what: "is no key with values",
        advice: "Write key=first..last, or key=a,b,c: at most \(Self.valuesMax), each once")
    }
    (self.key, self.values) = (key, values)
  }

  private static func values(_ text: String) -> [String] {
    if let dots = text.firstRange(of: "..") {
      guard let first = Int(text[..<dots.lowerBound]), let last = Int(text[dots.upperBound...]), first <= last,
        last - first < valuesMax
      else { return [] }
      return (first...last).map { String($0) }
    }
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    return words.allSatisfy { Double($0)?.isFinite == true } ? words : []
  }

  /// The scenarios with every strategy once for each value, which is an option of it then.
  ///
  /// - Parameter load: reads the same scenarios with one more override.
  /// - Throws: `ScenarioProblems` for a value that the key does not take, and a key that their workloads do not read.
  package func applied(
    to scenarios: [Scenario], _ vocabulary: ScenarioVocabulary,
    _ load: (ScenarioOverride) throws(ScenarioProblems) -> [Scenario]
  ) throws(ScenarioProblems) -> [Scenario] {
    for scenario in scenarios {
      let workload = vocabulary.workload(named: scenario.settings[Keys.workload])
      let isOfAll = [Keys.notes.key.name, Keys.wordsPerNote.key.name].contains(key)
      guard workload?.reads(key) == true || isOfAll else {
        throw ScenarioProblems([
          ScenarioProblem(
            source: Self.source, key: key, what: "is no key of \(scenario.name)",
            advice: "See the keys of its workload: list keys")
        ])
      }
    }
    var swept = scenarios
    for index in swept.indices { swept[index].variants = [] }
    for value in values {
      let loaded = try load(ScenarioOverride(source: Self.source, key: key, value: value))
      precondition(loaded.count == scenarios.count, "an override reads the same scenarios")
      for (index, scenario) in loaded.enumerated() {
        precondition(scenario.settings.values[key] != nil, "a key that is read has the value that it was given")
        swept[index].variants += scenario.variants.map { variant in
          var variant = variant
          variant.options[key] = scenario.settings.values[key]
          return variant
        }
      }
    }
    guard swept.allSatisfy({ Set($0.variants).count == $0.variants.count }) else {
      throw ScenarioProblems([
        ScenarioProblem(source: Self.source, key: key, what: "has a value twice", advice: "Write each value once")
      ])
    }
    precondition(
      zip(swept, scenarios).allSatisfy { $0.variants.count >= values.count * $1.strategies.count },
      "each strategy has each value")
    return swept
  }
}
