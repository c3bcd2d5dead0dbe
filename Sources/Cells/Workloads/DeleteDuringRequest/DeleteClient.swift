import Checking
import CoreData
import Measuring

/// One client that deletes notes, and with them their words, through its writer.
///
/// Concurrency: used by one thread at a time.
final class DeleteClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder

  init(session: CellSession, writer: any StrategyWriter, recorder: WorkerRecorder) {
    self.session = session
    self.writer = writer
    self.recorder = recorder
  }

  /// Deletes the note and saves; its words go by the delete rule.
  func delete(_ note: RequestedNote) {
    let begin = OperationStart.now()
    var place: (context: UInt32, object: Int64)?
    var isPushed = false
    var isDurable = false
    do {
      try writer.write { context in
        let object = try context.existingObject(with: context.localID(of: note.id))
        let here = (context: session.environment.number(of: context), object: object.objectID.primaryKey)
        place = here
        record(.invoke, note, here)
        context.delete(object)
      } reached: { stage in
        switch stage {
        case .edited: break
        case .pushed: isPushed = true
        case .durable:
          isDurable = true
          if let place { record(.ok, note, place) }
          session.countAcknowledged(1 + note.words.count)
        }
      }
      if let place, !isDurable { record(.info, note, place) }
      recorder.record("delete", in: "request", since: begin)
    } catch {
      recorder.recordFailure(of: "delete", in: "request")
      recorder.history.record(.fail, .save, value: Int64((error as NSError).code))
      if let place { record(isPushed ? .info : .fail, note, place) }
    }
    session.sampleLog()
  }

  private func record(
    _ type: OperationType, _ note: RequestedNote, _ place: (context: UInt32, object: Int64)
  ) {
    recorder.history.record(
      type, .delete, entity: NotebookModel.EntityNumber.note, key: Int64(note.number), context: place.context,
      object: place.object)
    guard !note.words.isEmpty else { return }
    recorder.history.record(
      type, .delete, entity: NotebookModel.EntityNumber.word, key: Int64(note.words.lowerBound),
      count: Int64(note.words.count), context: place.context)
  }
}
