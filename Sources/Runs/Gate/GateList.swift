import Foundation
import Reporting
import Scenarios

/// Which scenarios a gate runs: `scenarios.txt` of its folder, a line for each, with the keys that win over its file.
package struct GateList: Sendable, Hashable {
  package static let fileName = "scenarios.txt"

  /// One line.
  package struct Line: Sendable, Hashable {
    /// A file, or the name of a shipped scenario.
    package var scenario: String
    /// `key=value`.
    package var assignments: [String]

    package init(_ scenario: String, _ assignments: [String] = []) {
      precondition(!scenario.isEmpty, "a line names a scenario")
      precondition(([scenario] + assignments).allSatisfy(Self.canHave), "a line is read again as its words")
      self.scenario = scenario
      self.assignments = assignments
    }

    /// Whether a line can have the word: it ends at a blank, and the line at a #.
    package static func canHave(_ word: String) -> Bool { !word.contains { $0.isWhitespace || $0 == "#" } }

    /// As it is written.
    var text: String { ([scenario] + assignments).joined(separator: " ") }
  }

  package var lines: [Line]

  package init(_ lines: [Line]) { self.lines = lines }

  /// Reads a list: empty lines are passed over, and so is text from # on.
  init(text: String) {
    lines = text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).map(String.init)
      return words.first.map { Line($0, Array(words.dropFirst())) }
    }
  }

  /// Reads it from a gate's folder.
  package static func read(in folder: String) throws(ReportingError) -> GateList {
    let path = folder + "/" + fileName
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ReportingError(
        path: path, cause: "is not there, or cannot be read", remedy: "Write it with gate --init, or name another --dir"
      )
    }
    let list = GateList(text: text)
    guard !list.lines.isEmpty else {
      throw ReportingError(path: path, cause: "names no scenario", remedy: "Write one on a line of its own")
    }
    return list
  }

  /// The text of its file.
  package var text: String {
    """
    # What the gate runs: a scenario on each line, and keys that win over its file. Its quick section counts.
    \(lines.map(\.text).joined(separator: "\n"))

    """
  }

  /// The scenarios, as they are counted.
  ///
  /// - Throws: `ScenarioProblems` with the problems of all lines.
  package func scenarios(_ loader: ScenarioLoader) throws(ScenarioProblems) -> [Scenario] {
    var problems: [ScenarioProblem] = []
    var scenarios: [Scenario] = []
    for line in lines {
      do throws(ScenarioProblems) {
        var overrides = [ScenarioOverride(source: Self.fileName, key: Keys.repetitions.key.name, value: "1")]
        for assignment in line.assignments {
          guard let override = try? ScenarioOverride(set: assignment) else {
            throw ScenarioProblems([
              ScenarioProblem(
                source: Self.fileName, key: assignment, what: "is no assignment", advice: "Write key=value")
            ])
          }
          overrides.append(override)
        }
        scenarios += try loader.load([line.scenario], overrides: overrides, quick: true)
      } catch {
        problems += error.problems
      }
    }
    let names = scenarios.map(\.name)
    for name in Set(names) where names.count(where: { $0 == name }) > 1 {
      problems.append(
        ScenarioProblem(source: Self.fileName, key: name, what: "is named twice", advice: "Leave one of them out"))
    }
    scenarios = CountedScenario.scenarios(scenarios, &problems)
    if !problems.isEmpty { throw ScenarioProblems(problems) }
    return scenarios
  }
}
