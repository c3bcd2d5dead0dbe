import Scheduling
import Testing

@testable import CoreData

/// Predicates that are evaluated in memory, of objects without their unsaved changes.
@Suite struct MemoryPredicateTests {
  // S7.3: those of related objects do not count either.
  @Test func unsavedChangesOfRelatedObjectsDoNotCount() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      try context.note(1).title = "unsaved"
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.includesPendingChanges = false
      request.predicate = NSPredicate { object, _ in (object as? Word)?.note?.title == "note 1" }
      #expect(try context.fetch(request).count == 1)
      #expect(try context.count(for: request) == 1)
      request.includesPendingChanges = true
      #expect(try context.fetch(request).isEmpty)
    }
  }

  // S6.17, S7.3
  @Test func aQueryGenerationIsRead() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      try context.note(1).title = "unsaved"
      try stack.change { $0.insertNote(4) }
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.includesPendingChanges = false
      request.predicate = NSPredicate { object, _ in (object as? Note)?.number ?? 0 > 0 }
      #expect(try context.fetch(request).count == 3)
    }
  }
}
