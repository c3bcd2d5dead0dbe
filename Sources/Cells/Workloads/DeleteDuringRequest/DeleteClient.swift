import Checking
import CoreData
import Measuring

/// One client that deletes notes, and with them their words, through its writer.
///
/// Concurrency: used by one thread at a time.
final class DeleteClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let units: UnitRecorder

  init(session: CellSession, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: "request")
  }

  /// Deletes the note and saves; its words go by the delete rule.
  func delete(_ note: RequestedNote) {
    units.write("delete") { context, unit in
      let object = try context.existingObject(with: context.localID(of: note.id))
      unit.begin(
        NotebookChanges(
          function: .delete, notes: note.number..<note.number + 1, words: note.words,
          context: session.environment.number(of: context), object: object.objectID.primaryKey))
      context.delete(object)
    }
    session.sampleLog()
  }
}
