import CoreData
import Scheduling
import Testing

@testable import RowStore

/// Fetches while another context deletes rows that they ask about.
@Suite struct FetchRaceTests {
  /// A context that reads every fault anew, and takes one without a row for a mistake of the program.
  private func strictContext(_ stack: TestStack) -> NSManagedObjectContext {
    let context = stack.context()
    context.stalenessInterval = 0
    context.shouldDeleteInaccessibleFaults = false
    return context
  }

  @Test func aRowThatIsDeletedWhileAFetchAsksIsNoFaultOfTheProgram() throws {
    let stack = try TestStack()
    try stack.seed(1...4, words: ["a", "b"])
    let context = strictContext(stack)
    try context.performAndWait {
      try context.note(1).title = "changed"
      let request = NSFetchRequest<Note>(entityName: "Note")
      // The first note that is asked about takes all others with it; all are asked about on the context's queue.
      nonisolated(unsafe) var asked = 0
      let deleting = NSPredicate { _, _ in
        asked += 1
        if asked == 1 { try? stack.change { other in for note in 2...4 { other.delete(try other.note(Int64(note))) } } }
        return true
      }
      request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
        deleting, NSPredicate(format: "number < 4 AND NOT (ANY words.term == 'c')"),
      ])
      #expect(try context.fetch(request).map(\.number).sorted() == [1, 2, 3])
      #expect(asked == 3)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
  }

  // Reached through a relationship, it has no values; it is none that a later read would have to tell of.
  @Test func aRowThatAFetchFindsGoneIsToldWhenItIsRead() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.stalenessInterval = 0
    try context.performAndWait {
      let word = try #require(try context.words(NSPredicate(format: "note.number == 2")).first)
      word.term = "mine"
      let note = try #require(word.note)
      #expect(note.isFault)
      try stack.change { $0.delete($0.object(with: ids[1])) }
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.predicate = NSPredicate(format: "term == 'mine' AND note.title == nil AND note.number == 2")
      #expect(try context.fetch(request).isEmpty)
      #expect(note.isFault)
      #expect(!note.isDeleted)
      #expect(note.number == 0)
      #expect(note.isDeleted)
    }
  }

  // S7.1: rows that others read meanwhile, of a commit of another coordinator, are newer.
  @Test func aFetchIsOfOneState() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...4)
    let elsewhere = try TestStack(model: stack.container.managedObjectModel, url: stack.url)
    let (context, other) = (stack.context(), stack.context("other"))
    let thread = pthread_self()
    let seen = Locked<[Note]?>(nil)
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "number > 0")
      request.returnsObjectsAsFaults = false
      let found = try Checkpoint.watching { place, _ in
        guard place == StoreCheckpoints.afterRead, pthread_equal(pthread_self(), thread) != 0,
          seen.withLock({ $0 == nil })
        else { return }
        seen.withLock { $0 = [] }
        #expect(throws: Never.self) {
          try elsewhere.change { try $0.note(3).number = -3 }
          let notes = try other.performAndWait { try other.notes() }
          seen.withLock { $0 = notes }
        }
      } _: {
        try context.fetch(request)
      }
      #expect(found.map(\.number).sorted() == [1, 2, 3, 4])
    }
    other.performAndWait { #expect(seen.withLock { $0?.map(\.number).sorted() } == [-3, 1, 2, 4]) }
  }

  // S6.1: a merge names a row that another process has deleted meanwhile.
  @Test func aRowThatIsDeletedBeforeAControllerAsksIsNoFaultOfTheProgram() throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}
    let stack = try TestStack()
    try stack.seed(1...1)
    let (context, other) = (strictContext(stack), stack.context("other"))
    let elsewhere = try TestStack(model: stack.container.managedObjectModel, url: stack.url)
    let log = NotificationLog(other)
    let delegate = Delegate()
    try context.performAndWait {
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.predicate = NSPredicate(format: "note == nil OR term != 'x'")
      request.sortDescriptors = [NSSortDescriptor(key: "term", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      controller.delegate = delegate
      try controller.performFetch()
      try other.performAndWait {
        other.insert("Word", ["term": "stays"])
        other.insert("Word", ["term": "goes"])
        try other.save()
      }
      try elsewhere.change { context in
        for word in try context.all("Word", where: "term", is: "goes") { context.delete(word) }
      }
      context.mergeChanges(fromContextDidSave: try #require(log.didSaves.first))
      #expect(controller.fetchedObjects?.map(\.term) == ["stays"])
    }
  }
}
