import Cells
import Checking
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

struct HazardPairTests {
  private func scenario(_ name: String, _ expectation: String = "") throws -> Scenario {
    var scenario = try readScenario(minimal + expectation)
    scenario.name = name
    return scenario
  }

  @Test func aMistakeIsBesideItsRightWay() throws {
    let must = "expect: {must: [lost-record, [deadlock, lock-order]]}\n"
    let pairs = HazardPair.all(of: [
      try scenario("b-careful"), try scenario("b", must), try scenario("a", must), try scenario("a-careful"),
    ])
    #expect(pairs.map(\.name) == ["a", "b"])
    #expect(pairs.allSatisfy { $0.problem == nil && $0.careful != nil })
    // Which of two it will be is not known, so that neither is proven.
    #expect(pairs[0].kinds == [.lostRecord])
  }

  @Test func aFileWithoutAMistakeAndWithoutATwinMustStayClean() throws {
    let pair = try #require(HazardPair.all(of: [try scenario("late-merge")]).first)
    #expect(pair.careless == nil && pair.careful?.name == "late-merge" && pair.problem == nil)
  }

  @Test func aMistakeWithoutARightWayOrWithoutWhatItMustShowIsAProblem() throws {
    let alone = HazardPair.all(of: [try scenario("a", "expect: {must: [lost-record]}\n")])
    #expect(alone.first?.problem?.contains("has no section careful:") == true)
    let silent = HazardPair.all(of: [try scenario("a"), try scenario("a-careful")])
    #expect(silent.first?.problem?.contains("does not name under expect: must") == true)
    #expect(HazardPair.all(of: [try scenario("a-careful")]).first?.problem != nil)
  }

  @Test func whatASingleStrategyMustShowCounts() throws {
    let pair = HazardPair(
      name: "a", careless: try scenario("a", "expect: {by_strategy: {main-only: {must: [hang]}}}\n"),
      careful: try scenario("a-careful"))
    #expect(pair.kinds == [.hang] && pair.problem == nil)
  }

  @Test func pairsWithStallsRunAlone() throws {
    let shipped = try HazardPair.shipped(
      by: ScenarioLoader(
        vocabulary: .registered, library: ScenarioLoader.libraryPath(executable: CommandLine.arguments[0])),
      seeds: 7, quick: true)
    #expect(shipped.first { $0.name == "main-thread-stall" }?.isTimed == true)
    #expect(shipped.first { $0.name == "wrong-queue" }?.isTimed == false)
    #expect(shipped.allSatisfy { $0.scenarios.allSatisfy { $0.settings[Keys.repetitions] == 7 } })
    #expect(shipped.compactMap(\.problem) == [])
  }
}
