import CoreData
import HarnessKit
import Measuring

/// 21,000 rows in one save of one background context, beside the same rows in C; both get values made beforehand.
struct ImportSpeed {
  private static let notes = 1_000
  private static let wordsPerNote = 20

  let directory: URL

  func measure(rounds: Int) throws {
    let notebook = VocabularyNotebook(notes: Self.notes, wordsPerNote: Self.wordsPerNote, seed: 1)
    let rows = (1...Self.notes).map { number in
      (note: notebook.note(number), words: notebook.wordNumbers(ofNote: number).map(notebook.word))
    }
    var floor = Series("floor, \(notebook.rowCount) rows in one commit", "ms")
    var stack = Series("stack, \(notebook.rowCount) rows in one save", "ms")
    var inserting = Series("of which making and filling the objects", "ms")
    var ratio = Series("import, x the floor", "times")
    for round in 0...rounds {
      let folder = directory.appendingPathComponent("import-\(round)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let floorRows = try FloorRunner.importRows(
        of: notebook, notesPerSave: [Self.notes], to: folder.appendingPathComponent("floor.sqlite").path)
      let container = try NotebookStore.open(in: folder.path)
      let context = container.newBackgroundContext()
      let (inserted, saved) = try context.performAndWait {
        (
          seconds { insert(rows, into: context) }, try seconds { try context.save() }
        )
      }
      floor.add(floorRows.floorSeconds * 1_000)
      stack.add((inserted + saved) * 1_000)
      inserting.add(inserted * 1_000)
      ratio.add((inserted + saved) / floorRows.floorSeconds)
    }
    for series in [floor, stack, inserting, ratio] { series.report() }
  }

  private func insert(_ rows: [(note: NoteRow, words: [WordRow])], into context: NSManagedObjectContext) {
    for row in rows {
      let note = Note(context: context)
      note.fill(row.note)
      for wordRow in row.words {
        let word = Word(context: context)
        word.fill(wordRow)
        word.note = note
      }
    }
  }
}
