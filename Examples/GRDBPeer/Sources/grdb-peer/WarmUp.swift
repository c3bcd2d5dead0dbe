import Foundation
import GRDB
import HarnessKit

/// Lets GRDB's paths run once before anything is timed, as the harness does with a strategy's: on a file of its own.
enum WarmUp {
  private static let notes = 60
  private static let notesPerSave = 15

  static func run(_ session: CellSession) throws {
    let folder = session.directory + "/grdb-warm-up"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let notebook = VocabularyNotebook(notes: notes, wordsPerNote: 10, seed: session.seed)
    let pool = try DatabasePool(path: folder + "/notes.sqlite")
    try pool.write(NotebookTables.create)
    for start in stride(from: 1, through: notes, by: notesPerSave) {
      try pool.write { database in
        for number in start..<start + notesPerSave {
          try notebook.insert(number, into: database, by: session.settings[GRDBPoolStrategy.inserts])
        }
      }
    }
    for note in try pool.read(NoteRecord.fetchAll) { _ = note.title.isEmpty }
    try pool.close()
    try FileManager.default.removeItem(atPath: folder)
  }
}
