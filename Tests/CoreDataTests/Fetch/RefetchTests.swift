import CoreData
import Testing

@Suite(.everyStore) struct RefetchTests {
  private func notes(_ context: NSManagedObjectContext, refreshing: Bool) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.shouldRefreshRefetchedObjects = refreshing
    return try context.fetch(request)
  }

  // S3.3, S7.1: a fetch leaves a realised object alone, values and version, unless the request says not.
  @Test func realisedObjectsKeepTheirValuesUnlessTheRequestSaysNot() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let known = try notes(context, refreshing: false)
      #expect(known.map(\.title) == ["note 1", "note 2", "note 3"])
      known[1].createdAt = Date(timeIntervalSinceReferenceDate: 1)
      try stack.change { other in for note in try other.notes() { note.title = "new" } }
      #expect(try notes(context, refreshing: false).map(\.title) == ["note 1", "note 2", "note 3"])
      let log = NotificationLog(context)
      let again = try notes(context, refreshing: true)
      #expect(zip(again, known).allSatisfy { $0 === $1 })
      // Unsaved changes stay on top.
      #expect(again.map(\.title) == ["new", "new", "new"])
      #expect(again[1].createdAt == Date(timeIntervalSinceReferenceDate: 1) && again[1].hasChanges)
      let reported: [Int] = log.take().filter { $0.kind == "changed" }.compactMap { $0.sets["refreshed"]?.count }
      #expect(reported == [3])
      // The versions are new as well: nothing conflicts.
      try context.save()
    }
  }

  // S7.1, S4.4
  @Test func aChildRefreshesFromItsParentWhichRefreshesFirst() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    let held = try parent.performAndWait { try parent.notes().map { ($0, $0.title) } }
    try child.performAndWait {
      let known = try notes(child, refreshing: false)
      #expect(known.map(\.title) == ["note 1", "note 2"])
      try stack.change { try $0.note(1).title = "new" }
      #expect(try notes(child, refreshing: false).map(\.title) == ["note 1", "note 2"])
      #expect(try notes(child, refreshing: true).map(\.title) == ["new", "note 2"])
    }
    withExtendedLifetime(held) {}
  }

  // S7.1, S7.3: also where the predicate is evaluated in memory, and changes of the context do not count.
  @Test func objectsThatAPredicateFoundInMemoryAreRefreshed() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      let known = try notes(context, refreshing: false)
      #expect(known.map(\.title) == ["note 1", "note 2"])
      context.insertNote(3)
      try stack.change { try $0.note(1).title = "new" }
      let request = NSFetchRequest<Note>(entityName: "Note")
      (request.includesPendingChanges, request.shouldRefreshRefetchedObjects) = (false, true)
      request.predicate = NSPredicate { _, _ in true }
      #expect(try context.fetch(request).count == 2)
      #expect(known.map(\.title) == ["new", "note 2"])
    }
  }

  // S7.1: by IDs; S6.2: those that are gone are left out.
  @Test func objectsAreFetchedByTheirIDs() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...5)
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "SELF IN %@", [ids[0], ids[2], ids[4]])
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
      #expect(try context.fetch(request).map(\.number) == [5, 3, 1])
      context.delete(try context.note(3))
      #expect(try context.fetch(request).map(\.number) == [5, 1])
      try stack.change { $0.delete(try $0.note(1)) }
      #expect(try context.fetch(request).map(\.number) == [5])
      #expect(try context.count(for: request) == 1)
    }
  }

  // S7.1: the count is that of the fetch, limit and offset included.
  @Test func aCountTakesLimitAndOffset() throws {
    let stack = try TestStack()
    try stack.seed(1...10)
    let context = stack.context()
    try context.performAndWait {
      for unsaved in [false, true] {
        if unsaved {
          context.insertNote(11)
          context.delete(try context.note(1))
          try context.note(2).title = "other"
        }
        for (limit, offset) in [(0, 0), (3, 0), (0, 8), (5, 7), (5, 20)] {
          for predicate in [nil, NSPredicate(format: "title BEGINSWITH 'note'"), NSPredicate { _, _ in true }] {
            let request = NSFetchRequest<Note>(entityName: "Note")
            (request.fetchLimit, request.fetchOffset, request.predicate) = (limit, offset, predicate)
            #expect(try context.count(for: request) == context.fetch(request).count, "\(limit), \(offset)")
          }
        }
      }
    }
  }

  // S7.3: the store's values, whatever is unsaved here; also where the predicate is evaluated in memory.
  @Test func withoutPendingChangesTheStoresValuesAreTested() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    let child = stack.child(of: context)
    try context.performAndWait {
      try context.note(1).title = "changed"
      context.delete(try context.note(2))
      context.insertNote(4, title: "note 4")
      for predicate in [
        NSPredicate(format: "title BEGINSWITH 'note'"), NSPredicate(format: "title MATCHES 'note .'"),
      ] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = predicate
        request.includesPendingChanges = false
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let found = try context.fetch(request)
        #expect(found.map(\.number) == [1, 2, 3] && found[0].title == "changed")
        #expect(try context.count(for: request) == 3)
        let below = try child.performAndWait { try child.count(for: request) }
        // For the child there is no object that its parent deleted.
        #expect(below == 2)
        request.includesPendingChanges = true
        #expect(try context.fetch(request).map(\.number) == [3, 4])
        #expect(try context.count(for: request) == 2)
      }
    }
  }
}
