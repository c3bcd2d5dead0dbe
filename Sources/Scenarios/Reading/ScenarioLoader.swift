import Foundation

/// Finds and reads the scenario files of a command.
public struct ScenarioLoader: Sendable {
  /// What files may name.
  public var vocabulary: ScenarioVocabulary
  /// Folder with the shipped scenarios, searched for names that are no file; nil = none.
  public var library: String?
  /// Whether the library is a copy for this machine, so that its scenarios go by their names in commands.
  var isLibraryCopied = false

  /// Makes a loader.
  public init(vocabulary: ScenarioVocabulary, library: String?) {
    self.vocabulary = vocabulary
    self.library = library
  }

  /// Reads files, given by path or as the name of a shipped scenario.
  ///
  /// - Throws: `ScenarioProblems` with the problems of all files and overrides; then nothing was read by half.
  public func load(
    _ files: [String], overrides: [ScenarioOverride] = [], quick: Bool = false
  ) throws(ScenarioProblems) -> [Scenario] {
    var scenarios: [Scenario] = []
    var problems: [ScenarioProblem] = []
    for file in files {
      do throws(ScenarioProblems) {
        scenarios.append(try load(file, overrides: overrides, quick: quick))
      } catch {
        problems += error.problems.filter { !problems.contains($0) }
      }
    }
    if problems.isEmpty { problems = unusedOverrides(overrides, scenarios) + sameNames(scenarios) }
    if !problems.isEmpty { throw ScenarioProblems(problems) }
    return scenarios
  }

  /// Reads one file.
  private func load(_ file: String, overrides: [ScenarioOverride], quick: Bool) throws(ScenarioProblems) -> Scenario {
    var path = locate(file)
    var isCareful = false
    if !FileManager.default.fileExists(atPath: path), let mistake = CarefulTwin.mistake(of: path),
      CarefulTwin.exists(in: mistake)
    {
      path = mistake
      isCareful = true
    }
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw ScenarioProblems([unreadable(file, path)])
    }
    var reader = ScenarioReader(
      source: path, vocabulary: vocabulary, quick: quick, overrides: overrides, isCareful: isCareful)
    var scenario = try reader.read(text)
    if isLibraryCopied, let name = shippedName(of: scenario.path) { scenario.path = name }
    return scenario
  }

  /// The name of a file of the library, without its ending.
  private func shippedName(of path: String) -> String? {
    guard let library, path.hasPrefix(library + "/"), path.hasSuffix(".yml") else { return nil }
    return String(path.dropFirst(library.count + 1).dropLast(".yml".count))
  }

  /// The shipped scenarios: name → path, the hazards as `hazards/name`, and the right way beside each as one of its own.
  public func shipped() -> [(name: String, path: String)] {
    guard let library, let files = FileManager.default.enumerator(atPath: library) else { return [] }
    return files.compactMap { $0 as? String }.filter { $0.hasSuffix(".yml") }
      .flatMap { file in CarefulTwin.exists(in: library + "/" + file) ? [file, CarefulTwin(of: file).path] : [file] }
      .sorted().map { (String($0.dropLast(4)), library + "/" + $0) }
  }

  /// The file itself, or the shipped scenario of that name.
  private func locate(_ file: String) -> String {
    guard !FileManager.default.fileExists(atPath: file), let library else { return file }
    let shipped = library + "/" + file + ".yml"
    let isThere = [shipped, CarefulTwin.mistake(of: shipped)].compactMap(\.self)
      .contains(where: FileManager.default.fileExists)
    return isThere ? shipped : file
  }

  private func unreadable(_ file: String, _ path: String) -> ScenarioProblem {
    if FileManager.default.fileExists(atPath: path) {
      return ScenarioProblem(
        source: file, what: "cannot be read as UTF-8 text", advice: "Check its permissions and encoding")
    }
    let names = shipped().map(\.name)
    let advice =
      names.isEmpty
      ? "Give the path of a scenario file" : NearestName.advice(for: file, in: names, listedBy: "list scenarios")
    return ScenarioProblem(source: file, what: "no such file or shipped scenario", advice: advice)
  }

  /// Overrides that no scenario of the run reads.
  private func unusedOverrides(_ overrides: [ScenarioOverride], _ scenarios: [Scenario]) -> [ScenarioProblem] {
    overrides.compactMap { override in
      guard let key = vocabulary.key(named: override.key), !scenarios.isEmpty else { return nil }
      let workloads = scenarios.map { $0.settings[Keys.workload] }
      if workloads.contains(where: { vocabulary.isUsed(key, byWorkload: $0) }) { return nil }
      let used = Set(workloads).sorted().joined(separator: ", ")
      return ScenarioProblem(
        source: override.source, key: override.key, what: "is not used by workload \(used)", advice: "Leave it out")
    }
  }

  /// Two files of one name would look the same in the results.
  private func sameNames(_ scenarios: [Scenario]) -> [ScenarioProblem] {
    let groups = Dictionary(grouping: scenarios, by: \.name).filter { $0.value.count > 1 }
    return groups.values.flatMap { $0.dropFirst() }.sorted { $0.path < $1.path }.map {
      ScenarioProblem(
        source: $0.path, what: "another file of this run is also named \($0.name)",
        advice: "Give each file once, or rename one")
    }
  }
}
