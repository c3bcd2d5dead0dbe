import Checking
import CoreData
import Scheduling

extension Hazard {
  /// Two writers of the strategy read the same note and each saves one revision more: the outcome depends on the
  /// strategy and the merge policy alone, since the second is finished before the first continues.
  static let crossedWriters = Hazard(
    "crossed-writers", "Two of the strategy's writers change the same row from the same version.",
    careless: { stage in
      let (first, second) = try makeWriters(stage)
      // One writer for all takes one unit of work after the other, whatever its clients do.
      guard first.writer !== second.writer else { return try inTurn(stage, first, second) }
      let (hasRead, hasWritten) = (Latch(label: "the first has read"), Latch(label: "the second has written"))
      let writing = stage.inBackground("second writer") {
        hasRead.wait()
        raiseRevision(stage, second) {}
        hasWritten.open()
      }
      raiseRevision(stage, first) {
        hasRead.open()
        // Writers that share a thread take turns as well: the second cannot begin before this block is over.
        _ = hasWritten.wait(atMost: turnSecondsMax)
      }
      writing.wait()
    },
    careful: { stage in
      let (first, second) = try makeWriters(stage)
      try inTurn(stage, first, second)
    })

  /// How long a writer waits for one that may have to wait for it.
  private static let turnSecondsMax = 3.0

  private struct CrossedWriter: Sendable {
    let writer: any StrategyWriter
    let recorder: WorkerRecorder
  }

  /// Two writers with updates that begin here.
  private static func makeWriters(_ stage: HazardStage) throws -> (CrossedWriter, CrossedWriter) {
    let strategy = stage.session.strategy
    let first = CrossedWriter(writer: try strategy.makeWriter(named: "first"), recorder: stage.recorder)
    let second = CrossedWriter(
      writer: try strategy.makeWriter(named: "second"), recorder: try stage.session.makeRecorder())
    for writer in [first, second] { record(.invoke, .update, stage, writer) }
    return (first, second)
  }

  private static func inTurn(_ stage: HazardStage, _ first: CrossedWriter, _ second: CrossedWriter) throws {
    raiseRevision(stage, first) {}
    raiseRevision(stage, second) {}
  }

  private static func raiseRevision(_ stage: HazardStage, _ own: CrossedWriter, whenRead: () -> Void) {
    var revision: Int64 = 0
    var isDurable = false
    do {
      try own.writer.write { context in
        let note = try stage.note(in: context)
        revision = note.revision + 1
        whenRead()
        note.revision = revision
      } reached: { stage in
        if stage == .durable { isDurable = true }
      }
      record(isDurable ? .ok : .info, .update, stage, own, value: revision)
    } catch {
      own.recorder.history.record(.fail, .save, value: Int64((error as NSError).code))
      record(.fail, .update, stage, own, value: revision)
    }
  }

  private static func record(
    _ type: OperationType, _ function: OperationFunction, _ stage: HazardStage, _ own: CrossedWriter, value: Int64 = 0
  ) {
    own.recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.note, key: Int64(stage.noteNumber), value: value)
  }
}
