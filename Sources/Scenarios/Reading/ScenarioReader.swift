import Checking
import Foundation
import Reporting
import Yams

/// Turns the text of one scenario file into a `Scenario`, collecting every problem on the way.
package struct ScenarioReader {
  /// The file as messages name it.
  let source: String
  let vocabulary: ScenarioVocabulary
  let quick: Bool
  let overrides: [ScenarioOverride]
  /// Whether the right way beside the file's mistake is read.
  private let isCareful: Bool

  var problems: [ScenarioProblem] = []
  /// The `phases` section, read once the workload is known.
  private var phasesNode: Node?
  /// Whether there is a right way beside the mistake.
  private var hasCareful = false
  /// Canonical scalars that the file itself sets, by key.
  var fileValues: [String: String] = [:]
  /// Canonical scalars of the `quick` section, by key.
  private var quickValues: [String: String] = [:]
  var lists: [String: [String]] = [:]
  /// Lines of the keys and of the strategies in sections, for problems found after reading.
  var lines: [String: Int] = [:]
  /// By strategy, each option with the values that are crossed.
  private var options: [String: [(key: String, values: [String])]] = [:]
  private var expectation = ScenarioExpectation()
  private var expectationByStrategy: [String: ScenarioExpectation] = [:]
  private var thresholds: [Threshold] = []

  /// Makes a reader of one file.
  ///
  /// - Parameter isCareful: whether the right way beside the file's mistake is read.
  package init(
    source: String, vocabulary: ScenarioVocabulary, quick: Bool, overrides: [ScenarioOverride], isCareful: Bool = false
  ) {
    self.isCareful = isCareful
    self.source = source
    self.vocabulary = vocabulary
    self.quick = quick
    self.overrides = overrides
  }

  /// Reads the text.
  ///
  /// - Throws: `ScenarioProblems` with every problem of the file and the overrides, in the order of the lines.
  package mutating func read(_ text: String) throws(ScenarioProblems) -> Scenario {
    if let root = compose(text) { readRoot(isCareful ? careful(root) : root) }
    if let phasesNode, let workload = fileValues["workload"].flatMap(vocabulary.workload) {
      fileValues["phases"] = readPhases(phasesNode, operations: workload.operations)
    }
    checkSections()
    applyOverrides()
    requireKeys()
    checkUse()
    checkLimits()
    checkProcesses()
    if hasCareful, !isCareful { checkCareful(text) }
    if !problems.isEmpty {
      throw ScenarioProblems(problems.sorted { ($0.line ?? .max, $0.key) < ($1.line ?? .max, $1.key) })
    }
    return assemble()
  }

  private mutating func compose(_ text: String) -> Node.Mapping? {
    do {
      guard let node = try Yams.compose(yaml: text) else {
        report(line: 1, "", "the file is empty", "Write at least workload and strategies; list keys shows all keys")
        return nil
      }
      guard let mapping = node.mapping else {
        report(line: node.mark?.line ?? 1, "", "the file is not a list of keys", "Write one key: value a line")
        return nil
      }
      return mapping
    } catch let error as YamlError {
      problems.append(ScenarioProblem(yaml: error, source: source))
    } catch {
      report(line: nil, "", "cannot be read as YAML: \(error)", "Correct the file")
    }
    return nil
  }

  private mutating func readRoot(_ root: Node.Mapping) {
    for (keyNode, value) in root {
      guard let key = declaredKey(keyNode, among: vocabulary.keys, path: "") else { continue }
      lines[key.name] = keyNode.mark?.line
      switch key.type {
      case .optionsSection: readOptions(value)
      case .expectSection: readExpect(value)
      case .thresholdsSection: readThresholds(value)
      case .phasesSection: phasesNode = value
      case .quickSection: readQuick(value)
      case .carefulSection: hasCareful = true
      case .names: lists[key.name] = readNames(value, key)
      default: fileValues[key.name] = readScalar(value, key, path: key.name)
      }
    }
  }

  /// The declaration of a key, or nil and a problem.
  private mutating func declaredKey(_ node: Node, among keys: [ScenarioKey], path: String) -> ScenarioKey? {
    guard let name = node.scalar?.string else {
      report(node, path, "a key is not text", "Write key: value")
      return nil
    }
    if let key = keys.first(where: { $0.name == name }) { return key }
    if let known = vocabulary.key(named: name) {
      let users = vocabulary.strategies(using: known)
      let advice =
        known.isOption && !users.isEmpty
        ? "Only \(users.joined(separator: ", ")) \(users.count == 1 ? "has" : "have") it"
        : "Write it at the top of the file"
      report(node, path + name, "is not allowed here", advice)
    } else {
      report(node, path + name, "unknown key", NearestName.advice(for: name, in: keys.map(\.name)))
    }
    return nil
  }

  /// A scalar in canonical form, or nil and a problem.
  mutating func readScalar(_ node: Node, _ key: ScenarioKey, path: String) -> String? {
    guard let scalar = node.scalar else {
      report(node, path, "must be a scalar", "Write a \(key.type.title)")
      return nil
    }
    let isQuoted = scalar.style != .plain && scalar.style != .any
    do throws(ScenarioValueType.Complaint) {
      let folder = URL(fileURLWithPath: source).deletingLastPathComponent().path
      let isText = key.type == .text || key.type == .path
      return try key.type.canonical(
        scalar.string, isQuoted: isQuoted && !isText, in: folder, vocabulary: vocabulary)
    } catch {
      report(node, path, error.what, error.advice)
      return nil
    }
  }

  private mutating func readNames(_ node: Node, _ key: ScenarioKey) -> [String]? {
    guard let sequence = node.sequence else {
      report(node, key.name, "is not a list", "Write [name, name]")
      return nil
    }
    guard !sequence.isEmpty else {
      report(node, key.name, "is empty", "Write at least one name, or leave the key out")
      return nil
    }
    var names: [String] = []
    for element in sequence {
      guard let name = readScalar(element, key, path: key.name) else { continue }
      if names.contains(name) {
        report(element, key.name, "\(name) is listed twice", "Write each name once")
      } else {
        names.append(name)
      }
    }
    return names
  }

  private mutating func readQuick(_ node: Node) {
    guard let mapping = mapping(node, "quick") else { return }
    for (keyNode, value) in mapping {
      let scalars = vocabulary.keys.filter(\.type.isScalar)
      guard let key = declaredKey(keyNode, among: scalars, path: "quick.") else { continue }
      quickValues[key.name] = readScalar(value, key, path: "quick." + key.name)
    }
  }

  private mutating func readOptions(_ node: Node) {
    guard let mapping = mapping(node, "options") else { return }
    for (strategyNode, section) in mapping {
      guard let strategy = readStrategyName(strategyNode, path: "options"),
        let entries = self.mapping(section, "options." + strategy)
      else { continue }
      lines["options." + strategy] = strategyNode.mark?.line
      for (keyNode, value) in entries {
        let path = "options.\(strategy)."
        let keys = vocabulary.keys.filter { $0.isOption && vocabulary.isUsed($0, byStrategy: strategy) }
        guard let key = declaredKey(keyNode, among: keys, path: path) else { continue }
        let elements = value.sequence.map(Array.init) ?? [value]
        if elements.isEmpty { report(value, path + key.name, "is empty", "Write a value, or several as [a, b]") }
        let values = elements.compactMap { readScalar($0, key, path: path + key.name) }
        if Set(values).count < values.count {
          report(value, path + key.name, "a value is listed twice", "Write each value once")
        }
        options[strategy, default: []].append((key.name, values))
      }
    }
  }

  private mutating func readExpect(_ node: Node) {
    var reader = ExpectationReader(source: source, vocabulary: vocabulary)
    (expectation, expectationByStrategy) = reader.read(node)
    problems += reader.problems
    lines.merge(reader.lines) { first, _ in first }
  }

  private var name: String { URL(fileURLWithPath: source).deletingPathExtension().lastPathComponent }

  private mutating func readThresholds(_ node: Node) {
    var reader = ThresholdReader(source: source, vocabulary: vocabulary, scenario: name)
    thresholds = reader.read(node)
    problems += reader.problems
  }

  /// A registered strategy's name, or nil and a problem.
  private mutating func readStrategyName(_ node: Node, path: String) -> String? {
    vocabulary.key(named: "strategies").flatMap { readScalar(node, $0, path: path) }
  }

  private mutating func mapping(_ node: Node, _ path: String) -> Node.Mapping? {
    if let mapping = node.mapping { return mapping }
    report(node, path, "is not a section", "Write key: value lines, indented below it")
    return nil
  }

  mutating func report(_ node: Node, _ key: String, _ what: String, _ advice: String) {
    report(line: node.mark?.line, key, what, advice)
  }

  private mutating func report(line: Int?, _ key: String, _ what: String, _ advice: String) {
    problems.append(ScenarioProblem(source: source, line: line, key: key, what: what, advice: advice))
  }
}

extension ScenarioReader {
  private mutating func applyOverrides() {
    for override in overrides {
      do throws(ScenarioProblem) {
        let values = try override.canonicalValues(vocabulary)
        if case .names = vocabulary.key(named: override.key)?.type {
          lists[override.key] = values
        } else {
          fileValues[override.key] = values.first
          quickValues[override.key] = nil
        }
      } catch {
        problems.append(error)
      }
    }
  }

  /// Reports a section for a strategy that the file does not run: it looks as if it did something.
  private mutating func checkSections() {
    guard let strategies = lists["strategies"] else { return }
    for section in ["options", "expect.by_strategy"] {
      for strategy in vocabulary[.strategies] where !strategies.contains(strategy) {
        guard let line = lines["\(section).\(strategy)"] else { continue }
        report(line: line, "\(section).\(strategy)", "the strategy is not run", "Add it to strategies, or remove this")
      }
    }
  }

  private mutating func requireKeys() {
    guard problems.isEmpty else { return }
    if fileValues["workload"] == nil {
      let known = vocabulary[.workloads].joined(separator: ", ")
      report(line: 1, "workload", "is missing", "Write workload: name; known: \(known)")
    }
    if lists["strategies"] == nil {
      let known = vocabulary[.strategies].joined(separator: ", ")
      report(line: 1, "strategies", "is missing", "Write strategies: [name, name]; known: \(known)")
    }
    for key in vocabulary.keys where key.isRequired && fileValues[key.name] == nil {
      guard let workload = fileValues["workload"], !vocabulary.workloads(using: key).isEmpty,
        vocabulary.isUsed(key, byWorkload: workload),
        !overrides.contains(where: { $0.key == key.name })
      else { continue }
      report(line: 1, key.name, "is missing", "Write \(key.name): path")
    }
  }

  /// Reports a key that neither workload nor strategies read: it looks as if it did something.
  private mutating func checkUse() {
    guard let workload = fileValues["workload"] else { return }
    let strategies = lists["strategies"] ?? []
    for key in vocabulary.keys {
      guard let line = lines[key.name] else { continue }
      if !vocabulary.isUsed(key, byWorkload: workload) {
        report(line: line, key.name, "is not used by workload \(workload)", "Remove it")
      } else if !strategies.isEmpty, !strategies.contains(where: { vocabulary.isUsed(key, byStrategy: $0) }) {
        let users = vocabulary.strategies(using: key).joined(separator: ", ")
        report(line: line, key.name, "is not used by these strategies", "Remove it, or add one of \(users)")
      }
    }
  }

  /// The keys of the right way: the file's own, without the violations of its mistake, and those of `careful` in their place.
  private mutating func careful(_ root: Node.Mapping) -> Node.Mapping {
    guard let section = root.first(where: { $0.key.scalar?.string == CarefulTwin.key })?.value else {
      report(line: 1, CarefulTwin.key, "is missing", "Write the right way below careful:, or run the file itself")
      return root
    }
    guard let own = mapping(section, CarefulTwin.key) else { return root }
    let replaced = Set(own.compactMap { $0.key.scalar?.string } + [CarefulTwin.key, "expect"])
    let kept = root.filter { !replaced.contains($0.key.scalar?.string ?? "") }.map { ($0.key, $0.value) }
    return Node.Mapping(kept + own.map { ($0.key, $0.value) })
  }

  /// Reads the right way beside a mistake, too, so that both are found right at once.
  private mutating func checkCareful(_ text: String) {
    var twin = ScenarioReader(
      source: source, vocabulary: vocabulary, quick: quick, overrides: overrides, isCareful: true)
    do throws(ScenarioProblems) {
      _ = try twin.read(text)
    } catch {
      problems += error.problems.filter { !problems.contains($0) }
    }
  }

  /// Reports fewer clients than processes, and a check that needs the saves of all processes.
  private mutating func checkProcesses() {
    guard let workload = fileValues["workload"], let processes = integer("processes", workload), processes > 1 else {
      return
    }
    let line = lines["processes"]
    if let clients = integer("clients", workload), clients < processes {
      report(
        line: line, "processes",
        "\(processes) processes cannot share \(clients) \(clients == 1 ? "client" : "clients")",
        "Write clients: \(processes) or more")
    }
    if lists["checks"]?.contains(NotificationChecker.checkName) == true {
      report(
        line: lines["checks"], "checks", "\(NotificationChecker.checkName) looks at the saves of one process",
        "Remove it, or processes")
    }
  }

  private func integer(_ name: String, _ workload: String) -> Int? {
    guard let key = vocabulary.key(named: name), vocabulary.isUsed(key, byWorkload: workload) else { return nil }
    return value(of: key).flatMap { Int($0) }
  }

  private func value(of key: ScenarioKey) -> String? {
    let fallback = quick ? (key.quickValue ?? key.defaultValue) : key.defaultValue
    return (quick ? quickValues[key.name] : nil) ?? fileValues[key.name] ?? fallback
  }

  private func assemble() -> Scenario {
    precondition(problems.isEmpty, "a scenario is made of a file without problems")
    var settings: [String: String] = [:]
    for key in vocabulary.keys
    where key.type.isScalar && vocabulary.isUsed(key, byWorkload: fileValues["workload"] ?? "") {
      settings[key.name] = value(of: key)
    }
    if let phases = fileValues["phases"] { settings["phases"] = phases }
    let strategies = lists["strategies"] ?? []
    let twin = CarefulTwin(of: source)
    let variants = strategies.flatMap { self.variants(of: $0, settings) }
    precondition(Set(variants.map(\.strategy)).count == strategies.count, "each strategy runs in one variant at least")
    precondition(Set(variants).count == variants.count, "no variant runs twice")
    return Scenario(
      name: isCareful ? twin.name : name, path: isCareful ? twin.path : source,
      settings: ScenarioSettings(settings), strategies: strategies,
      variants: variants, checks: lists["checks"] ?? allChecks(settings),
      expectation: expectation, expectationByStrategy: expectationByStrategy, thresholds: thresholds,
      checksAreNamed: lists["checks"] != nil)
  }

  /// The checks of a file that names none.
  private func allChecks(_ settings: [String: String]) -> [String] {
    let isAlone = settings["processes"].flatMap { Int($0) } ?? 1 == 1
    return vocabulary[.checks].filter { isAlone || $0 != NotificationChecker.checkName }
  }

  /// The strategy once for each combination of its options' values.
  private func variants(of strategy: String, _ settings: [String: String]) -> [Scenario.Variant] {
    var base: [String: String] = [:]
    for key in vocabulary.keys where key.isOption && vocabulary.isUsed(key, byStrategy: strategy) {
      base[key.name] = settings[key.name] ?? vocabulary.strategy(named: strategy)?.options[key.name]
    }
    let overridden = Set(overrides.map(\.key))
    var sets = [base]
    for option in options[strategy] ?? [] where !overridden.contains(option.key) {
      sets = sets.flatMap { set in
        option.values.map { value in set.merging([option.key: value]) { _, new in new } }
      }
    }
    precondition(Set(sets).count == sets.count, "each combination of values is a set of its own")
    return sets.map { Scenario.Variant(strategy: strategy, options: $0) }
  }
}
