import Scenarios
import Scheduling
import Testing

@testable import Cells

struct PhaseTests {
  private static let vocabulary = ScenarioVocabulary.registered

  private func read(_ text: String) throws -> Scenario {
    var reader = ScenarioReader(source: "test.yml", vocabulary: Self.vocabulary, quick: false, overrides: [])
    return try reader.read("workload: soak\nstrategies: [main-only]\n" + text)
  }

  private func problems(_ text: String) -> [String] {
    do {
      _ = try read(text)
      return []
    } catch let error as ScenarioProblems {
      return error.problems.map(\.description)
    } catch {
      return ["\(error)"]
    }
  }

  private func phases(_ scenario: Scenario) -> [Phase] {
    Phase.planned(scenario.settings, name: "soak", defaultWeights: ["insert": 1])
  }

  @Test func withoutPhasesTheKeysMakeOne() throws {
    let scenario = try read("duration_s: 3\noperations: 50\nthink_ms: 2")
    #expect(
      phases(scenario) == [
        Phase(name: "soak", weights: ["insert": 1], durationSeconds: 3, operations: 50, thinkMilliseconds: 2)
      ])
  }

  @Test func aPhaseThatSaysNothingElseHasTheKeysValues() throws {
    let scenario = try read(
      """
      duration_s: 4
      phases:
        - {name: fill, weights: {insert: 3}, operations: 200, think_ms: 1.5}
        - weights: {edit: 2, fetch: 1}
      """)
    #expect(
      phases(scenario) == [
        Phase(name: "fill", weights: ["insert": 3], operations: 200, thinkMilliseconds: 1.5),
        Phase(name: "phase 2", weights: ["edit": 2, "fetch": 1], durationSeconds: 4, thinkMilliseconds: 0),
      ])
  }

  @Test(arguments: [
    ("phases: 3", "phases: is not a list of phases. Write - weights: {operation: weight} for each phase."),
    ("phases: []", "phases: is not a list of phases. Write - weights: {operation: weight} for each phase."),
    ("phases: [{weights: {edti: 1}}]", "phases[1].weights.edti: unknown operation edti. Did you mean edit?"),
    ("phases: [{weights: {edit: 0}}]", "phases[1].weights: draws nothing. Give an operation a weight above 0."),
    (
      "phases: [{weights: {edit: -1}}]",
      "phases[1].weights.edit: -1 is out of range. Write a whole number, 0 to 1000000."
    ),
    (
      "phases: [{weights: {edit: 1}, operations: 0}]",
      "phases[1].operations: 0 is out of range. Write a whole number, 1 to 1000000000."
    ),
    ("phases: [{weights: {edit: 1}, duratoin_s: 1}]", "phases[1].duratoin_s: unknown key. Did you mean duration_s?"),
  ])
  func mistakesAreNamedWithTheirPlace(text: String, problem: String) {
    #expect(problems(text) == ["test.yml:3: " + problem])
  }

  @Test func aPhaseNeedsWeightsAndAWorkloadThatHasOperations() {
    #expect(problems("phases: [{operations: 5}]").first?.hasPrefix("test.yml:3: phases[1]: has no weights.") == true)
    var reader = ScenarioReader(source: "test.yml", vocabulary: Self.vocabulary, quick: false, overrides: [])
    let error = #expect(throws: ScenarioProblems.self) {
      try reader.read("workload: import\nstrategies: [main-only]\nphases: [{weights: {edit: 1}}]")
    }
    #expect(error?.problems.contains { $0.key == "phases" && $0.what.contains("is not used by workload") } == true)
  }

  @Test func operationsAreDrawnByWeightAndTheSameWithTheSameSeed() {
    func draws(_ seed: UInt64) -> [String] {
      var draw = WeightedDraw(["a": 1, "b": 3, "c": 0], SeededRandom(seed: seed))
      return (0..<4000).map { _ in draw.next() }
    }
    let first = draws(5)
    #expect(first == draws(5))
    #expect((900...1100).contains(first.count { $0 == "a" }))
    #expect(Set(first) == ["a", "b"])
    var draw = WeightedDraw(["a": 1], SeededRandom(seed: 1))
    let thinks = (0..<4000).map { _ in draw.thinkSeconds(mean: 0.01) }
    #expect(abs(thinks.reduce(0, +) / 4000 - 0.01) < 0.001)
    #expect(thinks.allSatisfy { $0 >= 0 && $0 <= 0.1 })
  }

  @Test func aPhaseEndsAtItsCountOrItsTime() {
    let counted = PhaseLimit(Phase(name: "p", weights: [:], operations: 2), begin: 0)
    #expect([counted.admitsOne(), counted.admitsOne(), counted.admitsOne()] == [true, true, false])
    #expect(!PhaseLimit(Phase(name: "p", weights: [:], durationSeconds: 1), begin: 0).admitsOne())
    #expect(PhaseLimit(Phase(name: "p", weights: [:]), begin: 0).admitsOne())
  }
}
