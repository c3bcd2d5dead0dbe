import Foundation
import Reporting
import ScenarioSamples
import Testing

@testable import Runs

@Suite struct PlanDocumentTests {
  private func document(_ text: String, shard: String? = nil) throws -> PlanDocument {
    let scenarios = [try readScenario(minimal + text)]
    return Plan(scenarios).document(scenarios, shard: shard.flatMap(Shard.init))
  }

  @Test func survivesItsFile() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("plan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let expect = "expect: {may: [failed-save], by_strategy: {main-only: {may: [main-thread-stall]}}}\n"
    let written = try document("repetitions: 3\nwarmup: 1\n" + expect, shard: "2/2")
    try written.write(in: folder.path)
    #expect(try PlanDocument(readingFrom: folder.path) == written)
    #expect(written.scenarios[0].expectByStrategy.keys.sorted() == ["main-only"])
  }

  @Test func cellsOfAWarmUpHaveNoRow() throws {
    let document = try document("repetitions: 2\nwarmup: 1\n")
    #expect(document.blocks.map(\.repetition) == [-1, 0, 1])
    #expect(document.cellCount == 6)
    #expect(document.rowCells == [2, 3, 4, 5])
  }

  @Test func theBlocksOfShardsAreThoseOfTheWhole() throws {
    let whole = try document("repetitions: 5\n")
    let parts = try (1...3).map { try document("repetitions: 5\n", shard: "\($0)/3") }
    #expect(parts.flatMap(\.blocks).sorted { $0.block < $1.block } == whole.blocks)
    #expect(parts.allSatisfy { $0.blockCount == 5 && $0.cellCount == 10 })
    for part in parts { #expect(part.differences(from: whole).isEmpty) }
  }

  @Test(arguments: [
    ("notes: 11\n", "test: notes is 5000, not 11"), ("repetitions: 2\n", "test: repetitions is 3, not 2"),
    ("checks: [overlap]\n", "test: other checks"), ("expect: {may: [failed-save]}\n", "test: another expectation"),
    ("seed: 2\n", "test: seed is 1, not 2"),
  ])
  func whatDiffersIsNamed(text: String, difference: String) throws {
    #expect(try document("").differences(from: document(text)).contains(difference))
    #expect(try document("").differences(from: document("")).isEmpty)
  }

  @Test func theCellsOfABlockInAnotherOrderAreADifference() throws {
    let document = try document("")
    var other = document
    other.blocks[1].cells.reverse()
    #expect(document.differences(from: other) == ["block 1 has other cells, or another order or seed"])
  }
}
