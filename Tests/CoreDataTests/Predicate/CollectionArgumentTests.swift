import CoreData
import Testing

/// Foundation's collections, and subclasses of them, as arguments of predicates. S7.2.
@Suite struct CollectionArgumentTests {
  // S7.2, S2.6
  @Test func everyCollectionOfFoundationMayBeGiven() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      let set = note.mutableSetValue(forKey: "words")
      #expect(try context.words(NSPredicate(format: "SELF IN %@", set)).count == 2)
      #expect(try context.words(NSPredicate(format: "SELF IN %@", NSSet(array: Array(note.words)))).count == 2)
      #expect(try context.words(NSPredicate(format: "SELF IN %@", NSArray(array: Array(note.words)))).count == 2)
      #expect(try context.words(NSPredicate(format: "SELF IN %@", NSMutableArray(array: Array(note.words)))).count == 2)
      #expect(try context.words(NSPredicate(format: "SELF IN %@", NSOrderedSet(array: Array(note.words)))).count == 2)
      #expect(try context.words(NSPredicate(format: "SELF IN %@", note.words)).count == 2)
      #expect(try context.words(NSPredicate(format: "term IN %@", NSMutableSet(array: ["a"]))).count == 2)
      #expect(try context.words(NSPredicate(format: "note IN %@", NSCountedSet(array: [note]))).count == 2)
      note.setValue(set, forKey: "words")
      #expect(note.words.count == 2)
      try context.note(2).setValue(set, forKey: "words")
      #expect(try context.note(2).words.count == 2)
      #expect(note.words.count == 0)
    }
  }

  // S7.2, S2.6
  @Test func theMutableSetOfAnOrderedRelationshipMayBeGiven() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.predicate = NSPredicate(format: "SELF IN %@", shelf.mutable())
      #expect(try context.fetch(request).count == 3)
      let other = context.make("Shelf", "other")
      other.setValue(shelf.mutable(), forKey: "books")
      #expect(other.row() == "abc" && shelf.row() == "")
    }
  }

}
