import Foundation
import ScenarioSamples
import Testing

@testable import Scenarios

@Suite struct ThresholdReaderTests {
  @Test func aScenarioSaysWhatCounts() throws {
    let scenario = try readScenario(
      minimal
        + "thresholds:\n  - {column: floor_ratio, percent: 10}\n  - {strategy: main-only, column: main_thread_s, percent: 2.5}\n"
    )
    #expect(scenario.thresholds.map(\.column) == ["floor_ratio", "main_thread_s"])
    #expect(scenario.thresholds.map(\.strategy) == [nil, "main-only"])
    #expect(scenario.thresholds.map(\.effect) == [0.1, 0.025])
    #expect(scenario.thresholds.allSatisfy { $0.scenario == scenario.name })
  }

  @Test func everyMistakeIsReported() throws {
    let text = """
      thresholds:
        - {column: florr_ratio, percent: 10}
        - {column: floor_ratio}
        - {column: floor_ratio, percent: -1}
        - {column: floor_ratio, percent: 10, strategy: nobody, scenario: import}
        - floor_ratio

      """
    let error = #expect(throws: ScenarioProblems.self) { try readScenario(minimal + text) }
    let description = try #require(error?.description)
    for message in [
      "thresholds[1].column: unknown column florr_ratio. Did you mean floor_ratio?", "thresholds[2]: has no percent.",
      "thresholds[3].percent: -1 is out of range.", "thresholds[4].strategy: unknown strategy nobody.",
      "thresholds[4].scenario: unknown key.", "thresholds[5]: is not a section.",
    ] {
      #expect(description.contains(message), "\(message) in \(description)")
    }
  }

  @Test func aFileOfThresholdsNamesScenarios() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("thresholds-\(UUID().uuidString).yml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    func read(_ text: String) throws -> [String] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return try ThresholdFile.read(path, vocabulary: testVocabulary).map(\.description)
    }
    #expect(
      try read("thresholds:\n  - {scenario: import, strategy: main-only, column: floor_ratio, percent: 10}\n")
        == ["import, main-only, floor_ratio"])
    for text in ["", "thresholds: []\n", "other: 1\n", "thresholds: 3\n", "thresholds: [\n"] {
      #expect(throws: ScenarioProblems.self, "\(text)") { try read(text) }
    }
    #expect(throws: ScenarioProblems.self) { try ThresholdFile.read("/no/such/file.yml", vocabulary: testVocabulary) }
  }
}
