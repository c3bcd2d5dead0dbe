import Checking
import CoreData
import Measuring

/// One client that raises the revision of notes through its writer.
///
/// Concurrency: used by one thread at a time.
final class UpdateClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let units: UnitRecorder

  init(session: CellSession, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: "update")
  }

  /// Raises the note's revision by one and saves.
  ///
  /// - Parameter due: the instant at which that was due; nil = now.
  func update(_ held: PageReader.HeldNote, due: UInt64? = nil) {
    units.write("write", since: .now(due: due), as: Raise.self) { context, unit in
      guard let note = try context.existingObject(with: context.localID(of: held.id)) as? Note else { return }
      unit.begin(
        Raise(
          number: held.number, context: session.environment.number(of: context), object: note.objectID.primaryKey))
      note.revision += 1
      note.modifiedAt = Date()
      unit.changes?.revision = note.revision
    }
  }

  /// The raise of one note's revision.
  private struct Raise: UnitChanges {
    let number: Int64
    /// The raised revision; 0 while it begins.
    var revision: Int64 = 0
    let context: UInt32
    let object: Int64

    var objectCount: Int { 1 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) { record(type, .update, in: recorder) }

    func recordPush(in recorder: WorkerRecorder) { record(.ok, .push, in: recorder) }

    private func record(_ type: OperationType, _ function: OperationFunction, in recorder: WorkerRecorder) {
      recorder.history.record(
        type, function, entity: NotebookModel.EntityNumber.note, key: number, value: revision, context: context,
        object: object)
    }
  }
}
