import Foundation
import ScenarioSamples
import Testing

@testable import Scenarios

@Suite struct ScenarioProblemTests {
  @Test(arguments: [
    ("nots: 5", "test.yml:3: nots: unknown key. Did you mean notes?"),
    ("notes: many", "test.yml:3: notes: many is not a whole number. Write a whole number, 1 to 10000000."),
    (
      "notes: \"5\"",
      "test.yml:3: notes: \"5\" is not a whole number. Write a whole number, 1 to 10000000, without quotes."
    ),
    ("notes: 0", "test.yml:3: notes: 0 is out of range. Write a whole number, 1 to 10000000."),
    ("notes:", "test.yml:3: notes: has no value. Write a whole number after the colon."),
    ("notes: [5]", "test.yml:3: notes: must be a scalar. Write a whole number."),
    ("floor: yes", "test.yml:3: floor: yes is not true or false. Write true or false."),
    ("merge_policy: overwritten", "test.yml:3: merge_policy: unknown choice overwritten. Did you mean overwrite?"),
    ("checks: overlap", "test.yml:3: checks: is not a list. Write [name, name]."),
    ("checks: []", "test.yml:3: checks: is empty. Write at least one name, or leave the key out."),
    ("checks: [overlap, overlap]", "test.yml:3: checks: overlap is listed twice. Write each name once."),
    ("checks: [overlop]", "test.yml:3: checks: unknown check overlop. Did you mean overlap?"),
    (
      "merge: none",
      "test.yml:3: merge: is not used by these strategies. Remove it, or add one of notification-merge."
    ),
    ("depth: 3", "test.yml:3: depth: is not used by workload import. Remove it."),
    ("expect: {may: [crush]}", "test.yml:3: expect.may: unknown violation kind crush. Did you mean crash?"),
    ("expect: {most: [crash]}", "test.yml:3: expect.most: unknown key. Did you mean must?"),
    (
      "expect: {must: [{at_least: 2}]}", "test.yml:3: expect.must: has no kind. Write {kind: name, at_least: number}."
    ),
    (
      "expect: {must: [{kind: crash, containing: []}]}",
      "test.yml:3: expect.must.containing: is not a text. Write a part of the violation."
    ),
    (
      "expect: {must: [{kind: crash, at_least: 0}]}",
      "test.yml:3: expect.must.at_least: 0 is out of range. Write a whole number, 1 to 1000000000."
    ),
    (
      "expect: {by_strategy: {main-onyl: {may: [crash]}}}",
      "test.yml:3: expect.by_strategy: unknown strategy main-onyl. Did you mean main-only?"
    ),
    (
      "expect: {by_strategy: {notification-merge: {may: [crash]}}}",
      "test.yml:3: expect.by_strategy.notification-merge: the strategy is not run. "
        + "Add it to strategies, or remove this."
    ),
    (
      "options: {notification-merge: {merge: sync}}",
      "test.yml:3: options.notification-merge: the strategy is not run. Add it to strategies, or remove this."
    ),
    ("quick: {nots: 5}", "test.yml:3: quick.nots: unknown key. Did you mean notes?"),
    ("quick: {checks: [overlap]}", "test.yml:3: quick.checks: is not allowed here. Write it at the top of the file."),
    (
      "options: {parent-child: {save_evry: 5}}",
      "test.yml:3: options.parent-child.save_evry: unknown key. Did you mean save_every?"
    ),
    (
      "options: {parent-child: {save_every: [5, 5]}}",
      "test.yml:3: options.parent-child.save_every: a value is listed twice. Write each value once."
    ),
    (
      "options: {main: {save_every: 5}}",
      "test.yml:3: options: unknown strategy main. Known: notification-merge, parent-child, main-only."
    ),
  ])
  func aWrongLineSaysWhereWhatAndWhatToDo(line: String, message: String) {
    #expect(problems(of: minimal + line) == [message])
  }

  @Test func allProblemsAreReportedAtOnceInTheOrderOfTheirLines() {
    let text = "strategies: [parent-chld]\nworkload: imports\nnotes: 0\nnots: 1\n"
    #expect(problems(of: text).map { $0.prefix(10) } == ["test.yml:1", "test.yml:2", "test.yml:3", "test.yml:4"])
  }

  @Test func brokenYAMLIsReportedWithItsLine() {
    let found = problems(of: minimal + "notes: [1, 2\nseed: 3\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("test.yml:4: broken YAML, ") == true)
  }

  @Test func aKeyThatIsGivenTwiceIsReported() {
    #expect(problems(of: minimal + "notes: 1\nnotes: 2\n").first?.contains("notes: is twice") == true)
  }

  @Test func aMissingWorkloadAndMissingStrategiesAreReported() {
    let found = problems(of: "notes: 5\n")
    #expect(found.count == 2)
    #expect(found.allSatisfy { $0.contains("is missing") })
  }

  @Test(arguments: ["", "- a\n", "just text"])
  func aFileThatIsNoListOfKeysIsReported(text: String) {
    #expect(problems(of: text).first?.hasPrefix("test.yml:1: the file is") == true)
  }

  @Test(arguments: [
    ("nots=5", "--set: nots: unknown key. Did you mean notes?"),
    ("notes=0", "--set: notes: 0 is out of range. Write a whole number, 1 to 10000000."),
    (
      "strategies=main-only,nobody",
      "--set: strategies: unknown strategy nobody. Known: notification-merge, parent-child, main-only."
    ),
    ("expect=crash", "--set: expect: is a section and cannot be set here. Write it in the scenario file."),
    ("notes", "--set: notes: is no assignment. Write --set key=value, for example --set notes=1000."),
  ])
  func aWrongOverrideNamesItsOption(assignment: String, message: String) {
    #expect(problems(of: minimal, set: [assignment]) == [message])
  }
}
