import Foundation

/// Finds and reads the scenario files of a command.
public struct ScenarioLoader: Sendable {
  /// The names that files may use.
  public var vocabulary: ScenarioVocabulary
  /// A folder with scenarios that go by their names.
  struct Library: Sendable {
    let folder: String
    /// Whether it is a copy for this machine, so that its scenarios go by their names in commands.
    var isCopied = false
  }

  /// Searched for names that are no file; of two with one name that of the first counts.
  var libraries: [Library]

  /// Makes a loader.
  ///
  /// - Parameter library: folder with scenarios, searched for names that are no file; nil = none.
  public init(vocabulary: ScenarioVocabulary, library: String?) {
    self.vocabulary = vocabulary
    libraries = library.map { [Library(folder: $0)] } ?? []
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
    precondition(Set(scenarios.map(\.name)).count == files.count, "each file is a scenario with a name of its own")
    return scenarios
  }

  /// Reads one file.
  private func load(_ file: String, overrides: [ScenarioOverride], quick: Bool) throws(ScenarioProblems) -> Scenario {
    var path = try StreamedScenario.path(of: locate(file))
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
    if let name = nameOfCopy(scenario.path) { scenario.path = name }
    return scenario
  }

  /// The name of a file of a copied library, without its ending.
  private func nameOfCopy(_ path: String) -> String? {
    guard path.hasSuffix(".yml") else { return nil }
    return libraries.first { $0.isCopied && path.hasPrefix($0.folder + "/") }
      .map { String(path.dropFirst($0.folder.count + 1).dropLast(".yml".count)) }
  }

  /// The shipped scenarios: name → path, the hazards as `hazards/name`, and the right way beside each as one of its own.
  public func shipped() -> [(name: String, path: String)] {
    var shipped: [(name: String, path: String)] = []
    for library in libraries.map(\.folder) {
      let files = FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String } ?? []
      let names = files.filter { $0.hasSuffix(".yml") }
        .flatMap { file in CarefulTwin.exists(in: library + "/" + file) ? [file, CarefulTwin(of: file).path] : [file] }
        .sorted().map { (name: String($0.dropLast(4)), path: library + "/" + $0) }
      shipped += names.filter { new in !shipped.contains { $0.name == new.name } }
    }
    return shipped
  }

  /// The file itself, or the shipped scenario of that name.
  private func locate(_ file: String) -> String {
    guard !FileManager.default.fileExists(atPath: file) else { return file }
    return libraries.map { $0.folder + "/" + file + ".yml" }.first { shipped in
      [shipped, CarefulTwin.mistake(of: shipped)].compactMap(\.self).contains(where: FileManager.default.fileExists)
    } ?? file
  }

  private func unreadable(_ file: String, _ path: String) -> ScenarioProblem {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) {
      return isFolder.boolValue
        ? ScenarioProblem(source: file, what: "is a folder", advice: "Give the scenario files in it")
        : ScenarioProblem(
          source: file, what: "cannot be read as UTF-8 text", advice: "Check its permissions and encoding")
    }
    // A file beside the missing one was rather meant than a shipped scenario.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.filter { $0.hasSuffix(".yml") } ?? []
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    if file.hasSuffix(".yml"),
      let near = beside.sorted().first(where: { NearestName.distance(stem, String($0.dropLast(4))) <= stem.count / 3 })
    {
      let prefix = file.dropLast(URL(fileURLWithPath: file).lastPathComponent.count)
      return ScenarioProblem(source: file, what: "no such file", advice: "Did you mean \(prefix)\(near)?")
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
