import Checking
import CoreData
import Measuring

/// One importer: inserts notes with their words through its writer, save by save, and records the outcome of each.
///
/// Concurrency: used by one thread at a time.
final class ImportClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.
  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let units: UnitRecorder
  private let recorder: WorkerRecorder
  private let phase: String
  /// When the latest save became durable; nil before.
  private(set) var lastDurable: UInt64?
  /// Saves that never became durable.
  private(set) var undurableSaves = 0
  /// Called once, in the block of the first unit, when its objects are about to be made.
  private var onFirstUnit: (@Sendable () -> Void)?
  private let overlap: Overlap?

  init(
    session: CellSession, notebook: VocabularyNotebook, writer: any StrategyWriter, recorder: WorkerRecorder,
    phase: String, onFirstUnit: (@Sendable () -> Void)? = nil, overlap: Overlap? = nil
  ) {
    self.session = session
    self.notebook = notebook
    self.recorder = recorder
    self.phase = phase
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: phase)
    self.onFirstUnit = onFirstUnit
    self.overlap = overlap
  }

  /// Writes all batches, each once the one before is finished, and not before it is due where they have arrivals.
  ///
  /// With an ``Overlap`` the last one is not finished before main has read beside an insert.
  func run(_ batches: [Range<Int>], _ arrivals: Arrivals? = nil) {
    var arrivals = arrivals
    for (number, batch) in batches.enumerated() {
      write(batch, due: arrivals?.waitForNext(), waitsForMain: number == batches.count - 1)
    }
  }

  /// Inserts the notes with these numbers and saves them.
  func write(_ notes: Range<Int>, due: UInt64? = nil, waitsForMain: Bool = false) {
    precondition(!notes.isEmpty, "a save of an import has notes")
    let changes = NotebookChanges(
      function: .insert, notes: notes, words: notebook.wordNumbers(ofNotes: notes), tellsOfPushes: true)
    let begin = OperationStart.now(due: due)
    var entered = begin
    var edited = begin
    let end = units.write("write", since: begin) { context, unit in
      entered = .now()
      unit.begin(changes)
      overlap?.insertBegins()
      defer { overlap?.insertEnds() }
      onFirstUnit.take()?()
      notebook.insert(notes: notes, into: context)
      if waitsForMain { overlap?.waitForMain() }
    } reached: { stage, _ in
      switch stage {
      case .edited:
        edited = .now()
        recorder.record("edit", in: phase, since: entered, until: edited)
      case .pushed: recorder.record("push", in: phase, since: edited)
      case .durable:
        let now = OperationStart.now()
        lastDurable = now.nanoseconds
        recorder.record("save", in: phase, since: edited, until: now)
      }
    }
    if !end.isDurable { undurableSaves += 1 }
    session.sampleLog()
  }
}
