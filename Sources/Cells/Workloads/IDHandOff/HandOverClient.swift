import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One client that inserts notes and hands their IDs to other contexts.
///
/// Concurrency: used by one thread at a time.
final class HandOverClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  private let session: CellSession
  private let notebook: VocabularyNotebook
  private let units: UnitRecorder
  private let reader: NSManagedObjectContext
  private let recorder: WorkerRecorder
  /// The mistake of a careless client.
  private let mistake: Keys.HandOffMistake?
  /// Whether objects of two contexts are joined by a primitive value, past what announces changes.
  private let isPrimitive: Bool
  private let family: ContextFamily
  /// Joined words have numbers of their own.
  private let firstWord: Int

  init(session: CellSession, notebook: VocabularyNotebook, number: Int) throws {
    self.session = session
    self.notebook = notebook
    let isCareful = session.settings[Keys.care] == .careful
    mistake = isCareful ? nil : session.settings[Keys.mistake]
    // Strategies make the mistake in either way.
    let strategy = session.key.strategy.utf8.reduce(UInt64(number)) { $0 &* 31 &+ UInt64($1) }
    var random = SeededRandom(seed: session.seed).split(strategy)
    isPrimitive = !isCareful && Bool.random(using: &random)
    let writer = try session.strategy.makeWriter(named: "writer \(number + 1)")
    reader = try session.strategy.makeReader(named: "receiver \(number + 1)")
    recorder = try session.makeRecorder()
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: "hand-over")
    family = ContextFamily(session, number: number)
    firstWord = notebook.noteCount * notebook.wordsPerNote
  }

  /// Inserts the note, hands its ID over, reads it elsewhere, and joins a word to it.
  func run(_ number: Int) {
    precondition(1...notebook.noteCount ~= number, "each round hands over a note of the notebook")
    let begin = OperationStart.now()
    guard let id = insert(number) else { return }
    read(number, id, in: reader)
    read(number, handedAsURI(id), in: session.strategy.mainContext)
    join(number, id)
    family.handTemporaryIDs(notebook.note(number))
    recorder.record("hand-over", in: "hand-over", since: begin)
  }

  /// The note of the edit block, and its ID for the rest of the client.
  private struct Inserted: @unchecked Sendable {
    // Sendable: of the note only its ID is read outside of its context's block.
    var note: Note?
    var id: NSManagedObjectID?
  }

  /// The new note's ID as it is handed over; nil when it could not be saved.
  private func insert(_ number: Int) -> NSManagedObjectID? {
    var inserted = Inserted()
    let isSaved = write(.insert, note: number, words: notebook.wordNumbers(ofNote: number)) { context in
      notebook.insert(notes: number..<number + 1, into: context)
      let note = context.insertedObjects.lazy.compactMap { $0 as? Note }.first { $0.number == number }
      guard let note else {
        throw UnexpectedAnswer(subject: "note \(number)", expected: "among the inserted objects", seen: "not there")
      }
      // Either way is right: an ID of its own before the save, or the one it has after it.
      if mistake != .temporaryID, number.isMultiple(of: 2) { try context.obtainPermanentIDs(for: [note]) }
      inserted = Inserted(note: note, id: note.objectID)
    }
    guard isSaved, let note = inserted.note, let early = inserted.id else { return nil }
    if mistake == .temporaryID || !early.isTemporaryID { return early }
    let late = note.objectID
    // In a child it stays temporary when its parent saves.
    return late.isTemporaryID ? identifier(of: number) : late
  }

  /// The permanent ID, as main reads the note from the store.
  private func identifier(of number: Int) -> NSManagedObjectID? {
    let main = session.strategy.mainContext
    return main.performAndWait {
      let request = Note.request()
      request.predicate = NSPredicate(format: "number == %ld", number)
      do {
        return try main.fetch(request).first?.objectID
      } catch {
        session.fail(error)
      }
    }
  }

  /// The same ID after it was written down and read again.
  private func handedAsURI(_ id: NSManagedObjectID) -> NSManagedObjectID {
    guard !id.isTemporaryID else { return id }
    let coordinator = session.container.persistentStoreCoordinator
    guard let read = coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) else {
      session.fail(UnexpectedAnswer(subject: "\(id)", expected: "known to its coordinator", seen: "no ID"))
    }
    return read
  }

  /// Resolves an ID that came from another context, and reads the note.
  private func read(_ number: Int, _ id: NSManagedObjectID, in context: NSManagedObjectContext) {
    let entity = NotebookModel.EntityNumber.note
    recorder.history.record(.invoke, .read, entity: entity, key: Int64(number))
    let revision: Int64? = context.performAndWait {
      do {
        guard let note = try context.existingObject(with: id) as? Note else { return nil }
        guard note.number == number else {
          throw UnexpectedAnswer(subject: "\(id)", expected: "note \(number)", seen: "note \(note.number)")
        }
        return note.revision
      } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError && id.isTemporaryID {
        return nil
      } catch {
        session.fail(error)
      }
    }
    session.count(\.idsHandedOver)
    recorder.history.record(
      revision == nil ? .fail : .ok, .read, entity: entity, key: Int64(number), value: revision ?? 0)
  }

  /// Adds a word to the note in the writer's context: to its own object of that ID.
  private func join(_ number: Int, _ id: NSManagedObjectID) {
    guard !id.isTemporaryID else { return }
    let word = firstWord + number
    write(.insert, note: nil, words: word..<word + 1) { context in
      let note = mistake == .crossContext ? objectOfMain(id) : try context.existingObject(with: id)
      let joined = Word(context: context)
      joined.fill(WordRow(number: Int64(word), term: "term \(word)", meaning: "meaning", level: 1))
      if mistake == .crossContext, isPrimitive {
        joined.setPrimitiveValue(note, forKey: "note")
      } else {
        joined.note = note as? Note
      }
      session.count(\.objectsJoined)
    }
  }

  private func objectOfMain(_ id: NSManagedObjectID) -> NSManagedObject {
    // `@unchecked`: that it is used elsewhere is the mistake.
    struct Handed: @unchecked Sendable {
      let object: NSManagedObject
    }
    let main = session.strategy.mainContext
    return main.performAndWait { Handed(object: main.object(with: id)) }.object
  }

  @discardableResult
  private func write(
    _ function: OperationFunction, note: Int?, words: Range<Int>, _ edit: (NSManagedObjectContext) throws -> Void
  ) -> Bool {
    let changes = NotebookChanges(
      function: function, notes: note.map { $0..<$0 + 1 } ?? 0..<0, words: words)
    return units.write("hand-over", countsSuccess: false) { context, unit in
      unit.begin(changes)
      try edit(context)
    }.isDurable
  }
}
