import CoreData
import Testing

/// Generated accessors of ordered relationships, and `mutableOrderedSetValue(forKey:)`.
@Suite struct OrderedAccessorTests {
  private static let books = _PropertyKey("books")

  private func withShelf(
    _ letters: String, _ body: (NSManagedObject, (String) -> NSManagedObject) throws -> Void
  ) throws {
    let context = try TestStack(model: Library.model()).context()
    try context.performAndWait {
      let shelf = try context.seedShelf(letters)
      try body(shelf) { context.make("Book", $0) }
    }
  }

  // S2.6
  @Test func generatedAccessorsTakePositions() throws {
    try withShelf("abc") { shelf, make in
      let key = Self.books
      shelf._insert(make("x"), into: key, at: 0)
      #expect(shelf.row() == "xabc")
      shelf._insert(all: [make("y"), make("z")], into: key, at: NSIndexSet(indexSet: [1, 5]))
      #expect(shelf.row() == "xyabcz")
      shelf._remove(from: key, at: 0)
      shelf._remove(from: key, at: NSIndexSet(indexSet: [0, 2]))
      #expect(shelf.row() == "acz")
      shelf._replace(in: key, at: 1, with: make("m"))
      #expect(shelf.row() == "amz")
      shelf._replace(in: key, at: NSIndexSet(indexSet: [0, 2]), with: [make("k"), make("n")])
      #expect(shelf.row() == "kmn")
      shelf._add(make("o"), to: key)
      shelf._remove(shelf.list("books")[0], from: key)
      #expect(shelf.row() == "mno")
      #expect(shelf._orderedSet(key).array.count == 3)
      shelf._setOrderedSet(key, shelf._orderedSet(key).reversed)
      #expect(shelf.row() == "onm")
      shelf._setOrderedSet(key, nil)
      #expect(shelf.row() == "")
    }
  }

  // S2.6
  @Test func whoIsAMemberAlreadyStays() throws {
    try withShelf("abc") { shelf, _ in
      let members = shelf.list("books")
      shelf._insert(members[2], into: Self.books, at: 0)
      shelf._replace(in: Self.books, at: 0, with: members[2])
      shelf._add(members[0], to: Self.books)
      #expect(shelf.row() == "abc")
      // Places that are changed together may be exchanged.
      shelf._replace(in: Self.books, at: NSIndexSet(indexSet: [0, 2]), with: [members[2], members[0]])
      #expect(shelf.row() == "cba")
    }
  }

  // S2.6
  @Test func aBookTakenFromAnotherShelfLeavesIt() throws {
    try withShelf("abc") { shelf, make in
      let other = try #require(shelf.managedObjectContext).make("Shelf", "other")
      other._add(make("x"), to: Self.books)
      shelf._insert(other.list("books")[0], into: Self.books, at: 1)
      #expect(shelf.row() == "axbc")
      #expect(other.row() == "")
    }
  }

  // S2.6
  @Test func everyChangeOfTheMutableSetIsOneOfTheRelationship() throws {
    try withShelf("abcdef") { shelf, make in
      let set = shelf.mutable()
      let (a, b) = (shelf.list("books")[0], shelf.list("books")[1])
      set.moveObjects(at: [0, 1], to: 3)
      #expect(shelf.row() == "cdeabf")
      set.exchangeObject(at: 0, withObjectAt: 5)
      #expect(shelf.row() == "fdeabc")
      set.sort { left, right in
        ((left as? NSManagedObject)?.string("name") ?? "") < ((right as? NSManagedObject)?.string("name") ?? "")
          ? .orderedAscending : .orderedDescending
      }
      #expect(shelf.row() == "abcdef")
      set.sortRange(NSRange(location: 1, length: 3)) { _, _ in .orderedSame }
      #expect(shelf.row() == "abcdef")
      set.remove(a)
      set.removeObjects(at: [0])
      set.removeObjects(in: NSRange(location: 0, length: 1))
      #expect(shelf.row() == "def")
      set.addObjects(from: [a, b, a])
      set.setObject(make("x"), at: 5)
      set.setObject(make("y"), at: 0)
      #expect(shelf.row() == "yefabx")
      set[1] = make("z")
      set.replaceObjects(at: [0], with: [make("w")])
      #expect(shelf.row() == "wzfabx")
      set.insert([make("1"), make("2")], at: [0, 3])
      #expect(shelf.row() == "1wz2fabx")
      set.minus(NSOrderedSet(array: [a]))
      set.minusSet([b])
      set.intersect(NSOrderedSet(array: Array(shelf.list("books").suffix(3))))
      #expect(shelf.row() == "2fx")
      set.union(NSOrderedSet(array: [b, a]))
      set.intersectSet([a, b])
      #expect(shelf.row() == "ba")
      set.unionSet([make("q")])
      #expect(shelf.row() == "baq")
      #expect(b.object("shelf") === shelf)
      set.removeAllObjects()
      #expect(shelf.row() == "")
      #expect(b.object("shelf") == nil)
    }
  }

  // S2.6
  @Test func theMutableSetShowsWhatTheRelationshipBecame() throws {
    try withShelf("abc") { shelf, make in
      let set = shelf.mutable()
      func letters() -> String { (set.array as? [NSManagedObject] ?? []).compactMap { $0.string("name") }.joined() }
      #expect(letters() == "abc")
      make("x").setValue(shelf, forKey: "shelf")
      #expect(set.count == 4)
      #expect((set.object(at: 3) as? NSManagedObject)?.string("name") == "x")
      shelf.arrange("xcba")
      #expect((set[0] as? NSManagedObject)?.string("name") == "x")
      #expect(letters() == "xcba")
      try #require(shelf.managedObjectContext).rollback()
      #expect(set.count == 3)
      #expect(letters() == "abc")
      #expect(set.index(of: shelf.list("books")[2]) == 2)
      #expect(!set.contains(shelf))
      #expect((set.copy() as? NSOrderedSet)?.count == 3)
      #expect((set.mutableCopy() as? NSMutableOrderedSet)?.count == 3)
    }
  }

  // S2.8: as the set of an unordered one. Only the announcement makes it a change, which sets inverses.
  @Test func thePrimitiveValueIsTheRelationship() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      let books = try #require(shelf.primitiveValue(forKey: "books") as? NSMutableOrderedSet)
      books.exchangeObject(at: 0, withObjectAt: 2)
      #expect(shelf.row() == "cba" && !shelf.hasChanges)
      let book = context.make("Book", "d")
      shelf.willChangeValue(forKey: "books")
      books.insert(book, at: 1)
      books.removeObject(at: 0)
      shelf.didChangeValue(forKey: "books")
      #expect(shelf.row() == "dba" && shelf.hasChanges)
      #expect(book.object("shelf") === shelf)
      #expect(books.count == 3 && books.index(of: book) == 0)
      try context.save()
      #expect(try stack.stored("Shelf", "shelf") == "dba")
    }
  }
}
