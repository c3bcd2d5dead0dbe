import Checking
import Yams

/// Reads the `expect` section of a scenario file, collecting every problem on the way.
struct ExpectationReader {
  let source: String
  let vocabulary: ScenarioVocabulary
  var problems: [ScenarioProblem] = []
  /// Lines of the strategies under `by_strategy`.
  var lines: [String: Int] = [:]

  init(source: String, vocabulary: ScenarioVocabulary) {
    self.source = source
    self.vocabulary = vocabulary
  }

  /// The expectations for all strategies, and further ones for single strategies.
  mutating func read(_ node: Node) -> (all: ScenarioExpectation, byStrategy: [String: ScenarioExpectation]) {
    guard let mapping = node.mapping else {
      report(node, "expect", "is not a section", "Write must, may, not_exercised or by_strategy below it")
      return (ScenarioExpectation(), [:])
    }
    var byStrategy: [String: ScenarioExpectation] = [:]
    let all = readEntries(mapping, path: "expect", isTop: true) { reader, node in
      byStrategy = reader.readByStrategy(node)
    }
    return (all, byStrategy)
  }

  private mutating func readByStrategy(_ node: Node) -> [String: ScenarioExpectation] {
    guard let mapping = node.mapping else {
      report(node, "expect.by_strategy", "is not a section", "Write strategy names below it")
      return [:]
    }
    var result: [String: ScenarioExpectation] = [:]
    for (nameNode, section) in mapping {
      guard let name = readName(nameNode, in: vocabulary[.strategies], "strategy", path: "expect.by_strategy") else {
        continue
      }
      let path = "expect.by_strategy." + name
      lines[path] = nameNode.mark?.line
      guard let entries = section.mapping else {
        report(section, path, "is not a section", "Write must, may or not_exercised below it")
        continue
      }
      result[name] = readEntries(entries, path: path, isTop: false) { _, _ in }
    }
    return result
  }

  private mutating func readEntries(
    _ mapping: Node.Mapping, path: String, isTop: Bool, byStrategy: (inout ExpectationReader, Node) -> Void
  ) -> ScenarioExpectation {
    var result = ScenarioExpectation()
    let known = ["must", "may", "not_exercised"] + (isTop ? ["by_strategy"] : [])
    for (keyNode, value) in mapping {
      let key = keyNode.scalar?.string ?? ""
      switch key {
      case "must": result.must = elements(value, path + ".must").compactMap { readMust($0, path + ".must") }
      case "may": result.may = Set(elements(value, path + ".may").compactMap { readKind($0, path + ".may") })
      case "not_exercised":
        let path = path + ".not_exercised"
        let names = elements(value, path).compactMap { readName($0, in: vocabulary[.checks], "check", path: path) }
        result.notExercised = Set(names)
      case "by_strategy" where isTop: byStrategy(&self, value)
      default: report(keyNode, path + "." + key, "unknown key", NearestName.advice(for: key, in: known))
      }
    }
    return result
  }

  /// A kind, a list of which one is enough, or either as `{kind: …, at_least: n, containing: text}`.
  private mutating func readMust(_ node: Node, _ path: String) -> ScenarioExpectation.Must? {
    guard let mapping = node.mapping else { return readKinds(node, path).map { ScenarioExpectation.Must(anyOf: $0) } }
    var must = ScenarioExpectation.Must(anyOf: [])
    for (keyNode, value) in mapping {
      switch keyNode.scalar?.string ?? "" {
      case "kind": must.anyOf = readKinds(value, path + ".kind") ?? []
      case "at_least":
        let type = ScenarioValueType.integer(1...1_000_000_000)
        let key = ScenarioKey("at_least", type, "")
        var scalars = ScenarioReader(source: source, vocabulary: vocabulary, quick: false, overrides: [])
        must.atLeast = scalars.readScalar(value, key, path: path + ".at_least").flatMap(Int.init) ?? 1
        problems += scalars.problems
      case "containing":
        must.containing = value.scalar?.string
        if must.containing?.isEmpty ?? true {
          report(value, path + ".containing", "is not a text", "Write a part of the violation")
        }
      case let key:
        report(keyNode, path + "." + key, "unknown key", "Write {kind: name, at_least: number, containing: text}")
      }
    }
    guard mapping.keys.contains(where: { $0.scalar?.string == "kind" }) else {
      report(node, path, "has no kind", "Write {kind: name, at_least: number}")
      return nil
    }
    return must.anyOf.isEmpty ? nil : must
  }

  private mutating func readKinds(_ node: Node, _ path: String) -> [ViolationKind]? {
    guard let sequence = node.sequence else { return readKind(node, path).map { [$0] } }
    if sequence.isEmpty { report(node, path, "is empty", "Write at least one violation kind") }
    let kinds = sequence.compactMap { readKind($0, path) }
    return kinds.isEmpty ? nil : kinds
  }

  private mutating func readKind(_ node: Node, _ path: String) -> ViolationKind? {
    readName(node, in: vocabulary.violationKinds, "violation kind", path: path).flatMap(ViolationKind.init)
  }

  private mutating func readName(_ node: Node, in known: [String], _ noun: String, path: String) -> String? {
    guard let name = node.scalar?.string else {
      report(node, path, "is not a name", "Write the name of a \(noun)")
      return nil
    }
    if known.contains(name) { return name }
    report(node, path, "unknown \(noun) \(name)", NearestName.advice(for: name, in: known))
    return nil
  }

  private mutating func elements(_ node: Node, _ path: String) -> [Node] {
    if let sequence = node.sequence { return Array(sequence) }
    report(node, path, "is not a list", "Write [name, name]")
    return []
  }

  private mutating func report(_ node: Node, _ key: String, _ what: String, _ advice: String) {
    problems.append(ScenarioProblem(source: source, line: node.mark?.line, key: key, what: what, advice: advice))
  }
}
