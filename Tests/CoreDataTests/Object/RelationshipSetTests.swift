import CoreData
import Testing

/// The results of `mutableSetValue(forKey:)` and `mutableOrderedSetValue(forKey:)` are Foundation sets in all they do.
@Suite struct RelationshipSetTests {
  /// A note with words, and its words as the relationship's set and as one of Foundation's own.
  private func sets(_ body: (_ set: NSMutableSet, _ plain: NSMutableSet, _ words: [Word]) throws -> Void) throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a", "b", "c"])
      try context.save()
      let set = note.mutableSetValue(forKey: "words")
      try body(set, NSMutableSet(array: set.allObjects), try context.words())
    }
  }

  // S2.6
  @Test func aSetIsReadAsAnyOther() throws {
    try sets { set, plain, words in
      #expect(set.description.contains("entity: Word"))
      #expect(set.debugDescription.contains("entity: Word"))
      #expect(set.isEqual(plain) && plain.isEqual(set) && set.hash == plain.hash)
      #expect(set.isEqual(to: Set(words)) && set.isSubset(of: Set(words)) && set.intersects(Set(words.prefix(1))))
      let ascending = [NSSortDescriptor(key: "term", ascending: true)]
      #expect((set.sortedArray(using: ascending) as? [Word])?.map(\.term) == ["a", "b", "c"])
      #expect(set.filtered(using: NSPredicate(format: "term > 'a'")).count == 2)
      #expect(set.adding(words[0]).count == 3 && set.addingObjects(from: [words[1]]).count == 3)
      #expect(set.objects(passingTest: { word, _ in (word as? Word)?.term == "b" }).count == 1)
      var seen = 0
      set.enumerateObjects { _, _ in seen += 1 }
      #expect(seen == 3 && set.anyObject() is Word && Array(set).count == 3)
    }
  }

  // S2.6
  @Test func aSetIsChangedAsAnyOther() throws {
    try sets { set, plain, words in
      let some = Set(words.prefix(2).map { AnyHashable($0) })
      for change in [
        { $0.minus(some) }, { $0.union(some) }, { $0.intersect(some) },
        { $0.setSet(Set(words.map { AnyHashable($0) })) },
        { $0.filter(using: NSPredicate(format: "term != 'b'")) }, { $0.addObjects(from: words) },
        { $0.removeAllObjects() },
      ] as [(NSMutableSet) -> Void] {
        change(set)
        change(plain)
        #expect(set.isEqual(plain))
        #expect(words.allSatisfy { ($0.note != nil) == plain.contains($0) })
      }
    }
  }

  // S2.6
  @Test func anOrderedSetIsReadAsAnyOther() throws {
    let context = try TestStack(model: Library.model()).context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      let set = shelf.mutable()
      let plain = NSMutableOrderedSet(array: shelf.list("books"))
      #expect(set.description.contains("entity: Book"))
      #expect(set.debugDescription.contains("entity: Book"))
      #expect(set.isEqual(plain) && plain.isEqual(set))
      #expect(set.reversed.count == 3 && set.array.count == 3 && set.set.count == 3 && set.firstObject != nil)
      #expect(set.filtered(using: NSPredicate(format: "name > 'a'")).count == 2)
      #expect(set.objects(at: [0, 2]).count == 2 && set.isSubset(of: plain) && set.intersects(plain))
      let descending = [NSSortDescriptor(key: "name", ascending: false)]
      #expect(
        set.sortedArray(using: descending).compactMap { ($0 as? NSManagedObject)?.string("name") }.joined() == "cba")
      #expect(
        set.index(of: shelf.list("books")[1], inSortedRange: NSRange(0..<3), usingComparator: { _, _ in .orderedSame })
          >= 0)
    }
  }
}
