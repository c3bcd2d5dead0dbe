import Testing

@testable import Cells

@Suite struct ImportPlanTests {
  @Test(arguments: [(1, 1), (7, 4), (100, 3), (5_000, 4), (3, 8)])
  func everyNoteIsInOneSaveOfOneImporter(notes: Int, importers: Int) {
    let plan = ImportPlan(notes: 1..<notes + 1, wordsPerNote: 20, importers: importers, saveEvery: 500)
    #expect(plan.batches.count == importers)
    #expect(plan.batches.joined().flatMap { Array($0) } == Array(1..<notes + 1))
    #expect(plan.notesPerSave.reduce(0, +) == notes)
  }

  @Test func aSaveHasWholeNotesOfAtLeastSoManyObjects() {
    let plan = ImportPlan(notes: 1..<5_001, wordsPerNote: 20, importers: 4, saveEvery: 500)
    for batches in plan.batches {
      // 24 notes with 20 words are 504 objects; 23 would be 483.
      #expect(batches.dropLast().allSatisfy { $0.count == 24 })
      #expect(batches.last.map { (1...24).contains($0.count) } == true)
    }
  }

  @Test func aNoteLargerThanASaveIsASave() {
    let plan = ImportPlan(notes: 1..<4, wordsPerNote: 20, importers: 1, saveEvery: 5)
    #expect(plan.batches == [[1..<2, 2..<3, 3..<4]])
  }

  @Test func importersHaveSharesOfTheSameSize() {
    let plan = ImportPlan(notes: 1..<11, wordsPerNote: 0, importers: 4, saveEvery: 100)
    #expect(plan.batches.map { $0.reduce(0) { $0 + $1.count } } == [2, 3, 2, 3])
  }
}
