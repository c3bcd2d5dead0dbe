import CoreData
import Measuring
import Scenarios
import Scheduling

/// A context or an object made for one thread is used by another: the two classic mistakes, and their careful twins.
package final class HandOffWorkload: Workload, @unchecked Sendable {
  // Sendable: everything is only touched on the main thread, except objects handed over, which no other thread uses then.
  package static let name = "hand-off"
  package static let summary = "A context or an object is handed to another thread, wrongly or rightly."
  package static let hasFloor = false
  package static let keys = [Keys.care.key, Keys.hand.key, Keys.rounds.key]

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let rounds: Int
  private let handsContext: Bool
  private let isCareful: Bool
  private let reader: NSManagedObjectContext
  private let recorder: WorkerRecorder
  private let pool = WorkPool(label: "receiver", width: 1)
  private var begin: UInt64 = 0
  /// Objects handed over: kept to the end, so that nothing is released off its thread.
  private var kept: [AnyObject] = []

  package init(_ session: CellSession) throws {
    self.session = session
    let settings = session.settings
    notebook = VocabularyNotebook(
      notes: settings[Keys.notes], wordsPerNote: settings[Keys.wordsPerNote], seed: session.seed)
    rounds = settings[Keys.rounds]
    handsContext = settings[Keys.hand] == .context
    isCareful = settings[Keys.care] == .careful
    reader = try session.strategy.makeReader(named: "receiver")
    recorder = try session.makeRecorder()
  }

  package func start() throws {
    precondition(begin == 0 && kept.isEmpty, "a cell's workload starts once")
    try Preload.run(session, notebook, notes: 1..<notebook.noteCount + 1) { [self] identifiers in
      session.startMeasuring()
      begin = MonotonicClock.now()
      handOver(round: 0, identifiers)
    }
  }

  private func handOver(round: Int, _ identifiers: [Int: NSManagedObjectID]) {
    precondition(0...rounds ~= round, "there is no round after the last one")
    guard round < rounds, let id = identifiers[1 + round % notebook.noteCount] else {
      session.stopMeasuring()
      let seconds = Double(MonotonicClock.now() - begin) / 1e9
      session.setCompletion(untilDurable: seconds, untilVisible: seconds)
      session.setDuration(of: "hand-off", seconds: seconds)
      return session.end()
    }
    let receive = handsContext ? handContext(id) : handObject(id)
    let number = Int64(1 + round % notebook.noteCount)
    pool.submit("receive \(handsContext ? "context" : "object")") { [self] in
      let (note, row) = (NotebookModel.EntityNumber.note, id.primaryKey)
      let begin = OperationStart(
        at: recorder.history.record(.invoke, .read, entity: note, key: number, object: row))
      let seen = receive()
      let end = recorder.history.record(
        .ok, .read, entity: note, key: number, value: seen.revision, context: seen.context, object: row)
      recorder.record("receive", in: "hand-off", since: begin, until: OperationStart(at: end))
    }
    // Main does nothing until the receiver is done: the touch is on the wrong thread, but there is no race.
    pool.notifyWhenAllFinished(on: .main) { [self] in handOver(round: round + 1, identifiers) }
  }

  /// The revision that the receiver saw, and the context's number.
  private typealias Seen = (revision: Int64, context: UInt32)

  /// The receiver reads main's object, or rightly its own object of the same ID.
  private func handObject(_ id: NSManagedObjectID) -> @Sendable () -> Seen {
    if isCareful {
      return { [self] in
        reader.performAndWait { revision(of: id, in: reader) }
      }
    }
    let main = session.strategy.mainContext
    let note = object(id, in: main)
    _ = note.title?.isEmpty
    kept.append(note)
    let handed = Handed(value: note)
    let number = session.environment.number(of: main)
    return { (handed.value.revision, number) }
  }

  /// The receiver uses a context that main made for its own thread, or rightly makes one itself.
  private func handContext(_ id: NSManagedObjectID) -> @Sendable () -> Seen {
    if isCareful {
      return { [self] in
        let context = makeConfinedContext()
        return revision(of: id, in: context)
      }
    }
    let context = makeConfinedContext()
    kept.append(context)
    return { [self] in revision(of: id, in: context) }
  }

  private func makeConfinedContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
    context.persistentStoreCoordinator = session.container.persistentStoreCoordinator
    session.environment.adopt(context, name: "confined")
    return context
  }

  private func revision(of id: NSManagedObjectID, in context: NSManagedObjectContext) -> Seen {
    (object(id, in: context).revision, session.environment.number(of: context))
  }

  private func object(_ id: NSManagedObjectID, in context: NSManagedObjectContext) -> Note {
    do {
      guard let note = try context.existingObject(with: id) as? Note else {
        throw UnexpectedAnswer(subject: "\(id)", expected: "a note", seen: "another object")
      }
      return note
    } catch {
      session.fail(error)
    }
  }

  /// A note handed to the other thread.
  // `@unchecked`: that it is not Sendable is the mistake.
  private struct Handed: @unchecked Sendable {
    let value: Note
  }
}

extension Keys {
  /// A careless client's mistake: it hands its context, or an object, to the other thread.
  package enum Hand: String, CaseIterable, Sendable {
    case context
    case object
  }

  package static let hand = Setting<Hand>(
    "hand", default: .object, "What is handed to the other thread.")
}
