import Testing

@testable import Scenarios

struct ScenarioSweepTests {
  @Test func aRangeAndAListAreValues() throws {
    #expect(try ScenarioSweep("importers=1..4").values == ["1", "2", "3", "4"])
    #expect(try ScenarioSweep("edits_per_s=0.5,2,10").values == ["0.5", "2", "10"])
    #expect(try ScenarioSweep("importers=3").key == "importers")
  }

  @Test(arguments: [
    "importers", "importers=", "importers=4..1", "importers=1,1", "importers=1..101", "a=x,y", "a=1..b", "=1,2",
  ])
  func whatIsNeitherIsRefused(text: String) { #expect(throws: ScenarioProblem.self) { try ScenarioSweep(text) } }
}
