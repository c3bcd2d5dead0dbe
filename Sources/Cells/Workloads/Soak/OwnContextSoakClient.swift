import Checking
import CoreData
import Scheduling

/// A client with a context of its own and a child of it, all on one coordinator, whatever the strategy.
///
/// Queues are entered in one order, child, context, main, coordinator, so that nothing can deadlock.
final class OwnContextSoakClient: SoakClient, @unchecked Sendable {
  // Sendable: a client's operations follow each other, they never run at once.
  private let session: CellSession
  let context: NSManagedObjectContext
  private let child: NSManagedObjectContext
  let recorder: WorkerRecorder
  private let record: SoakRecord
  private var edits: SoakEdits

  init(session: CellSession, supply: SoakSupply, number: Int, of clients: Int, mergesAutomatically: Bool) throws {
    precondition(0..<clients ~= number, "a client is one of all, in whichever process")
    let name = "client \(number + 1)"
    self.session = session
    recorder = try session.makeRecorder(kinds: SoakOperation.allCases.count)
    record = SoakRecord(session: session, supply: supply, recorder: recorder)
    edits = SoakEdits(
      session: session, supply: supply, client: number, of: clients, process: recorder.history.process)
    context = session.environment.newBackgroundContext(named: name)
    context.automaticallyMergesChangesFromParent = mergesAutomatically
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    session.environment.adopt(child, name: "child of \(name)")
  }

  var contexts: [NSManagedObjectContext] { [context] }

  func perform(_ operation: SoakOperation) {
    switch operation {
    case .insert: save { edits.insert(into: context) }
    case .edit: save { try edits.edit(in: context) }
    case .relate: save { try edits.relate(in: context) }
    case .delete: save { try edits.delete(in: context) }
    case .fetch: fetch()
    case .refresh: inContext { try edits.refresh(context) }
    case .rollBack: inContext { try rollBack() }
    case .nest: nest()
    case .push: push()
    }
  }

  private func fetch() {
    inContext {
      let notes = try edits.somePage(in: context)
      if session.faults.happens(.deleteBeforeUse), let note = notes.first(where: edits.isThere) {
        try deleteElsewhere(note.objectID)
      }
      edits.use(notes)
      _ = try context.count(for: Note.request())
    }
  }

  /// Deletes a note in a context of the client's own.
  private func deleteElsewhere(_ id: NSManagedObjectID) throws {
    let rival = session.container.newBackgroundContext()
    session.environment.adopt(rival, name: "rival of \(context.name ?? "a client")")
    try rival.performAndWait {
      _ = try record.commit {
        guard let note = (try? rival.existingObject(with: id)) as? Note, edits.isThere(note) else {
          return SoakChanges()
        }
        return edits.delete(note, in: rival)
      } _: {
        try rival.save()
      }
    }
  }

  private func rollBack() throws {
    _ = edits.insert(into: context)
    _ = try edits.edit(in: context)
    _ = try edits.delete(in: context)
    context.rollback()
    guard !context.hasChanges else {
      throw UnexpectedAnswer(
        subject: context.name ?? "a context", expected: "no changes once it is rolled back", seen: "changes")
    }
  }

  /// Reads in blocks of the child, the context and main inside each other.
  private func nest() {
    let main = session.strategy.mainContext
    child.performAndWait {
      context.performAndWait {
        main.performAndWait { readOrFail(main) }
        child.performAndWait { readOrFail(context) }
      }
    }
  }

  /// Changes something in the child, pushes it, and lets the context save it.
  private func push() {
    child.performAndWait {
      do {
        let isSaved = try record.commit {
          var changes = edits.insert(into: child)
          changes.updated = try edits.edit(in: child).updated
          return changes
        } _: {
          try child.save()
          try context.performAndWait { try context.save() }
        }
        if !isSaved { context.performAndWait { context.rollback() } }
        // The child's objects may be older than its parent's.
        child.reset()
      } catch {
        session.fail(error)
      }
    }
  }

  // MARK: How

  private func readOrFail(_ context: NSManagedObjectContext) {
    do {
      try edits.read(context)
    } catch {
      session.fail(error)
    }
  }

  private func inContext(_ body: () throws -> Void) {
    context.performAndWait {
      do {
        try body()
      } catch {
        session.fail(error)
      }
    }
  }

  /// Makes changes and saves them, or rolls back after a refusal.
  private func save(_ change: () throws -> SoakChanges) {
    inContext {
      if !(try record.commit(change, { try context.save() })) { context.rollback() }
    }
  }
}
