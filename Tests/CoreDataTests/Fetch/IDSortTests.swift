import Testing

@testable import CoreData

/// Fetches sorted by the objects themselves: by their primary keys, unsaved ones behind. S7.1
@Suite("S7.1 Sorted by objectID", .everyStore) struct IDSortTests {
  private func request(_ key: String, _ ascending: Bool) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: ascending)]
    return request
  }

  private static let keys = ["objectID", "self", "SELF"]

  // S7.1, S7.3
  @Test(arguments: keys, [true, false]) func savedObjectsComeBeforeNewOnes(key: String, ascending: Bool) throws {
    let stack = try TestStack()
    for number in [5, 3, 9, 1] { try stack.seed(Int64(number)...Int64(number)) }
    let context = stack.context()
    try context.performAndWait {
      func numbers(_ context: NSManagedObjectContext, limit: Int = 0) throws -> [Int64] {
        let request = request(key, ascending)
        request.fetchLimit = limit
        return try context.fetch(request).map(\.number)
      }
      func ordered(_ numbers: [Int64]) -> [Int64] { ascending ? numbers : numbers.reversed() }
      #expect(try numbers(context) == ordered([5, 3, 9, 1]))
      for number in [8, 2, 7] { context.insertNote(Int64(number)) }
      context.delete(try context.note(3))
      try context.note(5).title = "changed"
      #expect(try numbers(context) == ordered([5, 9, 1, 8, 2, 7]))
      #expect(try numbers(context, limit: 4) == Array(ordered([5, 9, 1, 8, 2, 7]).prefix(4)))
      let child = stack.child(of: context)
      try child.performAndWait { () throws in
        child.insertNote(6)
        #expect(try numbers(child) == ordered([5, 9, 1, 8, 2, 7, 6]))
      }
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      ids.sortDescriptors = request(key, ascending).sortDescriptors
      ids.resultType = .managedObjectIDResultType
      #expect(try context.fetch(ids) == (try context.fetch(request(key, ascending)).map(\.objectID)))
      try context.save()
      #expect(Set(try numbers(context).prefix(ascending ? 3 : 6).suffix(3)) == [5, 9, 1])
      #expect(try context.fetch(ids) == (try context.fetch(request(key, ascending)).map(\.objectID)))
    }
  }

  // S7.1
  @Test func pathsMayEndInAnObject() throws {
    let stack = try TestStack()
    try stack.change { context in
      for number in [2, 1] { context.insertNote(Int64(number)) }
      for (number, term) in [(1, "a"), (2, "b"), (1, "c")] {
        let word = Word(context: context)
        word.term = term
        word.note = try context.note(Int64(number))
      }
    }
    let context = stack.context()
    try context.performAndWait {
      let first = try #require(try context.fetch(request("objectID", true)).first).number
      for key in ["note.objectID", "note.self", "note"] {
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.sortDescriptors = [key, "self.term"].map { NSSortDescriptor(key: $0, ascending: true) }
        #expect(
          try context.fetch(request).compactMap(\.term) == (first == 1 ? ["a", "c", "b"] : ["b", "a", "c"]), "\(key)")
      }
      let request = NSFetchRequest<NSDictionary>(entityName: "Word")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["term", "objectID", "note.objectID"]
      request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
      let rows = try context.fetch(request)
      let words = NSFetchRequest<Word>(entityName: "Word")
      words.sortDescriptors = request.sortDescriptors
      #expect(rows.map { $0["objectID"] as? NSManagedObjectID } == (try context.fetch(words)).map(\.objectID))
      #expect(rows.allSatisfy { ($0["note.objectID"] as? NSManagedObjectID)?.entity.name == "Note" })
    }
  }

  // S7.1
  @Test func whatIsBehindAnIDIsRefused() throws {
    let context = try TestStack().context()
    context.performAndWait {
      for key in ["objectID.number", "title.self", "title.objectID", "words.objectID"] {
        #expect(cocoaCode { _ = try context.fetch(request(key, true)) } == NSCoreDataError, "\(key)")
      }
    }
  }

  @Test func swiftKeyPathsNameTheID() throws {
    let stack = try TestStack()
    for number in [5, 3, 9] { try stack.seed(Int64(number)...Int64(number)) }
    let context = stack.context()
    try context.performAndWait { () throws in
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.objectID, ascending: false)]
      #expect(try context.fetch(request).map(\.number) == [9, 3, 5])
      let array = try context.notes() as NSArray
      for descriptors in [request.sortDescriptors ?? [], [NSSortDescriptor(key: "self", ascending: false)]] {
        #expect(array.sortedArray(using: descriptors).compactMap { ($0 as? Note)?.number } == [9, 3, 5])
      }
    }
  }

  // S7.5
  @Test func aControllerFollowsTheIDs() throws {
    let stack = try TestStack()
    for number in [5, 3] { try stack.seed(Int64(number)...Int64(number)) }
    let context = stack.context()
    try context.performAndWait {
      final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {}
      }
      let request = request("objectID", true)
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = Delegate()
      controller.delegate = delegate
      try controller.performFetch()
      for number in [8, 2, 7] { context.insertNote(Int64(number)) }
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.map(\.number) == [5, 3, 8, 2, 7])
      try context.save()
      #expect(controller.fetchedObjects == (try context.fetch(request)))
      context.insertNote(1)
      context.processPendingChanges()
      #expect(controller.fetchedObjects == (try context.fetch(request)))
      withExtendedLifetime(delegate) {}
    }
  }
}
