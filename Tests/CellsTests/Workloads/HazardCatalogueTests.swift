import Scenarios
import Testing

@testable import Cells

struct HazardCatalogueTests {
  @Test func everyHazardHasANameOfItsOwnAndItsRightWay() throws {
    #expect(Set(HazardCatalogue.names).count == HazardCatalogue.all.count)
    let loader = ScenarioLoader(
      vocabulary: .registered, library: ScenarioLoader.libraryPath(executable: CommandLine.arguments[0]))
    let scenarios = try loader.load(
      loader.shipped().map(\.path).filter { $0.contains("/hazards/") }
    ).filter { $0.settings[Keys.workload] == HazardWorkload.name }
    for name in HazardCatalogue.names {
      let own = scenarios.filter { $0.settings[Keys.hazard] == name }
      #expect(
        Set(own.map { $0.settings[Keys.care] }) == [.careful, .careless],
        "\(name) has a careless and a careful scenario"
      )
    }
  }
}
