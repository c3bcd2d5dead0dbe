import Foundation
import Testing

/// Documents that a newcomer meets first stay short and complete.
struct DocumentTests {
  private func text(_ path: String) throws -> String {
    try #require(try PackageFolder.source(path), "\(path) is there").lines.joined(separator: "\n")
  }

  @Test func theReadmeIsReadInOneSitting() throws {
    let text = try text("README.md")
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 171)
    #expect(text.split(whereSeparator: \.isWhitespace).count <= 1_200)
  }

  /// The hazards are too many for it; `contextbench selftest` lists them.
  @Test func everyScenarioIsDescribed() throws {
    let document = try text("Sources/HarnessKit/HarnessKit.docc/ShippedScenarios.md")
    for file in try PackageFolder.sources(in: "Scenarios")
    where file.path.hasSuffix(".yml") && !file.path.contains("/hazards/") {
      let name = URL(fileURLWithPath: file.path).deletingPathExtension().lastPathComponent
      if !document.contains(name) { Issue.record("\(file.path) is not mentioned in ShippedScenarios.md") }
    }
  }

  /// The example is compiled, so the code of the document compiles.
  @Test func theWholeStrategyOfTheDocumentIsTheExample() throws {
    let example = try text("Examples/OwnStrategy/Sources/own-strategy/AutomaticStrategy.swift")
    #expect(try text("Sources/HarnessKit/HarnessKit.docc/HarnessKit.md").contains("```swift\n" + example + "```"))
    #expect(example.split(separator: "\n").count <= 30)
  }

  /// Else its table would not be one.
  @Test(arguments: ["import", "delete-during-request", "shootout"])
  func theOtherLibraryDoesWhatTheShippedScenarioDoes(name: String) throws {
    func numbers(_ path: String) throws -> [Substring] {
      try text(path).split(separator: "\n").map { $0.prefix { $0 != "#" } }.filter { $0.contains(/^ *[a-z_]+: \d+ *$/) }
        .map { $0.trimmingPrefix(" ") }
    }
    let shipped = try numbers("Scenarios/\(name).yml")
    #expect(shipped.count > 5)
    #expect(try numbers("Examples/GRDBPeer/Scenarios/peer-\(name).yml") == shipped)
  }

  @Test func everyDeviationIsInTheTable() throws {
    let lines = try #require(try PackageFolder.source("DEVIATIONS.md")).lines
    let table = lines.filter { $0.hasPrefix("| ") }.joined()
    for line in lines where line.hasPrefix("## ") {
      let title = line.dropFirst(3)
      let place = title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " || $0 == "_" }
        .replacing(" ", with: "-")
      if !table.contains("[\(title)](#\(place))") { Issue.record("[\(title)](#\(place)) is not in the table") }
    }
  }
}
