import Checking
import ScenarioSamples
import Testing

@testable import Scenarios

@Suite struct ScenarioReaderTests {
  @Test func absentKeysHaveTheirDeclaredDefaults() throws {
    let scenario = try readScenario(minimal)
    #expect(scenario.name == "test")
    #expect(scenario.settings[Keys.notes] == 5000)
    #expect(scenario.settings[Keys.mergePolicy] == .error)
    #expect(scenario.settings[Keys.mainStallBudgetMilliseconds] == nil)
    #expect(scenario.checks == testVocabulary[.checks] && !scenario.checksAreNamed)
    #expect(try readScenario(minimal + "checks: [overlap]\n").checksAreNamed)
  }

  @Test func aKeyOfAnotherWorkloadIsNotInTheSettings() throws {
    #expect(try readScenario(minimal).settings.values["depth"] == nil)
  }

  @Test func quickTakesTheQuickSectionThenTheFileThenTheDeclaredQuickValue() throws {
    let text = minimal + "save_every: 100\nquick: {save_every: 10}\nwords_per_note: 7\n"
    let quick = try readScenario(text, quick: true).settings
    #expect(quick[Keys.saveEvery] == 10)
    #expect(quick[Keys.wordsPerNote] == 7)
    #expect(quick[Keys.notes] == 300)
    let full = try readScenario(text).settings
    #expect(full[Keys.saveEvery] == 100)
  }

  @Test func overridesWinOverTheFileAndItsQuickSection() throws {
    let text = minimal + "notes: 40\nquick: {notes: 30}\n"
    #expect(try readScenario(text, set: ["notes=20"]).settings[Keys.notes] == 20)
    #expect(try readScenario(text, quick: true, set: ["notes=20"]).settings[Keys.notes] == 20)
    #expect(try readScenario(text, set: ["strategies=main-only"]).strategies == ["main-only"])
  }

  @Test func optionsOfAStrategyAreCrossed() throws {
    let text = minimal + "options: {parent-child: {save_every: [10, 20], importers: [1, 2]}}\n"
    let variants = try readScenario(text).variants
    #expect(variants.map(\.strategy) == Array(repeating: "parent-child", count: 4) + ["main-only"])
    let pairs = variants.prefix(4).map { "\($0.options["save_every"] ?? "") \($0.options["importers"] ?? "")" }
    #expect(pairs == ["10 1", "10 2", "20 1", "20 2"])
    #expect(variants.last?.options["save_every"] == "500")
  }

  @Test func theStrategysOwnOptionsStandInItsVariantsWithTheirDefaults() throws {
    let text = "workload: import\nstrategies: [notification-merge, main-only]\n"
    #expect(try readScenario(text).variants.map { $0.options["merge"] } == ["async", nil])
    let sync = "workload: import\nstrategies: [notification-merge, main-only]\nmerge: sync\n"
    #expect(try readScenario(sync).variants.map { $0.options["merge"] } == ["sync", nil])
    let crossed = try readScenario(text + "options: {notification-merge: {merge: [sync, async]}}\n").variants
    #expect(crossed.map { $0.options["merge"] } == ["sync", "async", nil])
    #expect(
      problems(of: text + "options: {main-only: {root_save: each}}") == [
        "test.yml:3: options.main-only.root_save: is not allowed here. Only parent-child has it."
      ])
  }

  @Test func anOverrideReplacesTheCrossedOption() throws {
    let text = minimal + "options: {parent-child: {save_every: [10, 20]}}\n"
    let variants = try readScenario(text, set: ["save_every=7"]).variants
    #expect(variants.map { $0.options["save_every"] } == ["7", "7"])
  }

  @Test func expectationsOfAStrategyAddToThoseOfAll() throws {
    let text =
      minimal + """
        expect:
          must:
            - deadlock
            - [crash, hang]
            - {kind: lost-record, at_least: 3}
            - {kind: torn-read, containing: half of a save}
          may: [failed-save]
          not_exercised: [overlap]
          by_strategy:
            main-only: {may: [main-thread-stall], not_exercised: [stale-read]}
        """
    let scenario = try readScenario(text)
    let all = scenario.expectation(for: "parent-child")
    #expect(
      all.must == [
        .init(anyOf: [.deadlock]), .init(anyOf: [.crash, .hang]), .init(anyOf: [.lostRecord], atLeast: 3),
        .init(anyOf: [.tornRead], containing: "half of a save"),
      ])
    #expect(all.allows(.failedSave) && all.allows(.hang) && !all.allows(.mainThreadStall))
    let main = scenario.expectation(for: "main-only")
    #expect(main.must == all.must && main.allows(.mainThreadStall))
    #expect(main.notExercised == ["overlap", "stale-read"])
  }

  @Test func aTextIsLookedForInSubjectExpectedAndSeen() {
    let violation = Violation(kind: .tornRead, subject: "bank", expected: "40", seen: "30")
    for (text, counts) in [("bank", true), ("bank: 40: 30", true), ("40: 30", true), ("bank: 30", false)] {
      #expect(ScenarioExpectation.Must(anyOf: [.tornRead], containing: text).counts(violation) == counts)
    }
    #expect(ScenarioExpectation.Must(anyOf: [.tornRead]).counts(violation))
    #expect(!ScenarioExpectation.Must(anyOf: [.readSkew], containing: "bank").counts(violation))
  }
}
