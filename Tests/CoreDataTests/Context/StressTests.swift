import CoreData
import SQLite
import Scheduling
import Testing

/// Four threads change one store through contexts of their own, which merge each other's saves.
@Suite(.everyStore) struct StressTests {
  private static let workers = 4
  private static let stepsPerWorker = 150

  /// The acknowledged work of one worker.
  private struct Tally {
    var notes = 0
    var conflicts = 0
    var unexpected: [String] = []
  }

  private func work(_ context: NSManagedObjectContext, _ worker: Int, seed: UInt64) -> Tally {
    var random = SeededRandom(seed: seed).split(UInt64(worker))
    var tally = Tally()
    for step in 0..<Self.stepsPerWorker {
      context.performAndWait {
        do {
          let change = try change(context, worker * 10_000 + step, &random)
          try context.save()
          tally.notes += change
        } catch {
          tally.conflicts += 1
          // A row changed meanwhile, or an object that a word was given to is gone.
          let expected = [NSManagedObjectMergeError, NSManagedObjectValidationError]
          if !expected.contains((error as NSError).code) { tally.unexpected.append("\(error)") }
          context.rollback()
        }
      }
    }
    return tally
  }

  /// One step; by how many notes it changes the store.
  private func change(_ context: NSManagedObjectContext, _ number: Int, _ random: inout SeededRandom) throws -> Int {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: Bool.random(using: &random))]
    request.fetchLimit = 6
    let notes = try context.fetch(request)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4:
      context.insertNote(Int64(number), title: "new", words: ["a", "b", "c"])
      return 1
    case 4..<6:
      notes.randomElement(using: &random)?.title = "title \(number)"
    case 6..<8:
      guard let from = notes.first, let to = notes.last, let word = from.words.first as? Word else { return 0 }
      word.note = to
    case 8:
      if let note = notes.randomElement(using: &random) {
        note.words = []
        Word(context: context).note = note
      }
    default:
      // Realised, so that a row that another thread deletes meanwhile is a conflict and not counted twice.
      if let note = notes.randomElement(using: &random), note.title != nil, !note.isDeleted {
        context.delete(note)
        return -1
      }
    }
    return 0
  }

  // S1, S3.1, S3.3, S5.3, S6.1
  @Test(arguments: [UInt64(1), 2]) func fourThreadsLeaveAStoreWhereEverythingAddsUp(seed: UInt64) throws {
    let stack = try TestStack(timeout: 60)
    try stack.seed(1...6, words: ["x", "y"])
    let pool = WorkPool(label: "stress", width: Self.workers)
    let tallies = Locked<[Tally]>([])
    let contexts = (0..<Self.workers).map { stack.context("worker \($0)") }
    for (worker, context) in contexts.enumerated() {
      context.automaticallyMergesChangesFromParent = worker % 2 == 0
      pool.submit("worker \(worker)") {
        let tally = self.work(context, worker, seed: seed)
        tallies.withLock { $0.append(tally) }
      }
    }
    pool.waitUntilAllFinished()
    let done = tallies.withLock { $0 }
    #expect(done.flatMap(\.unexpected) == [])
    let notes = 6 + done.map(\.notes).reduce(0, +)
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["\(notes)"])
    #expect(try stack.sql("PRAGMA integrity_check") == ["ok"])
    #expect(try stack.sql("SELECT Z_PK FROM ZWORD WHERE ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)") == [], "orphans")
    #expect(
      try stack.sql("SELECT Z_NAME FROM Z_PRIMARYKEY p WHERE Z_MAX < (SELECT max(Z_PK) FROM ZNOTE) AND Z_NAME = 'Note'")
        == [])
    let fresh = stack.context()
    try fresh.performAndWait {
      for note in try fresh.notes() {
        let expected = try stack.sql(
          "SELECT count(*) FROM ZWORD WHERE ZNOTE = \(note.objectID.uriRepresentation().lastPathComponent.dropFirst())")
        #expect(expected == ["\(note.words.count)"])
        #expect(note.words.allSatisfy { ($0 as? Word)?.note === note })
      }
    }
    // Once everything is merged, the contexts that merge show the file's objects.
    for (worker, context) in contexts.enumerated() where worker % 2 == 0 {
      let count = try context.performAndWait { try context.notes().count }
      #expect(count == notes)
    }
  }

  // S4, S1: children on threads of their own push into one parent that saves.
  @Test func childrenThatPushAtTheSameTimeLoseNothing() throws {
    let stack = try TestStack(timeout: 60)
    let root = stack.context("root")
    let pool = WorkPool(label: "children", width: Self.workers)
    for worker in 0..<Self.workers {
      let child = stack.child(of: root, "child \(worker)")
      pool.submit("child \(worker)") {
        for step in 0..<30 {
          child.performAndWait {
            child.insertNote(Int64(worker * 1_000 + step), words: ["a", "b"])
            #expect(caught { try child.save() } == nil)
          }
          if step % 10 == 9 { root.performAndWait { #expect(caught { try root.save() } == nil) } }
        }
      }
    }
    pool.waitUntilAllFinished()
    try root.performAndWait { try root.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["120"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD JOIN ZNOTE ON ZNOTE.Z_PK = ZWORD.ZNOTE") == ["240"])
  }
}
