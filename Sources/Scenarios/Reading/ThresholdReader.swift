import Foundation
import Reporting
import Yams

/// Reads a list of thresholds, collecting every problem on the way.
struct ThresholdReader {
  /// The file as messages name it.
  let source: String
  let vocabulary: ScenarioVocabulary
  /// The scenario of the file; nil for a file of thresholds, with entries that may name one.
  let scenario: String?
  var problems: [ScenarioProblem] = []

  private static let keys: [ScenarioKey] = [
    ScenarioKey("scenario", .text, "Scenario it is about; all by default."),
    ScenarioKey("strategy", .text, "Strategy it is about; each by default."),
    ScenarioKey("column", .text, "Column of cells.csv in which less is better."),
    ScenarioKey("percent", .number(0.01...10_000), unit: "%", "Difference from which on it counts."),
  ]

  init(source: String, vocabulary: ScenarioVocabulary, scenario: String?) {
    self.source = source
    self.vocabulary = vocabulary
    self.scenario = scenario
  }

  /// The list's thresholds.
  mutating func read(_ node: Node) -> [Threshold] {
    guard let sequence = node.sequence else {
      report(node, "thresholds", "is not a list", "Write - {column: floor_ratio, percent: 10} for each")
      return []
    }
    return sequence.enumerated().compactMap { readEntry($1, "thresholds[\($0 + 1)]") }
  }

  private mutating func readEntry(_ node: Node, _ path: String) -> Threshold? {
    guard let mapping = node.mapping else {
      report(node, path, "is not a section", "Write {column: floor_ratio, percent: 10}")
      return nil
    }
    let keys = Self.keys.filter { scenario == nil || $0.name != "scenario" }
    var values: [String: String] = [:]
    for (keyNode, value) in mapping {
      let name = keyNode.scalar?.string ?? ""
      guard let key = keys.first(where: { $0.name == name }) else {
        report(keyNode, "\(path).\(name)", "unknown key", NearestName.advice(for: name, in: keys.map(\.name)))
        continue
      }
      var scalars = ScenarioReader(source: source, vocabulary: vocabulary, quick: false, overrides: [])
      values[name] = scalars.readScalar(value, key, path: "\(path).\(name)")
      problems += scalars.problems
    }
    for name in ["column", "percent"] where !mapping.keys.contains(where: { $0.scalar?.string == name }) {
      report(node, path, "has no \(name)", "Write {column: floor_ratio, percent: 10}")
    }
    check(values["column"], among: ComparedMetric.comparable, "column", node, path)
    check(values["strategy"], among: vocabulary[.strategies], "strategy", node, path)
    guard let column = values["column"], let percent = values["percent"].flatMap(Double.init) else { return nil }
    precondition(percent > 0, "a difference that counts is one")
    return Threshold(
      scenario: scenario ?? values["scenario"], strategy: values["strategy"], column: column, effect: percent / 100,
      source: node.mark.map { "\(source):\($0.line)" } ?? source)
  }

  private mutating func check(_ name: String?, among known: [String], _ noun: String, _ node: Node, _ path: String) {
    guard let name, !known.contains(name) else { return }
    report(node, "\(path).\(noun)", "unknown \(noun) \(name)", NearestName.advice(for: name, in: known))
  }

  private mutating func report(_ node: Node, _ key: String, _ what: String, _ advice: String) {
    problems.append(ScenarioProblem(source: source, line: node.mark?.line, key: key, what: what, advice: advice))
  }
}

/// A file of thresholds: a `thresholds:` list as scenario files have it, for runs that are compared without them.
package enum ThresholdFile {
  /// Reads a file.
  ///
  /// - Throws: every problem of the file.
  package static func read(
    _ path: String, vocabulary: ScenarioVocabulary
  ) throws(ScenarioProblems) -> [Threshold] {
    guard let data = FileManager.default.contents(atPath: path), let text = String(validating: data, as: UTF8.self)
    else {
      let advice = "Give the path of a YAML file with a list thresholds:"
      throw ScenarioProblems([ScenarioProblem(source: path, what: "cannot be read", advice: advice)])
    }
    var reader = ThresholdReader(source: path, vocabulary: vocabulary, scenario: nil)
    let thresholds = reader.readFile(text)
    guard reader.problems.isEmpty else { throw ScenarioProblems(reader.problems) }
    return thresholds
  }
}

extension ThresholdReader {
  fileprivate mutating func readFile(_ text: String) -> [Threshold] {
    let advice = "Write thresholds: and below it - {column: floor_ratio, percent: 10}"
    do {
      guard let root = try Yams.compose(yaml: text)?.mapping else {
        problems.append(ScenarioProblem(source: source, line: 1, what: "has no list of thresholds", advice: advice))
        return []
      }
      var thresholds: [Threshold] = []
      for (key, value) in root {
        if key.scalar?.string == "thresholds" {
          thresholds = read(value)
        } else {
          let name = key.scalar?.string ?? ""
          problems.append(
            ScenarioProblem(source: source, line: key.mark?.line, key: name, what: "unknown key", advice: advice))
        }
      }
      if thresholds.isEmpty, problems.isEmpty {
        problems.append(ScenarioProblem(source: source, line: 1, what: "has no thresholds", advice: advice))
      }
      return thresholds
    } catch let error as YamlError {
      problems.append(ScenarioProblem(yaml: error, source: source))
    } catch {
      problems.append(ScenarioProblem(source: source, what: "cannot be read as YAML: \(error)", advice: advice))
    }
    return []
  }
}
