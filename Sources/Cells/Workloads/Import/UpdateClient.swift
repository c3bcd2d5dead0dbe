import Checking
import CoreData
import Measuring

/// One client that raises the revision of notes through its writer.
///
/// Concurrency: used by one thread at a time.
final class UpdateClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder

  init(session: CellSession, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    self.writer = writer
    self.recorder = recorder
  }

  /// Raises the note's revision by one and saves.
  func update(_ held: PageReader.HeldNote) {
    let begin = OperationStart.now()
    var revision: Int64 = 0
    var place: (context: UInt32, object: Int64) = (0, 0)
    var isPushed = false
    var isDurable = false
    do {
      try writer.write { context in
        guard let note = try context.existingObject(with: context.localID(of: held.id)) as? Note else { return }
        place = (session.environment.number(of: context), note.objectID.primaryKey)
        record(.invoke, .update, held.number, 0, place)
        note.revision += 1
        note.modifiedAt = Date()
        revision = note.revision
      } reached: { stage in
        guard revision > 0 else { return }
        switch stage {
        case .edited: break
        case .pushed:
          isPushed = true
          record(.ok, .push, held.number, revision, place)
        case .durable:
          isDurable = true
          record(.ok, .update, held.number, revision, place)
          session.countAcknowledged(1)
        }
      }
      // What only the parent has may yet come to the file.
      if revision > 0, !isDurable { record(.info, .update, held.number, revision, place) }
      recorder.record("write", in: "update", since: begin)
    } catch {
      recorder.recordFailure(of: "write", in: "update")
      recorder.history.record(.fail, .save, value: Int64((error as NSError).code))
      if revision > 0 { record(isPushed ? .info : .fail, .update, held.number, revision, place) }
    }
  }

  private func record(
    _ type: OperationType, _ function: OperationFunction, _ number: Int64, _ revision: Int64,
    _ place: (context: UInt32, object: Int64)
  ) {
    recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.note, key: number, value: revision, context: place.context,
      object: place.object)
  }
}
