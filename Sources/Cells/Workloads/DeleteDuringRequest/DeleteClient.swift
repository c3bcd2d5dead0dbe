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

  /// Deletes the note and saves; its words go by the delete rule. Once that is in the file, no context finds the note any more.
  func delete(_ note: RequestedNote) {
    let end = units.write("delete") { context, unit in
      let object = try context.existingObject(with: context.localID(of: note.id))
      unit.begin(
        NotebookChanges(
          function: .delete, notes: note.number..<note.number + 1, words: note.words,
          context: session.environment.number(of: context), object: object.objectID.primaryKey))
      context.delete(object)
    }
    session.sampleLog()
    if end.isDurable { lookAgain(note) }
  }

  /// Looks for a note that was deleted, as the next unit of work might: others may have read its row before it went.
  private func lookAgain(_ note: RequestedNote) {
    units.write("look", as: NotebookChanges.self) { context, _ in
      if let object = try? context.existingObject(with: context.localID(of: note.id)), !object.isDeleted {
        CellReports.report(
          Violation(
            kind: .resurrectedRecord, subject: "note \(note.number)", expected: "gone: its delete was acknowledged",
            seen: "\(context.name ?? "a context") found \(object.objectID) again"))
      }
      throw UnitRecorder.GivenUp()
    }
  }
}
