import Checking
import CoreData
import SQLite
import Testing

@testable import Cells

@Suite struct FloorRowsTests {
  private static let notes = """
    SELECT quote(ZNUMBER) || quote(ZREVISION) || quote(ZISPINNED) || quote(ZCREATEDAT) || quote(ZMODIFIEDAT)
      || quote(ZTITLE) || quote(ZBODY) || quote(ZLANGUAGE) || quote(ZUUID) FROM ZNOTE ORDER BY ZNUMBER
    """
  private static let words = """
    SELECT quote(w.ZNUMBER) || quote(w.ZTERM) || quote(w.ZMEANING) || quote(w.ZLEVEL) || quote(n.ZNUMBER)
      FROM ZWORD w JOIN ZNOTE n ON n.Z_PK = w.ZNOTE ORDER BY w.ZNUMBER
    """

  private func lines(of query: String, in path: String) throws -> [String] {
    let statement = try Connection(path: path).prepare(query)
    var lines: [String] = []
    while try statement.step() { lines.append(statement.string(at: 0)) }
    return lines
  }

  @Test func theFloorWritesTheRowsThatTheStackWrites() throws {
    let notebook = VocabularyNotebook(notes: 30, wordsPerNote: 4, seed: 11)
    let plan = ImportPlan(notes: 1..<31, wordsPerNote: 4, importers: 2, saveEvery: 40)

    let stack = try TestStore()
    let environment = try stack.makeEnvironment()
    let writer = SingleBackgroundWriterStrategy(environment).makeWriter(named: "writer")
    for notes in plan.batches.joined() {
      try writer.write {
        notebook.insert(notes: notes, into: $0)
      } reached: { _ in
      }
    }

    let floor = try TestStore()
    let measurement = try FloorRunner.importRows(of: notebook, notesPerSave: plan.notesPerSave, to: floor.path)
    #expect(measurement.rows == 150)
    #expect(measurement.commits == plan.notesPerSave.count)

    let notes = try lines(of: Self.notes, in: floor.path)
    #expect(notes.count == 30)
    #expect(try lines(of: Self.notes, in: stack.path) == notes)
    let words = try lines(of: Self.words, in: floor.path)
    #expect(words.count == 120)
    #expect(try lines(of: Self.words, in: stack.path) == words)
  }

  @Test func aFloorThatCannotWriteSaysWhy() throws {
    let notebook = VocabularyNotebook(notes: 1, wordsPerNote: 0, seed: 1)
    let plan = ImportPlan(notes: 1..<2, wordsPerNote: 0, importers: 1, saveEvery: 1)
    #expect(throws: FloorRunner.Failure.self) {
      try FloorRunner.importRows(of: notebook, notesPerSave: plan.notesPerSave, to: "/nowhere/at/all.sqlite")
    }
  }
}
