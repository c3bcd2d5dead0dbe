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

  // S7.2: of a dictionary the values are used.
  @Test func theValuesOfADictionaryAreUsed() throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      let (titles, numbers) = (["x": "note 1", "y": "note 3"], [1: 3, 2: 4])
      for (predicate, found) in [
        (NSPredicate(format: "title IN %@", titles), [1, 3]),
        (NSPredicate(format: "title IN[c] %@", ["x": "NOTE 2"]), [2]),
        (NSPredicate(format: "title IN %@", NSDictionary(dictionary: titles)), [1, 3]),
        (NSPredicate(format: "title IN %@", NSMutableDictionary(dictionary: titles)), [1, 3]),
        (NSPredicate(format: "NOT title IN %@", titles), [2]), (NSPredicate(format: "number IN %@", numbers), [3]),
        (NSPredicate(format: "%@ CONTAINS title", titles), [1, 3]),
        (NSPredicate(format: "ANY %@ == title", titles), [1, 3]),
        (NSPredicate(format: "NONE %@ == title", titles), [2]),
        (NSPredicate(format: "SELF IN %@", ["x": note]), [1]),
        (NSPredicate(format: "SELF IN %@", ["x": note.objectID]), [1]),
        (NSPredicate(format: "title IN $values").withSubstitutionVariables(["values": titles]), [1, 3]),
        (NSPredicate(format: "title IN %@", [String: Any]()), []),
        (NSPredicate(format: "title IN %@", ["x": NSNull()]), []),
      ] {
        #expect(try context.notes(predicate).map { Int($0.number) } == found, "\(predicate)")
        let evaluated = try context.notes().filter { predicate.evaluate(with: $0) }
        #expect(evaluated.map { Int($0.number) } == found, "\(predicate), evaluated")
        let values = try context.notes().filter { note in
          predicate.evaluate(with: ["title": note.title ?? "", "number": note.number] as [String: Any])
        }
        if !"\(predicate)".contains("SELF") {
          #expect(values.map { Int($0.number) } == found, "\(predicate), evaluated with values")
        }
      }
    }
  }

  // S7.2: the left side has a constant of its own, which is a parameter of the statement.
  @Test(arguments: [
    "TERNARY(number > 1, title, 'x') IN {}", "NOT (TERNARY(number > 1, title, 'x') IN {})",
    "TERNARY(number > 1, title, 'x') CONTAINS nil", "TERNARY(number > 1, title, 'x') BEGINSWITH nil",
    "lowercase(title) == 'note 1' AND TERNARY(number > 1, title, 'x') IN[c] {}",
    "NOT (TERNARY(number > 1, title, 'x') LIKE nil)",
  ]) func aComputedValueIsInNoEmptyList(format: String) throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let (predicate, notes) = (NSPredicate(format: format), try context.notes())
      let expected = notes.filter { predicate.evaluate(with: $0) }.map(\.number).sorted()
      #expect(try context.notes(predicate).map(\.number).sorted() == expected)
    }
  }
}
