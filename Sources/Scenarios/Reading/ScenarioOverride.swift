import Foundation

/// A value given on the command line, which wins over the file.
public struct ScenarioOverride: Sendable, Hashable {
  /// The option it came from, for messages: `--set`, `--seed`, `--strategy`.
  public var source: String
  /// The scenario key.
  public var key: String
  /// Its value as text; lists are separated by commas.
  public var value: String

  /// Makes an override.
  public init(source: String, key: String, value: String) {
    precondition(!source.isEmpty && !key.isEmpty, "an override sets a key, and messages name the option it came from")
    self.source = source
    self.key = key
    self.value = value
  }

  /// Makes the override of `--set key=value`.
  ///
  /// - Throws: `ScenarioProblem` when there is no `=`.
  public init(set assignment: String) throws {
    guard let equals = assignment.firstIndex(of: "="), equals != assignment.startIndex else {
      throw ScenarioProblem(
        source: "--set", key: assignment, what: "is no assignment",
        advice: "Write --set key=value, for example --set notes=1000")
    }
    self.init(
      source: "--set", key: String(assignment[..<equals]),
      value: String(assignment[assignment.index(after: equals)...]))
  }

  /// The canonical value, or values of a list.
  ///
  /// - Throws: `ScenarioProblem` when the key or the value is wrong.
  func canonicalValues(_ vocabulary: ScenarioVocabulary) throws(ScenarioProblem) -> [String] {
    guard let declared = vocabulary.key(named: key) else {
      let names = vocabulary.keys.filter(\.type.canBeWrittenOnCommandLine).map(\.name)
      throw problem("unknown key", NearestName.advice(for: key, in: names))
    }
    guard declared.type.canBeWrittenOnCommandLine else {
      throw problem("is a section and cannot be set here", "Write it in the scenario file")
    }
    var parts = [value]
    if case .names = declared.type {
      parts = value.split(separator: ",", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
    var result: [String] = []
    for part in parts {
      do throws(ScenarioValueType.Complaint) {
        result.append(
          try declared.type.canonical(
            part, isQuoted: false, in: FileManager.default.currentDirectoryPath, vocabulary: vocabulary))
      } catch {
        throw problem(error.what, error.advice)
      }
    }
    precondition(!result.isEmpty, "an override has a value, be it an empty one")
    if Set(result).count < result.count { throw problem("a name is listed twice", "Write each name once") }
    return result
  }

  private func problem(_ what: String, _ advice: String) -> ScenarioProblem {
    ScenarioProblem(source: source, key: key, what: what, advice: advice)
  }
}
