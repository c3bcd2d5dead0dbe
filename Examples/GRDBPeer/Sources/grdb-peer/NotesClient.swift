import Foundation
import GRDB
import HarnessKit

/// One client: writes notes with their words, changes and deletes them, each in a transaction, and records what became of it.
final class NotesClient: @unchecked Sendable {
  // Sendable: used by one job at a time.
  static let note = WorkloadSchema.notebook.number(ofEntity: "Note")
  static let word = WorkloadSchema.notebook.number(ofEntity: "Word")

  private let session: CellSession
  private let pool: DatabasePool
  private let notebook: VocabularyNotebook
  private let recorder: WorkerRecorder
  /// When the latest of its transactions was in the file.
  private(set) var lastDurable: UInt64?
  /// The note that it updated last.
  private(set) var updated: (number: Int64, revision: Int64)?

  init(_ session: CellSession, _ pool: DatabasePool, _ notebook: VocabularyNotebook, kinds: Int) throws {
    self.session = session
    self.pool = pool
    self.notebook = notebook
    recorder = try session.makeRecorder(kinds: kinds)
  }

  /// Inserts the notes with these numbers and their words.
  ///
  /// - Parameter meanwhile: called in the transaction, before its end.
  func insert(_ numbers: Range<Int>, in phase: String, meanwhile: () -> Void = {}) throws {
    let words = notebook.wordNumbers(ofNotes: numbers)
    let inserts = session.settings[GRDBPoolStrategy.inserts]
    let begin = OperationStart.now()
    var (entered, edited) = (begin, begin)
    try pool.write { database in
      entered = .now()
      record(.invoke, .insert, numbers, words)
      for number in numbers { try notebook.insert(number, into: database, by: inserts) }
      meanwhile()
      edited = .now()
    }
    let end = OperationStart.now()
    lastDurable = end.nanoseconds
    record(.ok, .insert, numbers, words)
    session.countAcknowledged(numbers.count + words.count)
    recorder.record("edit", in: phase, since: entered, until: edited)
    recorder.record("save", in: phase, since: edited, until: end)
    recorder.record("write", in: phase, since: begin, until: end)
    session.sampleLog()
  }

  /// Raises the revision of a note by one.
  func update(_ id: Int64) throws {
    let begin = OperationStart.now()
    updated = try pool.write { database in
      guard var note = try NoteRecord.fetchOne(database, key: id) else { return nil }
      recorder.record(.invoke, .update, entity: Self.note, key: note.number)
      note.revision += 1
      note.modifiedAt = Date()
      try note.update(database)
      return (note.number, note.revision)
    }
    guard let updated else { return }
    recorder.record(.ok, .update, entity: Self.note, key: updated.number, value: updated.revision)
    session.countAcknowledged(1)
    recorder.record("write", in: "update", since: begin)
  }

  /// Deletes a note, with its words by the foreign key; then no reader finds it any more.
  func delete(_ number: Int, _ id: Int64) throws {
    let (numbers, words) = (number..<number + 1, notebook.wordNumbers(ofNote: number))
    let begin = OperationStart.now()
    try pool.write { database in
      record(.invoke, .delete, numbers, words)
      try NoteRecord.deleteOne(database, key: id)
    }
    record(.ok, .delete, numbers, words)
    session.countAcknowledged(1 + words.count)
    recorder.record("delete", in: "request", since: begin)
    session.sampleLog()
    let look = OperationStart.now()
    if try pool.read({ try NoteRecord.exists($0, key: id) }) {
      CellReports.report(
        Violation(
          kind: .resurrectedRecord, subject: "note \(number)", expected: "gone: its delete was acknowledged",
          seen: "a reader found it again"))
    }
    recorder.record("look", in: "request", since: look)
  }

  private func record(
    _ type: OperationType, _ function: OperationFunction, _ notes: Range<Int>, _ words: Range<Int>
  ) {
    recorder.record(type, function, entity: Self.note, key: Int64(notes.lowerBound), count: Int64(notes.count))
    guard !words.isEmpty else { return }
    recorder.record(type, function, entity: Self.word, key: Int64(words.lowerBound), count: Int64(words.count))
  }
}
