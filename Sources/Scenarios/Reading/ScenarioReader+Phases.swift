import Yams

extension ScenarioReader {
  /// The keys of a phase.
  private static let phaseKeys: [ScenarioKey] = [
    ScenarioKey("name", .text, "Names the phase in messages and in timings.csv; phase 1, phase 2, … by default."),
    ScenarioKey("duration_s", .number(0.1...86_400), unit: "s", "The phase ends after so long."),
    ScenarioKey(
      "operations", .integer(1...1_000_000_000), unit: "operations",
      "The phase ends after so many operations of all clients together."),
    ScenarioKey("think_ms", .number(0...60_000), unit: "ms", "Mean time a client waits between two operations."),
  ]

  /// The phases of a workload in canonical form, or nil and the problems.
  mutating func readPhases(_ node: Node, operations: [String]) -> String? {
    guard let sequence = node.sequence, !sequence.isEmpty else {
      report(node, "phases", "is not a list of phases", "Write - weights: {operation: weight} for each phase")
      return nil
    }
    let before = problems.count
    let phases = sequence.enumerated().compactMap { readPhase($1, "phases[\($0 + 1)]", $0, operations) }
    return problems.count == before ? Phase.encoded(phases) : nil
  }

  private mutating func readPhase(_ node: Node, _ path: String, _ index: Int, _ operations: [String]) -> Phase? {
    guard let mapping = node.mapping else {
      report(node, path, "is not a section", "Write weights, and duration_s or operations, below it")
      return nil
    }
    var phase = Phase(name: "phase \(index + 1)", weights: [:])
    for (keyNode, value) in mapping {
      let name = keyNode.scalar?.string ?? ""
      if name == "weights" {
        phase.weights = readWeights(value, path + ".weights", operations)
      } else if let key = Self.phaseKeys.first(where: { $0.name == name }) {
        guard let text = readScalar(value, key, path: path + "." + name) else { continue }
        switch name {
        case "name": phase.name = text
        case "duration_s": phase.durationSeconds = Double(text)
        case "operations": phase.operations = Int(text)
        default: phase.thinkMilliseconds = Double(text)
        }
      } else {
        report(
          keyNode, path + "." + name, "unknown key",
          NearestName.advice(for: name, in: ["weights"] + Self.phaseKeys.map(\.name)))
      }
    }
    if !mapping.keys.contains(where: { $0.scalar?.string == "weights" }) {
      report(
        node, path, "has no weights",
        "Write weights: {operation: weight}; operations: \(operations.joined(separator: ", "))")
    }
    return phase
  }

  private mutating func readWeights(_ node: Node, _ path: String, _ operations: [String]) -> [String: Int] {
    guard let mapping = node.mapping else {
      report(node, path, "is not a section", "Write {operation: weight}")
      return [:]
    }
    let type = ScenarioKey("weight", .integer(0...1_000_000), "How often it is drawn, in relation to the others.")
    var weights: [String: Int] = [:]
    for (keyNode, value) in mapping {
      let name = keyNode.scalar?.string ?? ""
      guard operations.contains(name) else {
        report(keyNode, path + "." + name, "unknown operation \(name)", NearestName.advice(for: name, in: operations))
        continue
      }
      weights[name] = readScalar(value, type, path: path + "." + name).flatMap { Int($0) }
    }
    if !weights.isEmpty, !weights.values.contains(where: { $0 > 0 }) {
      report(node, path, "draws nothing", "Give an operation a weight above 0")
    } else if weights.isEmpty, mapping.isEmpty {
      report(node, path, "is empty", "Write {operation: weight}; operations: \(operations.joined(separator: ", "))")
    }
    return weights
  }
}
