import Checking
import CoreData
import Measuring
import Scheduling

/// One thread of a soak: does one operation after the other, drawn by weight, on a context of its own and a child of it.
///
/// Queues are entered in one order, child, context, main, coordinator, so that nothing can deadlock.
/// Concurrency: used by one thread at a time.
final class SoakClient: @unchecked Sendable {
  // Sendable: a client's operations follow each other, they never run at once.

  private enum Operation: CaseIterable {
    case insert, edit, relate, delete, fetch, refresh, rollBack, nest, push
  }

  /// How often each operation is drawn; inserts and deletes keep the store at its size.
  private static let weights: [(operation: Operation, weight: Int)] = [
    (.insert, 4), (.edit, 5), (.relate, 3), (.delete, 3), (.fetch, 6), (.refresh, 2), (.rollBack, 1), (.nest, 2),
    (.push, 3),
  ]
  private static let weightTotal = weights.reduce(0) { $0 + $1.weight }

  /// Notes of one fetch.
  private static let pageSize = 8
  private static let wordsPerNote = 3
  /// What a save may say when somebody else was faster: a row changed, or what is referred to is gone.
  private static let expectedErrors = [NSManagedObjectMergeError, NSManagedObjectValidationError]

  private let session: CellSession
  let context: NSManagedObjectContext
  private let child: NSManagedObjectContext
  private let recorder: WorkerRecorder
  private let supply: Supply
  private var random: SeededRandom

  /// Numbers that nobody else gets.
  struct Supply: Sendable {
    let notes = Locked<Int64>(0)
    let words = Locked<Int64>(0)

    static func next(_ count: Int64, of numbers: Locked<Int64>) -> Int64 {
      numbers.withLock { last in
        defer { last += count }
        return last + 1
      }
    }
  }

  /// What one operation changed, by logical key; recorded when it was saved or refused.
  private struct Changes {
    var inserted: [(note: Int64, words: Range<Int64>)] = []
    var updated: [(note: Int64, revision: Int64)] = []
    var deleted: [(note: Int64, words: [Int64])] = []
  }

  init(session: CellSession, supply: Supply, name: String, mergesAutomatically: Bool) throws {
    self.session = session
    self.supply = supply
    recorder = try session.makeRecorder()
    random = SeededRandom(seed: session.seed).split(UInt64(recorder.history.process))
    context = session.container.newBackgroundContext()
    session.environment.adopt(context, name: name)
    context.automaticallyMergesChangesFromParent = mergesAutomatically
    child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    session.environment.adopt(child, name: "child of \(name)")
  }

  // MARK: Operations

  /// Does one operation.
  func step() {
    let operation = draw()
    let begin = MonotonicClock.now()
    switch operation {
    case .insert: save { insert(into: context) }
    case .edit: save { try edit(in: context) }
    case .relate: save { try relate() }
    case .delete: save { try delete() }
    case .fetch: inContext { try read(context) }
    case .refresh: inContext { try refresh() }
    case .rollBack: inContext { try rollBack() }
    case .nest: nest()
    case .push: push()
    }
    recorder.record("\(operation)", in: "soak", nanoseconds: MonotonicClock.now() - begin)
  }

  private func draw() -> Operation {
    var rest = Int.random(in: 0..<Self.weightTotal, using: &random)
    for (operation, weight) in Self.weights {
      rest -= weight
      if rest < 0 { return operation }
    }
    return .fetch
  }

  private func insert(into context: NSManagedObjectContext) -> Changes {
    let number = Supply.next(1, of: supply.notes)
    let firstWord = Supply.next(Int64(Self.wordsPerNote), of: supply.words)
    let words = firstWord..<firstWord + Int64(Self.wordsPerNote)
    let note = Note(context: context)
    let now = Date()
    note.fill(
      NoteRow(
        number: number, uuid: UUID(), title: "note \(number)", body: "body", language: "ko-en", createdAt: now,
        modifiedAt: now, isPinned: false))
    for number in words {
      let word = Word(context: context)
      word.fill(WordRow(number: number, term: "term \(number)", meaning: "meaning", level: 1))
      word.note = note
    }
    return Changes(inserted: [(number, words)])
  }

  private func edit(in context: NSManagedObjectContext) throws -> Changes {
    var changes = Changes()
    for note in try somePage(in: context).prefix(2) where isThere(note) {
      note.revision += 1
      note.title = "revision \(note.revision)"
      changes.updated.append((note.number, note.revision))
    }
    return changes
  }

  /// Moves a word from one note to another.
  private func relate() throws -> Changes {
    let notes = try somePage(in: context)
    guard let from = notes.first, let to = notes.last, from !== to, isThere(from), isThere(to),
      let word = from.words.first as? Word
    else { return Changes() }
    word.note = to
    return Changes()
  }

  private func delete() throws -> Changes {
    // Realised, so that a row that somebody else deletes meanwhile is a conflict and not counted twice.
    guard let note = try somePage(in: context).randomElement(using: &random), isThere(note) else { return Changes() }
    // A word whose row is gone has no number any more.
    let words = note.words.compactMap { $0 as? Word }.filter { $0.term != nil }
    let changes = Changes(deleted: [(note.number, words.map(\.number))])
    context.delete(note)
    return changes
  }

  private func read(_ context: NSManagedObjectContext) throws {
    for note in try somePage(in: context) where isThere(note) {
      for word in note.words { _ = (word as? Word)?.term?.isEmpty }
    }
    _ = try context.count(for: Note.request())
  }

  private func refresh() throws {
    for note in try somePage(in: context) {
      if note.hasChanges { continue }
      context.refresh(note, mergeChanges: Bool.random(using: &random))
    }
    if Int.random(in: 0..<8, using: &random) == 0 { context.reset() }
  }

  private func rollBack() throws {
    _ = insert(into: context)
    _ = try edit(in: context)
    _ = try delete()
    context.rollback()
    guard !context.hasChanges else { preconditionFailure("a context that was rolled back has no changes") }
  }

  /// Reads in blocks of the child, the context and main inside each other.
  private func nest() {
    child.performAndWait {
      context.performAndWait {
        session.strategy.mainContext.performAndWait { readOrFail(session.strategy.mainContext) }
        child.performAndWait { readOrFail(context) }
      }
    }
  }

  /// Changes something in the child, pushes it, and lets the context save it.
  private func push() {
    child.performAndWait {
      do {
        var changes = insert(into: child)
        changes.updated = try edit(in: child).updated
        record(.invoke, changes)
        do {
          try child.save()
          try context.performAndWait { try context.save() }
          acknowledge(changes)
        } catch {
          refuse(changes, error)
          context.performAndWait { context.rollback() }
        }
        // What the child holds may be older than what its parent has by now.
        child.reset()
      } catch {
        session.fail(error)
      }
    }
  }

  // MARK: How

  /// Some notes, from a random place on; the context's view of them, faults or realised.
  private func somePage(in context: NSManagedObjectContext) throws -> [Note] {
    let last = supply.notes.withLock { $0 }
    let request = Note.request()
    request.predicate = NSPredicate(format: "number >= %ld", Int(Int64.random(in: 1...max(1, last), using: &random)))
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: Bool.random(using: &random))]
    request.fetchLimit = Self.pageSize
    return try context.fetch(request)
  }

  /// Whether the row of the note was there when it was read, which this does.
  private func isThere(_ note: Note) -> Bool { note.title != nil && !note.isDeleted }

  private func readOrFail(_ context: NSManagedObjectContext) {
    do {
      try read(context)
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

  /// Makes changes and saves them, or rolls back what is refused.
  private func save(_ change: () throws -> Changes) {
    inContext {
      let changes = try change()
      record(.invoke, changes)
      do {
        try context.save()
        acknowledge(changes)
      } catch {
        refuse(changes, error)
        context.rollback()
      }
    }
  }

  private func acknowledge(_ changes: Changes) {
    record(.ok, changes)
    session.countAcknowledged(
      changes.inserted.reduce(0) { $0 + 1 + $1.words.count } + changes.updated.count
        + changes.deleted.reduce(0) { $0 + 1 + $1.words.count })
  }

  private func refuse(_ changes: Changes, _ error: any Error) {
    let code = (error as NSError).code
    guard Self.expectedErrors.contains(code) else { session.fail(error) }
    recorder.recordFailure(of: "save", in: "soak")
    recorder.history.record(.fail, .save, value: Int64(code))
    record(.fail, changes)
  }

  private func record(_ type: OperationType, _ changes: Changes) {
    let history = recorder.history
    for (note, words) in changes.inserted {
      history.record(type, .insert, entity: NotebookModel.EntityNumber.note, key: note)
      history.record(
        type, .insert, entity: NotebookModel.EntityNumber.word, key: words.lowerBound, count: Int64(words.count))
    }
    for (note, revision) in changes.updated {
      history.record(type, .update, entity: NotebookModel.EntityNumber.note, key: note, value: revision)
    }
    for (note, words) in changes.deleted {
      history.record(type, .delete, entity: NotebookModel.EntityNumber.note, key: note)
      for word in words { history.record(type, .delete, entity: NotebookModel.EntityNumber.word, key: word) }
    }
  }
}
