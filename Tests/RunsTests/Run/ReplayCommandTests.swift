import Checking
import ScenarioSamples
import Testing

@testable import Runs

@Suite struct ReplayCommandTests {
  @Test func theCommandNamesFileStrategySeedAndKind() throws {
    let plan = Plan([try readScenario(minimal + "repetitions: 1\nseed: 42\n")])
    let cell = try #require(plan.cells.first { $0.variant.strategy == "main-only" })
    #expect(
      ReplayCommand(arguments: ["--quick"]).text(for: .staleRead, of: cell)
        == "contextbench run test.yml --strategy main-only --seed 42 --repetitions 50 --stop-on stale-read --quick")
  }

  @Test func theCommandPinsOptionsThatAreCrossed() throws {
    let text = minimal + "repetitions: 1\noptions: {parent-child: {save_every: [10, 20]}}\n"
    let cell = try #require(Plan([try readScenario(text)]).cells.first { $0.variant.options["save_every"] == "20" })
    #expect(
      ReplayCommand(arguments: []).text(for: .staleRead, of: cell).hasSuffix("--stop-on stale-read --set save_every=20")
    )
  }

  @Test func wordsAreQuotedForTheShell() throws {
    let cell = try #require(Plan([try readScenario(minimal)]).cells.first)
    #expect(
      ReplayCommand(arguments: ["--set", "description=it's"]).text(for: .staleRead, of: cell).hasSuffix(
        "--set 'description=it'\\''s'"))
  }
}
