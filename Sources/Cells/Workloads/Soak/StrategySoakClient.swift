import Checking
import CoreData
import Scheduling

/// A client that writes through the strategy's writer and reads from the contexts that the strategy gives to it.
final class StrategySoakClient: SoakClient, @unchecked Sendable {
  // Sendable: a client's operations follow each other, they never run at once.

  /// Objects between two blocks of their context.
  private final class Held: @unchecked Sendable {
    // Sendable: filled, used and emptied in blocks of the objects' context.
    var notes: [Note] = []
  }

  private let session: CellSession
  private let reader: NSManagedObjectContext
  private let units: UnitRecorder
  private let rival: any StrategyWriter
  let recorder: WorkerRecorder
  private let record: SoakRecord
  private var edits: SoakEdits

  init(session: CellSession, supply: SoakSupply, number: Int, of clients: Int) throws {
    precondition(0..<clients ~= number, "a client is one of all, in whichever process")
    let name = "client \(number + 1)"
    self.session = session
    recorder = try session.makeRecorder(kinds: SoakOperation.allCases.count)
    record = SoakRecord(session: session, supply: supply, recorder: recorder)
    edits = SoakEdits(
      session: session, supply: supply, client: number, of: clients, process: recorder.history.process)
    units = UnitRecorder(
      session, writer: try session.strategy.makeWriter(named: name), recorder: recorder, phase: "soak",
      isExpected: SoakRecord.isExpected)
    rival = try session.strategy.makeWriter(named: "rival of \(name)")
    reader = try session.strategy.makeReader(named: "reader of \(name)")
  }

  var contexts: [NSManagedObjectContext] { [reader] }

  func perform(_ operation: SoakOperation) {
    switch operation {
    case .insert: write { [self] in edits.insert(into: $0) }
    case .edit: write { [self] in try edits.edit(in: $0) }
    case .relate: write { [self] in try edits.relate(in: $0) }
    case .delete: write { [self] in try edits.delete(in: $0) }
    case .fetch: fetch()
    case .refresh: read { [self] in try edits.refresh(reader) }
    case .rollBack: rollBack()
    case .nest: nest()
    case .push: push()
    }
  }

  // MARK: Writing

  /// Does a unit of work: one save of the strategy's.
  private func write(
    through writer: (any StrategyWriter)? = nil, _ change: (NSManagedObjectContext) throws -> SoakChanges
  ) {
    units.write("save", countsSuccess: false, through: writer) { context, unit in
      unit.begin(try change(context))
    } reached: { [record] stage, changes in
      if stage == .durable, let changes { record.count(changes) }
    }
  }

  /// Makes several changes in one unit.
  private func push() {
    write { [self] context in
      var changes = edits.insert(into: context)
      changes.updated = try edits.edit(in: context).updated
      return changes
    }
  }

  /// Changes something, and gives the unit up before its save.
  private func rollBack() {
    units.write("save", countsSuccess: false, as: SoakChanges.self) { context, _ in
      _ = edits.insert(into: context)
      _ = try edits.edit(in: context)
      _ = try edits.delete(in: context)
      throw UnitRecorder.GivenUp()
    } reached: { _, _ in
      preconditionFailure("a unit that was given up reaches nothing")
    }
  }

  // MARK: Reading

  /// Fetches in one block and uses the objects in the next; between them a row may be deleted.
  private func fetch() {
    let held = Held()
    var doomed: NSManagedObjectID?
    read { [self] in
      held.notes = try edits.somePage(in: reader)
      if let note = held.notes.first(where: { edits.mayTake($0, in: reader) }), session.faults.happens(.deleteBeforeUse)
      {
        doomed = note.objectID
      }
    }
    if let doomed { deleteElsewhere(doomed) }
    read { [self] in
      edits.use(held.notes)
      held.notes = []
      _ = try reader.count(for: Note.request())
    }
  }

  /// Deletes a note through a writer that does nothing else.
  private func deleteElsewhere(_ id: NSManagedObjectID) {
    let uri = id.uriRepresentation()
    write(through: rival) { [self] context in
      // Of this coordinator, whosever the ID is.
      guard let own = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri),
        let note = (try? context.existingObject(with: own)) as? Note, edits.isThere(note)
      else { return SoakChanges() }
      return edits.delete(note, in: context)
    }
  }

  /// Reads in blocks of the reader and main inside each other.
  private func nest() {
    let main = session.strategy.mainContext
    read { [self] in
      main.performAndWait { readOrFail(main) }
      try edits.read(reader)
    }
  }

  private func readOrFail(_ context: NSManagedObjectContext) {
    do {
      try edits.read(context)
    } catch {
      session.fail(error)
    }
  }

  private func read(_ body: () throws -> Void) {
    reader.performAndWait {
      do {
        try body()
      } catch {
        session.fail(error)
      }
    }
  }
}
