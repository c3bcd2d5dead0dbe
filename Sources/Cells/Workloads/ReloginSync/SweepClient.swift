import Checking
import CoreData
import Measuring

/// One client that deletes the notes of an earlier import, and with them their words, through its writer.
///
/// Concurrency: used by one thread at a time.
final class SweepClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let units: UnitRecorder
  /// When the latest save became durable; nil before.
  private(set) var lastDurable: UInt64?
  /// Saves that never became durable.
  private(set) var undurableSaves = 0

  init(session: CellSession, notebook: VocabularyNotebook, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    self.notebook = notebook
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: "sync")
  }

  /// Deletes the notes with these numbers that were there, and saves.
  ///
  /// - Parameter identifiers: by number. One with a refused import has none, one with a refused delete has several
  ///   after the next import; those are deleted one after the other, since each delete is recorded.
  func delete(_ notes: Range<Int>, _ identifiers: [Int: [NSManagedObjectID]]) {
    let most = notes.map { identifiers[$0]?.count ?? 0 }.max() ?? 0
    for row in 0..<most {
      let there = notes.filter { (identifiers[$0]?.count ?? 0) > row }
      for range in RangeSet(there, within: notes).ranges {
        sweep(range) { context in
          for id in range.compactMap({ identifiers[$0]?[row] }) {
            context.delete(try context.existingObject(with: context.localID(of: id)))
          }
        }
      }
    }
  }

  /// Makes the mistake: deletes all notes with these numbers by now, and so those imported meanwhile.
  func deleteWhateverIsThere(_ notes: Range<Int>) {
    sweep(notes) { context in
      let request = Note.request()
      request.predicate = NSPredicate(format: "number >= %ld AND number < %ld", notes.lowerBound, notes.upperBound)
      for note in try context.fetch(request) { context.delete(note) }
    }
  }

  /// Saves the deletions of `edit`, and records the old notes with these numbers as deleted.
  private func sweep(_ notes: Range<Int>, _ edit: (NSManagedObjectContext) throws -> Void) {
    let changes = NotebookChanges(function: .delete, notes: notes, words: notebook.wordNumbers(ofNotes: notes))
    let end = units.write("delete") { context, unit in
      unit.begin(changes)
      try edit(context)
    } reached: { stage, _ in
      if stage == .durable { lastDurable = MonotonicClock.now() }
    }
    if !end.isDurable { undurableSaves += 1 }
    session.sampleLog()
  }
}
