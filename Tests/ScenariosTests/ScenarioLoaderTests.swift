import Foundation
import ScenarioSamples
import Testing

@testable import Scenarios

@Suite struct ScenarioLoaderTests {
  /// Runs a body with a folder that holds these files.
  private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files { try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8) }
    try body(folder)
  }

  private func problems(_ body: () throws -> Void) -> [String] {
    do {
      try body()
      return []
    } catch let error as ScenarioProblems {
      return error.problems.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  @Test func aShippedScenarioIsFoundByItsName() throws {
    try withFolder(["import.yml": minimal]) { folder in
      let scenarios = try ScenarioLoader(vocabulary: testVocabulary, library: folder).load(["import"])
      #expect(scenarios.map(\.name) == ["import"])
      #expect(scenarios.first?.path == folder + "/import.yml")
    }
  }

  private static let mistake = minimal + "notes: 5\nquick: {notes: 3}\nexpect: {must: [lost-record]}\n"

  @Test func theRightWayBesideAMistakeRunsUnderItsOwnName() throws {
    let text = Self.mistake + "careful:\n  notes: 7\n  strategies: [main-only]\n"
    try withFolder(["hazards.yml": minimal, "a.yml": text]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: folder)
      #expect(loader.shipped().map(\.name) == ["a-careful", "a", "hazards"])
      for name in ["a-careful", folder + "/a-careful.yml"] {
        let twin = try loader.load([name])[0]
        #expect(twin.name == "a-careful" && twin.path == folder + "/a-careful.yml")
        #expect(twin.settings[Keys.notes] == 7 && twin.strategies == ["main-only"])
        #expect(twin.expectation == ScenarioExpectation(), "what the mistake shows is not expected of the right way")
      }
      let mistake = try loader.load(["a"])[0]
      #expect(mistake.settings[Keys.notes] == 5 && mistake.expectation.must.count == 1)
      #expect(try loader.load(["a-careful"], quick: true)[0].settings[Keys.notes] == 3)
    }
  }

  @Test func mistakesInTheRightWayAreFoundWithTheFile() throws {
    try withFolder([
      "a.yml": Self.mistake + "careful:\n  nots: 7\n", "b.yml": minimal, "c.yml": minimal + "careful: 3\n",
    ]) {
      folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: folder)
      #expect(problems { _ = try loader.load(["a"]) } == ["\(folder)/a.yml:7: nots: unknown key. Did you mean notes?"])
      #expect(
        problems { _ = try loader.load(["b-careful"]) }.first?.contains("no such file or shipped scenario") == true)
      #expect(
        problems { _ = try loader.load(["c"]) }
          == ["\(folder)/c.yml:3: careful: is not a section. Write key: value lines, indented below it."])
    }
  }

  @Test func whatThePackageItselfDoesNotHaveIsTakenFromContextbench() throws {
    try withFolder(["import.yml": minimal, "own.yml": minimal]) { own in
      try withFolder(["import.yml": minimal, "counters.yml": minimal]) { shared in
        var loader = ScenarioLoader(vocabulary: testVocabulary, library: own)
        loader.libraries.append(ScenarioLoader.Library(folder: shared))
        #expect(loader.shipped().map(\.name) == ["import", "own", "counters"])
        let paths = try ["import", "own", "counters"].map { try loader.load([$0])[0].path }
        #expect(paths == [own + "/import.yml", own + "/own.yml", shared + "/counters.yml"])
      }
    }
  }

  @Test func onlyContextbenchItselfHasAllThatIsInTheExecutable() throws {
    let library = try #require(ScenarioLoader.libraryPath(executable: CommandLine.arguments[0]))
    #expect(!EmbeddedLibrary.files.isEmpty && ScenarioLoader.isSource(library))
    try withFolder(["import.yml": minimal]) { #expect(!ScenarioLoader.isSource($0)) }
  }

  @Test func aMissingFileSuggestsWhatLiesBesideIt() throws {
    try withFolder(["news.yml": minimal]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: nil)
      #expect(
        problems { _ = try loader.load([folder + "/newz.yml"]) }
          == ["\(folder)/newz.yml: no such file. Did you mean \(folder)/news.yml?"])
      #expect(problems { _ = try loader.load([folder]) } == ["\(folder): is a folder. Give the scenario files in it."])
    }
  }

  @Test func aMissingFileSuggestsTheNearestShippedScenario() throws {
    try withFolder(["import.yml": minimal]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: folder)
      let found = problems { _ = try loader.load(["inport"]) }
      #expect(found == ["inport: no such file or shipped scenario. Did you mean import?"])
    }
  }

  @Test(arguments: [
    ("deadlok", "Did you mean hazards/deadlock?"),
    ("read-scew", "Did you mean hazards/dead-scew or hazards/read-skew?"),
    ("nothing-of-it", "The nearest are import, bank, hazards/dead-scew; list scenarios shows all."),
  ])
  func aMissingFileSuggestsFewNames(name: String, advice: String) {
    let names = ["bank", "import", "hazards/deadlock", "hazards/read-skew", "hazards/dead-scew", "soak"]
    let given = NearestName.advice(for: name, in: names, listedBy: "list scenarios")
    #expect(given + (given.hasSuffix("?") ? "" : ".") == advice)
  }

  @Test func theProblemsOfAllFilesAreReportedAndThoseOfOverridesOnce() throws {
    try withFolder(["a.yml": minimal + "nots: 1\n", "b.yml": minimal + "seed: x\n"]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: nil)
      let found = problems {
        _ = try loader.load([folder + "/a.yml", folder + "/b.yml"], overrides: [ScenarioOverride(set: "notes=0")])
      }
      #expect(found.count == 3)
      #expect(found.count { $0.hasPrefix("--set: notes") } == 1)
    }
  }

  @Test func anOverrideThatNoScenarioReadsIsReported() throws {
    try withFolder(["a.yml": minimal]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: nil)
      let found = problems { _ = try loader.load([folder + "/a.yml"], overrides: [ScenarioOverride(set: "depth=3")]) }
      #expect(found == ["--set: depth: is not used by workload import. Leave it out."])
    }
  }

  @Test func aFileGivenTwiceIsReported() throws {
    try withFolder(["a.yml": minimal]) { folder in
      let loader = ScenarioLoader(vocabulary: testVocabulary, library: nil)
      let found = problems { _ = try loader.load([folder + "/a.yml", folder + "/a.yml"]) }
      #expect(found.first?.contains("also named a") == true)
    }
  }

  @Test(arguments: [("notes", "nots", 1), ("abc", "acb", 1), ("", "ab", 2), ("import", "import", 0), ("abc", "xyz", 3)])
  func distanceCountsSlipsOfTheKeyboard(a: String, b: String, distance: Int) {
    #expect(NearestName.distance(a, b) == distance)
  }
}
