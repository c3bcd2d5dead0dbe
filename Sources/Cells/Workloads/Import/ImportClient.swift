import Checking
import CoreData
import Measuring

/// One importer: inserts notes with their words through its writer, save by save, and records what became of each.
///
/// Concurrency: used by one thread at a time.
final class ImportClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let writer: any StrategyWriter
  private let recorder: WorkerRecorder
  private let phase: String
  /// When the latest save became durable; nil before.
  private(set) var lastDurable: UInt64?
  /// Saves that never became durable.
  private(set) var undurableSaves = 0
  /// Called once, in the block of the first unit, when its objects are about to be made.
  private var onFirstUnit: (@Sendable () -> Void)?

  init(
    session: CellSession, notebook: VocabularyNotebook, writer: any StrategyWriter, recorder: WorkerRecorder,
    phase: String, onFirstUnit: (@Sendable () -> Void)? = nil
  ) {
    self.session = session
    self.notebook = notebook
    self.writer = writer
    self.recorder = recorder
    self.phase = phase
    self.onFirstUnit = onFirstUnit
  }

  /// Writes all batches, each once the one before is finished, and not before it is due where they have arrivals.
  func run(_ batches: [Range<Int>], _ arrivals: Arrivals? = nil) {
    var arrivals = arrivals
    for batch in batches { write(batch, due: arrivals?.waitForNext()) }
  }

  /// Inserts the notes with these numbers and saves them.
  func write(_ notes: Range<Int>, due: UInt64? = nil) {
    let words = notebook.wordNumbers(ofNotes: notes)
    let begin = OperationStart.now(due: due)
    var entered = begin
    var edited = begin
    var isPushed = false
    var isDurable = false
    do {
      try writer.write { context in
        entered = .now()
        record(.invoke, .insert, notes, words)
        onFirstUnit.take()?()
        notebook.insert(notes: notes, into: context)
      } reached: { stage in
        switch stage {
        case .edited:
          edited = .now()
          recorder.record("edit", in: phase, since: entered, until: edited)
        case .pushed:
          isPushed = true
          record(.ok, .push, notes, words)
          recorder.record("push", in: phase, since: edited)
        case .durable:
          isDurable = true
          record(.ok, .insert, notes, words)
          let now = OperationStart.now()
          lastDurable = now.nanoseconds
          recorder.record("save", in: phase, since: edited, until: now)
        }
      }
      recorder.record("write", in: phase, since: begin)
      if isDurable {
        session.countAcknowledged(notes.count + words.count)
      } else {
        undurableSaves += 1
        record(.info, .insert, notes, words)
      }
    } catch {
      undurableSaves += 1
      recorder.recordFailure(of: "write", in: phase)
      recorder.history.record(.fail, .save, value: Int64((error as NSError).code))
      // What was pushed is still in the parent and may yet come to the file.
      record(isPushed ? .info : .fail, .insert, notes, words)
    }
    session.sampleLog()
  }

  private func record(
    _ type: OperationType, _ function: OperationFunction, _ notes: Range<Int>, _ words: Range<Int>
  ) {
    recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.note, key: Int64(notes.lowerBound), count: Int64(notes.count))
    guard !words.isEmpty else { return }
    recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.word, key: Int64(words.lowerBound), count: Int64(words.count))
  }
}
