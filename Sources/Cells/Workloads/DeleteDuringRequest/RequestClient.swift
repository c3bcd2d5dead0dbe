import Boundary
import Checking
import CoreData
import Measuring
import Scheduling

/// One client that asks for notes, has them deleted before, during or after the request, and uses the answer on main.
///
/// Concurrency: used by one thread at a time; deletes that race with a response run on a thread beside it.
final class RequestClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other; the deleter beside it has a recorder of its own and is waited for.

  /// When the note is deleted.
  private enum Moment: CaseIterable {
    /// Over before the request is made.
    case before
    /// Over between request and response.
    case between
    /// At the same time as the response.
    case racing
    /// Begun after the response.
    case after
  }

  private let session: CellSession
  private let recorder: WorkerRecorder
  private let deleter: DeleteClient
  private let pool: WorkPool
  private let isCareful: Bool
  private var random: SeededRandom
  /// Objects that main gave out: kept to the end, so that none is released off main.
  private var kept: [Held] = []

  init(session: CellSession, number: Int, isCareful: Bool) throws {
    self.session = session
    self.isCareful = isCareful
    recorder = try session.makeRecorder()
    deleter = DeleteClient(
      session: session, writer: try session.strategy.makeWriter(named: "deleter \(number + 1)"),
      recorder: try session.makeRecorder())
    pool = WorkPool(label: "deleter \(number + 1)", width: 1)
    random = SeededRandom(seed: session.seed).split(UInt64(100 + number))
  }

  /// Asks for all notes, each once the one before is answered, and not before it is due where they have arrivals; the first four
  /// have one of each moment.
  func run(_ notes: [RequestedNote], _ arrivals: Arrivals? = nil) {
    var arrivals = arrivals
    for (index, note) in notes.enumerated() {
      _ = arrivals?.waitForNext()
      let moments = Moment.allCases
      run(note, index < moments.count ? moments[index] : moments[Int(random.next() % UInt64(moments.count))])
    }
  }

  private func run(_ note: RequestedNote, _ moment: Moment) {
    if moment == .before { deleter.delete(note) }
    let held = request(note)
    switch moment {
    case .before, .after: respond(to: note, held)
    case .between:
      deleter.delete(note)
      respond(to: note, held)
    case .racing:
      pool.submit("delete note \(note.number)") { [deleter] in deleter.delete(note) }
      respond(to: note, held)
      pool.waitUntilAllFinished()
    }
    if moment == .after { deleter.delete(note) }
  }

  /// The object of a careless response, as main knew it when the request was made.
  private struct Held: @unchecked Sendable {
    // Sendable: only unpacked on main.
    let note: Note?
  }

  private func request(_ note: RequestedNote) -> Held {
    let begin = OperationStart(at: record(.invoke, .request, note))
    let main = session.strategy.mainContext
    let held = isCareful ? Held(note: nil) : main.performAndWait { Held(note: main.object(with: note.id) as? Note) }
    if !isCareful { kept.append(held) }
    recorder.record("request", in: "request", since: begin, until: OperationStart(at: record(.ok, .request, note)))
    return held
  }

  private func respond(to note: RequestedNote, _ held: Held) {
    let begin = OperationStart(at: record(.invoke, .response, note))
    let main = session.strategy.mainContext
    let isUsed = main.performAndWait {
      guard let object = held.note else { return use(note.id, in: main) }
      _ = object.title?.isEmpty
      return true
    }
    let end = OperationStart(at: record(.ok, .response, note, value: isUsed ? 1 : 0))
    recorder.record("response", in: "request", since: begin, until: end)
  }

  /// Fetches the note anew and uses it in the same block, as far as it still exists; false when it is gone.
  private func use(_ id: NSManagedObjectID, in main: NSManagedObjectContext) -> Bool {
    guard let note = existing(id, in: main) as? Note else { return false }
    _ = note.title?.isEmpty
    // The words can be gone though the note was there a moment ago.
    for word in note.words { _ = (existing(word.objectID, in: main) as? Word)?.term?.isEmpty }
    return true
  }

  private func existing(_ id: NSManagedObjectID, in main: NSManagedObjectContext) -> NSManagedObject? {
    do {
      let object = try main.existingObject(with: id)
      return object.isDeleted || object.managedObjectContext == nil ? nil : object
    } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
      return nil
    } catch {
      session.fail(error)
    }
  }

  @discardableResult
  private func record(
    _ type: OperationType, _ function: OperationFunction, _ note: RequestedNote, value: Int64 = 0
  ) -> UInt64 {
    recorder.history.record(
      type, function, entity: NotebookModel.EntityNumber.note, key: Int64(note.number), value: value,
      context: session.environment.number(of: session.strategy.mainContext), object: note.id.primaryKey)
  }
}
