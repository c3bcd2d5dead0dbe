import CoreData
import Testing

/// Key-value coding of Foundation's arrays and sets of fetched objects, as in code for Apple's systems. S2.6
@Suite struct FoundationCollectionTests {
  private func withNotes(_ body: ([Note]) throws -> Void) throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait { try body(context.notes().sorted { $0.number < $1.number }) }
  }

  @Test func anArrayHasWhatItsElementsHave() throws {
    try withNotes { notes in
      notes[1].title = nil
      let array = NSArray(array: notes)
      #expect(array.value(forKey: "number") as? [Int] == [1, 2, 3])
      let titles = try #require(array.value(forKey: "title") as? [Any])
      #expect(titles.count == 3 && titles[1] is NSNull && titles[2] as? String == "note 3")
      #expect(array.value(forKey: "@count") as? Int == 3)
      #expect(
        array.value(forKeyPath: "@sum.number") as? Int == 6 && array.value(forKeyPath: "@max.number") as? Int == 3)
      #expect(array.value(forKeyPath: "objectID") as? [NSManagedObjectID] == notes.map(\.objectID))
      #expect((array.value(forKeyPath: "@distinctUnionOfSets.words.term") as? Set<String>) == ["a", "b"])
      array.setValue("all", forKey: "title")
      #expect(notes.allSatisfy { $0.title == "all" })
      #expect(NSMutableArray(array: notes).value(forKeyPath: "@avg.number") as? Int == 2)
    }
  }

  @Test func aSetLeavesNilOut() throws {
    try withNotes { notes in
      notes[1].title = nil
      let set = NSSet(array: notes)
      #expect(set.value(forKey: "title") as? Set<String> == ["note 1", "note 3"])
      #expect(set.value(forKeyPath: "@sum.number") as? Int == 6)
      let words = notes[0].mutableSetValue(forKey: "words")
      #expect(
        words.value(forKey: "term") as? Set<String> == ["a", "b"] && words.value(forKeyPath: "@count") as? Int == 2)
      words.setValue("c", forKey: "term")
      #expect(notes[0].words.allSatisfy { $0.value(forKey: "term") as? String == "c" })
    }
  }

  @Test func anOrderedSetKeepsItsOrder() throws {
    try withNotes { notes in
      let ordered = NSOrderedSet(array: notes.reversed())
      #expect((ordered.value(forKey: "number") as? NSOrderedSet)?.array as? [Int] == [3, 2, 1])
      #expect(ordered.value(forKeyPath: "@min.number") as? Int == 1)
      ordered.setValue(7, forKey: "number")
      #expect(notes.allSatisfy { $0.number == 7 })
    }
  }
}
