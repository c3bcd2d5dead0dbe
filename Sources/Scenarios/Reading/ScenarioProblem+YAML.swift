import Yams

extension ScenarioProblem {
  /// What the YAML parser says, with the line it says it about.
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
