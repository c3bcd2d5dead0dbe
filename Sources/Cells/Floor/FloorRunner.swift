import Boundary
import CFloor
import CoreData
import Scenarios

/// The floor's side of a run: writes the import's rows with SQLite's C interface and ends the process.
public enum FloorRunner {
  /// The stack's default pragmas: a file as Apple's stack makes it.
  private static func pragmas(_ synchronous: Keys.Synchronous) -> String {
    """
    PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = \(synchronous.rawValue)
    """
  }

  /// Imports the same rows in the same saves as the cell would, and exits like ``CellRunner``.
  public static func run(_ request: CellRequest) -> Never {
    let settings = request.settings
    let notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: request.key.seed)
    let plan = ImportPlan(
      notes: 1..<notebook.noteCount + 1, wordsPerNote: notebook.wordsPerNote, importers: settings[Keys.importers],
      saveEvery: settings[Keys.saveEvery])
    do {
      let measurement = try importRows(
        of: notebook, notesPerSave: plan.notesPerSave, to: request.directory + "/" + CellFiles.store,
        synchronous: settings[Keys.synchronous])
      let file = URL(fileURLWithPath: request.directory).appendingPathComponent(CellMeasurement.fileName)
      try JSONEncoder().encode(measurement).write(to: file, options: .atomic)
    } catch {
      CellExit.fail("the floor failed: \(error)")
    }
    CellExit.end()
  }

  /// Imports the rows into a new store at `path`.
  package static func importRows(
    of notebook: VocabularyNotebook, notesPerSave: [Int], to path: String, synchronous: Keys.Synchronous = .normal
  ) throws(Failure) -> FloorMeasurement {
    var result = cfloor_result()
    let code = notebook.withFloorRows(notesPerCommit: notesPerSave) { rows in
      var rows = rows
      return cfloor_import(path, pragmas(synchronous), &rows, &result)
    }
    guard code == 0 else { throw failure(&result.error) }
    return FloorMeasurement(floorSeconds: result.seconds, rows: notebook.rowCount, commits: notesPerSave.count)
  }

  /// Reads the words of the store at `path` by term, all with 0: seconds, how many, and the sum of their numbers and of
  /// the lengths of their texts.
  package static func fetchWords(
    limit: Int = 0, of path: String
  ) throws(Failure) -> (seconds: Double, count: Int, sum: Int64) {
    precondition(limit >= 0, "a limit is a number of rows, or none")
    var result = cfloor_fetch_result()
    guard cfloor_fetch_words(path, "PRAGMA query_only = 1", Int64(limit), &result) == 0 else {
      throw failure(&result.error)
    }
    return (result.seconds, Int(result.row_count), result.sum)
  }

  private static func failure(_ text: inout some Any) -> Failure {
    Failure(description: withUnsafeBytes(of: &text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
  }

  /// An error of SQLite.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}
