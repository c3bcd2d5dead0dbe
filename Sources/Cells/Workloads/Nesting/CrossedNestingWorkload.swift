import CoreData
import Measuring
import Scenarios
import Scheduling

/// Two contexts nested in both orders, one after the other, so that no run hangs by luck: the case of the lock-order check,
/// and its careful twin with one order.
package final class CrossedNestingWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, or by the one job that runs at a time.
  package static let name = "crossed-nesting"
  package static let summary = "Two contexts nested in each other, in both orders or rightly in one, never at once."
  package static let hasFloor = false
  package static let keys = [Keys.care.key, Keys.rounds.key]

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let rounds: Int
  private let isCareful: Bool
  private let a: NSManagedObjectContext
  private let b: NSManagedObjectContext
  private let recorder: WorkerRecorder
  // Two threads: nothing but luck keeps their jobs apart.
  private let pool = WorkPool(label: "nesters", width: 2)
  private var begin: UInt64 = 0

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    rounds = settings[Keys.rounds]
    isCareful = settings[Keys.care] == .careful
    a = try session.strategy.makeReader(named: "A")
    b = try session.strategy.makeReader(named: "B")
    recorder = try session.makeRecorder()
  }

  package func start() throws {
    try Preload.run(session, notebook, notes: 1..<notebook.noteCount + 1) { [self] _ in
      session.startMeasuring()
      begin = MonotonicClock.now()
      nest(round: 0)
    }
  }

  private func nest(round: Int) {
    precondition(0...rounds ~= round, "there is no round after the last one")
    guard round < rounds else {
      session.stopMeasuring()
      let seconds = Double(MonotonicClock.now() - begin) / 1e9
      session.setCompletion(untilDurable: seconds, untilVisible: seconds)
      session.setDuration(of: "nest", seconds: seconds)
      return session.end()
    }
    let isCrossed = !isCareful && !round.isMultiple(of: 2)
    let (outer, inner) = isCrossed ? (b, a) : (a, b)
    pool.submit("nest \(isCrossed ? "A in B" : "B in A")") { [self] in
      let begin = OperationStart(at: recorder.history.record(.invoke, .nested, key: Int64(round), value: 2))
      let notes = outer.performAndWait { count(in: outer) + inner.performAndWait { count(in: inner) } }
      let end = recorder.history.record(.ok, .nested, key: Int64(round), count: Int64(notes), value: 2)
      recorder.record("nested", in: "nest", since: begin, until: OperationStart(at: end))
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in nest(round: round + 1) }
  }

  /// Counts the notes; on the context's queue.
  private func count(in context: NSManagedObjectContext) -> Int {
    do {
      return try context.count(for: Note.request())
    } catch {
      session.fail(error)
    }
  }
}
