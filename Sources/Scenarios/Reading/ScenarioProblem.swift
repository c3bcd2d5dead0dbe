import Yams

/// A problem of a scenario file or an override: its place, the problem, and the remedy.
public struct ScenarioProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file, or the command-line option the value came from.
  public var source: String
  /// Line from 1; nil where no line applies.
  public var line: Int?
  /// The key, or path of keys (`expect.must`); empty for the whole file.
  public var key: String
  /// The problem.
  public var what: String
  /// The remedy.
  public var advice: String

  /// Makes a problem.
  public init(source: String, line: Int? = nil, key: String = "", what: String, advice: String) {
    precondition(!what.isEmpty && !advice.isEmpty, "a problem says what is wrong, and what to do")
    precondition((line ?? 1) > 0, "lines count from 1")
    self.source = source
    self.line = line
    self.key = key
    self.what = what
    self.advice = advice
  }

  /// `file:line: key: the problem. The remedy.`
  public var description: String {
    let place = line.map { "\(source):\($0)" } ?? source
    let sentence = advice.hasSuffix("?") ? advice : advice + "."
    return [place, key, "\(what). \(sentence)"].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}

/// Every problem of the files and options of one command, found at once.
public struct ScenarioProblems: Error, Sendable, CustomStringConvertible {
  /// In the order of the files and their lines.
  public var problems: [ScenarioProblem]

  /// Makes the list.
  public init(_ problems: [ScenarioProblem]) {
    precondition(!problems.isEmpty, "what is refused has a problem")
    self.problems = problems
  }

  /// One problem a line.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ScenarioProblem {
  /// The YAML parser's error, with its line.
  init(yaml error: YamlError, source: String) {
    let advice = "Correct the YAML there; indent with spaces, and write key: value"
    switch error {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let what = ["broken YAML", context?.text, problem].compactMap { $0 }.joined(separator: ", ")
      self.init(source: source, line: mark.line, what: what, advice: advice)
    case .duplicatedKeysInMapping(let duplicates, let context):
      self.init(
        source: source, line: context.mark.line, key: duplicates.sorted().joined(separator: ", "),
        what: "is twice in the same section", advice: "Write each key once")
    case .reader(let problem, let offset, _, let yaml):
      let line = offset.map { 1 + yaml.prefix($0).count { $0.isNewline } }
      self.init(source: source, line: line, what: "broken YAML, \(problem)", advice: "Save the file as UTF-8 text")
    default:
      self.init(source: source, what: "broken YAML, \(error)", advice: advice)
    }
  }
}
