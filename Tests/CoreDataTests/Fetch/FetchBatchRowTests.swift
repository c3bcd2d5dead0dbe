import Scheduling
import Testing

@testable import CoreData

/// S2.4, S7.1: the rows of a fetch in batches are those of the store, as those of every other fetch.
@Suite(.everyStore) struct FetchBatchRowTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack()
    try stack.seed(1...5)
  }

  /// Gives every row another title, past the contexts and the row cache.
  private func update(in context: NSManagedObjectContext) throws {
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.propertiesToUpdate = ["title": "new"]
    try context.execute(update)
  }

  private func request() -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == 'new'")
    request.fetchBatchSize = 2
    return request
  }

  // S7.1: though another context has the older rows, and so the row cache has.
  @Test func anotherContextHasOlderRows() throws {
    let (holder, reader) = (stack.context("holder"), stack.context("reader"))
    let held = try holder.performAndWait {
      let notes = try holder.notes()
      #expect(notes.last?.title == "note 5")
      return notes
    }
    try reader.performAndWait {
      try update(in: reader)
      #expect(try reader.fetch(request()).map(\.title) == Array(repeating: "new", count: 5))
    }
    withExtendedLifetime(held) {}
  }

  // S2.4, S7.1: though the faults themselves, or those of a parent, have older ones.
  @Test(arguments: [false, true]) func faultsHaveOlderRows(isChild: Bool) throws {
    let parent = stack.context()
    let reader = isChild ? stack.child(of: parent) : parent
    try reader.performAndWait {
      let notes = try reader.notes()
      #expect(notes.last?.title == "note 5")
      try update(in: reader)
      parent.performAndWait { parent.refreshAllObjects() }
      reader.refreshAllObjects()
      #expect(try reader.fetch(request()).map(\.title) == Array(repeating: "new", count: 5))
      withExtendedLifetime(notes) {}
    }
  }

  // S2.4: unsaved changes, and the version beneath them, stay.
  @Test func changedObjectsStayAsTheyAre() throws {
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      note.title = "unsaved"
      try update(in: context)
      let found = try context.fetch(request())
      #expect(found.map(\.title) == Array(repeating: "new", count: 4))
      #expect(note.title == "unsaved" && note.changedValues().count == 1)
      withExtendedLifetime(found) {}
    }
  }
}
