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
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder
  /// When the latest save became durable; nil before.
  private(set) var lastDurable: UInt64?
  /// Saves that never became durable.
  private(set) var undurableSaves = 0

  init(session: CellSession, notebook: VocabularyNotebook, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    self.notebook = notebook
    self.writer = writer
    self.recorder = recorder
  }

  /// Deletes the objects with these IDs, which are the notes with these numbers, and saves.
  func delete(_ notes: Range<Int>, _ identifiers: [NSManagedObjectID]) {
    sweep(notes) { context in
      for id in identifiers { context.delete(try context.existingObject(with: context.localID(of: id))) }
    }
  }

  /// The mistake: deletes whatever has these numbers by now, and so what was imported meanwhile.
  func deleteWhateverIsThere(_ notes: Range<Int>) {
    sweep(notes) { context in
      let request = Note.request()
      request.predicate = NSPredicate(format: "number >= %ld AND number < %ld", notes.lowerBound, notes.upperBound)
      for note in try context.fetch(request) { context.delete(note) }
    }
  }

  /// Saves what `edit` deletes, and records the old notes with these numbers as deleted.
  private func sweep(_ notes: Range<Int>, _ edit: (NSManagedObjectContext) throws -> Void) {
    let words = notebook.wordNumbers(ofNotes: notes)
    let begin = OperationStart.now()
    var isInvoked = false
    var isPushed = false
    var isDurable = false
    do {
      try writer.write { context in
        record(.invoke, notes, words)
        isInvoked = true
        try edit(context)
      } reached: { stage in
        switch stage {
        case .edited: break
        case .pushed: isPushed = true
        case .durable:
          isDurable = true
          record(.ok, notes, words)
          lastDurable = MonotonicClock.now()
          session.countAcknowledged(notes.count + words.count)
        }
      }
      if isPushed, !isDurable { record(.info, notes, words) }
      recorder.record("delete", in: "sync", since: begin)
    } catch {
      recorder.recordFailure(of: "delete", in: "sync")
      recorder.history.record(.fail, .save, value: Int64((error as NSError).code))
      if isInvoked { record(isPushed ? .info : .fail, notes, words) }
    }
    if !isDurable { undurableSaves += 1 }
    session.sampleLog()
  }

  private func record(_ type: OperationType, _ notes: Range<Int>, _ words: Range<Int>) {
    recorder.history.record(
      type, .delete, entity: NotebookModel.EntityNumber.note, key: Int64(notes.lowerBound), count: Int64(notes.count))
    guard !words.isEmpty else { return }
    recorder.history.record(
      type, .delete, entity: NotebookModel.EntityNumber.word, key: Int64(words.lowerBound), count: Int64(words.count))
  }
}
