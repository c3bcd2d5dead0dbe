import Testing

@testable import CoreData

/// Fetches of a child that leave unsaved changes out, beside those of its parent.
@Suite struct ParentDeletionTests {
  private static func request<Result>(_: Result.Type, inMemory: Bool) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: "Note")
    request.includesPendingChanges = false
    if inMemory { request.predicate = NSPredicate { object, _ in (object as? Note)?.number ?? 0 > 0 } }
    return request
  }

  // S4.4, S7.1, S7.3: for the child there is no such object.
  @Test(arguments: [false, true]) func aChildFindsNoObjectThatItsParentDeleted(inMemory: Bool) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let parent = stack.context("parent")
    try parent.performAndWait {
      parent.delete(try parent.note(2))
      try parent.note(3).number = -3
    }
    for child in [stack.child(of: parent), stack.child(of: stack.child(of: parent, "between"))] {
      try child.performAndWait {
        let request = Self.request(Note.self, inMemory: inMemory)
        let found = try child.fetch(request).map(\.objectID.primaryKey)
        #expect(found.sorted() == [1, 3])
        #expect(try child.count(for: request) == 2)
        let ids = Self.request(NSManagedObjectID.self, inMemory: inMemory)
        ids.resultType = .managedObjectIDResultType
        #expect(try child.fetch(ids).map(\.primaryKey).sorted() == [1, 3])
      }
    }
  }

  // S6.17: a predicate in memory too.
  @Test func aChildReadsTheStateOfItsParent() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let parent = stack.context("parent")
    try parent.performAndWait {
      try parent.setQueryGenerationFrom(.current)
      #expect(try parent.notes().count == 3)
    }
    try stack.change { $0.insertNote(4) }
    let child = stack.child(of: parent)
    try child.performAndWait {
      let found = try child.fetch(Self.request(Note.self, inMemory: true))
      #expect(found.count == 3)
    }
  }
}
