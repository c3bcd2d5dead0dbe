import Testing

@testable import CoreData
@testable import RowStore

/// Sort descriptors by keys and by Swift key paths, of fetches and of arrays. S7.1
@Suite struct SortDescriptorTests {
  /// Numbers of the notes that a fetch gives with these descriptors, and of an array sorted with them.
  private func sorted(_ descriptors: [NSSortDescriptor]) throws -> (fetched: [Int64], array: [Int64]) {
    let context = try TestStack().context()
    return try context.performAndWait {
      for (number, title) in [(Int64(1), "b"), (2, nil), (3, "a"), (4, "b")] {
        context.insertNote(number, title: title)
      }
      try context.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = descriptors
      let fetched = try context.fetch(request)
      let array = try context.notes().reversed() as NSArray
      return (fetched.map(\.number), array.sortedArray(using: descriptors).compactMap { ($0 as? Note)?.number })
    }
  }

  @Test func arraysAreSortedByKeysAsFetchesAre() throws {
    let descriptors = [
      NSSortDescriptor(key: "title", ascending: false), NSSortDescriptor(key: "number", ascending: true),
    ]
    let (fetched, array) = try sorted(descriptors)
    #expect(fetched == [1, 4, 3, 2])
    #expect(array == fetched)
    let reversed = try descriptors.map { try #require($0.reversedSortDescriptor as? NSSortDescriptor) }
    let (again, backwards) = try sorted(reversed)
    #expect(again == [2, 3, 4, 1])
    #expect(backwards == again)
    #expect(reversed.map(\.key) == ["title", "number"] && reversed.map(\.ascending) == [true, false])
  }

  // S7.1
  @Test func aComparatorSortsArraysAndIsRefusedByFetches() throws {
    let byLength = NSSortDescriptor(key: "title", ascending: false) {
      NSNumber(value: ($0 as? String)?.count ?? 0).compare(NSNumber(value: ($1 as? String)?.count ?? 0))
    }
    let rows = [["title": "b"], ["title": "ccc"], [:], ["title": "aa"]] as NSArray
    let sorted = rows.sortedArray(using: [byLength]) as? [[String: String]]
    #expect(sorted?.map { $0["title"] } == ["ccc", "aa", "b", nil])
    let reversed = try #require(byLength.reversedSortDescriptor as? NSSortDescriptor)
    #expect(
      (rows.sortedArray(using: [reversed]) as? [[String: String]])?.map { $0["title"] } == [nil, "b", "aa", "ccc"])
    #expect(byLength.isEqual(byLength) && !byLength.isEqual(NSSortDescriptor(key: "title", ascending: false)))
    let context = try TestStack().context()
    context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [byLength]
      let error = #expect(throws: (any Error).self) { try context.fetch(request) }
      #expect("\(error as Any)".contains("has a comparator, which a store cannot call"))
    }
  }

  @Test func aFetchFindsThePropertiesOfASwiftKeyPath() throws {
    let descriptors = [
      NSSortDescriptor(keyPath: \Note.title, ascending: true),
      NSSortDescriptor(keyPath: \Note.number, ascending: false),
    ]
    for _ in 0..<2 {
      let (fetched, array) = try sorted(descriptors)
      #expect(fetched == [2, 3, 4, 1])
      #expect(array == fetched)
    }
    let reversed = try #require(descriptors[0].reversedSortDescriptor as? NSSortDescriptor)
    let (fetched, array) = try sorted([reversed, NSSortDescriptor(keyPath: \Note.number, ascending: true)])
    #expect(fetched == [1, 4, 3, 2] && array == fetched)
  }

  @Test func aSwiftKeyPathMayLeadThroughRelationshipsToAnyAttribute() throws {
    let (model, other) = (Notebook.model(), Cards.model())
    defer { withExtendedLifetime((model, other)) {} }
    let layout = try model.freeze()
    let (note, word) = (try #require(layout.entitiesByName["Note"]), try #require(layout.entitiesByName["Word"]))
    func keys(_ path: AnyKeyPath, _ entity: EntityLayout) -> String? {
      KeyPathProbe.keys(of: path, from: entity)?.joined(separator: ".")
    }
    #expect(keys(\Note.uuid, note) == "uuid" && keys(\Note.createdAt, note) == "createdAt")
    #expect(keys(\Word.level, word) == "level" && keys(\Word.term, word) == "term")
    #expect(keys(\Word.note?.createdAt, word) == "note.createdAt")
    #expect(keys(\Word.note?.number, word) == "note.number")
    #expect(keys(\Note.words, note) == nil && keys(\Word.note, word) == nil)
    #expect(keys(\Note.objectID, note) == "objectID" && keys(\Word.note?.objectID, word) == "note.objectID")
    #expect(keys(\Note.title, word) == nil, "of another class")
    let cards = try #require(other.freeze().entitiesByName["Card"])
    #expect(keys(\Card.isShown, cards) == "isShown" && keys(\Card.rank, cards) == "rank")
    #expect(keys(\Card.serial, cards) == "serial" && keys(\Card.box, cards) == "box")
  }

  // A key that is in no column, or in other bytes, is refused rather than sorted somehow.
  @Test(arguments: ["shown", "archive", "place", "owner.shown"]) func whatHasNoOrderInTheStoreIsRefused(key: String)
    throws
  {
    let model = NSManagedObjectModel()
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    let owner = Notebook.relationship("owner", to: thing, maxCount: 1)
    let shown = Notebook.attribute("shown", .stringAttributeType)
    shown.isTransient = true
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.isOptional = true
    place.elements = [Notebook.attribute("street", .stringAttributeType)]
    thing.properties = [
      Notebook.attribute("name", .stringAttributeType), shown,
      Notebook.attribute("archive", .transformableAttributeType),
      place, owner,
    ]
    model.entities = [thing]
    let context = try TestStack(model: model).context()
    context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
      let error = caught { _ = try context.fetch(request) }
      #expect(error?.code == NSCoreDataError)
      #expect(error?.localizedDescription.contains(key) ?? false)
    }
  }

  // S7.3: unsaved objects stand among the others where SQLite would have them.
  @Test func relationshipsAreSortedByTheirObjectsAlsoAmongUnsavedChanges() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let notes = (1...5).map { context.insertNote(Int64($0)) }
      try context.save()
      for number in 1...5 {
        let word = Word(context: context)
        word.term = "\(number)"
        word.note = notes[5 - number]
      }
      try context.save()
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.sortDescriptors = [NSSortDescriptor(key: "note", ascending: true)]
      let order = try context.fetch(request).map { $0.note?.number }
      #expect(Set(order).count == 5)
      try #require(try context.words(NSPredicate(format: "term == '3'")).first).level = 7
      #expect(try context.fetch(request).map { $0.note?.number } == order)
    }
  }

  // S7.3: pages of one answer, while something is unsaved.
  @Test(arguments: [true, false]) func pagesHaveEachObjectOnce(ascending: Bool) throws {
    let context = try TestStack().context()
    try context.performAndWait {
      for number in 1...30 { context.insertNote(Int64(number), title: "same") }
      try context.save()
      context.insertNote(31, title: "same")
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: ascending)]
      var seen: [Int64] = []
      for (offset, limit) in [(0, 10), (10, 10), (20, 0)] {
        (request.fetchOffset, request.fetchLimit) = (offset, limit)
        seen += try context.fetch(request).map(\.number)
      }
      #expect(seen.sorted() == Array(1...31))
    }
  }

  @Test func aSwiftKeyPathToWhatIsNotStoredIsRefused() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.hash, ascending: true)]
      #expect(cocoaCode { _ = try context.fetch(request) } == NSCoreDataError)
    }
  }

  @Test func anArrayMayBeSortedByASwiftKeyPathToAnOptional() throws {
    let context = try TestStack().context()
    context.performAndWait {
      for (number, title) in [(Int64(1), "b"), (2, nil), (3, "a")] { context.insertNote(number, title: title) }
      let notes = Array(context.insertedObjects) as NSArray
      let descriptor = NSSortDescriptor(keyPath: \Note.title, ascending: true)
      func numbers(_ descriptor: NSSortDescriptor?) -> [Int64] {
        notes.sortedArray(using: [descriptor].compactMap { $0 }).compactMap { ($0 as? Note)?.number }
      }
      #expect(numbers(descriptor) == [2, 3, 1])
      #expect(numbers(descriptor.reversedSortDescriptor as? NSSortDescriptor) == [1, 3, 2])
    }
  }

  @Test func valuesThatAreNoObjectsAreSortedByThemselves() {
    let array = ["b", "a", "c"] as NSArray
    #expect(array.sortedArray(using: [NSSortDescriptor(key: nil, ascending: false)]) as? [String] == ["c", "b", "a"])
    #expect(array.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [String] == ["a", "b", "c"])
    let rows = [["n": 2], ["n": 1]] as NSArray
    let sorted = rows.sortedArray(using: [NSSortDescriptor(key: "n", ascending: true)]) as? [[String: Int]]
    #expect(sorted == [["n": 1], ["n": 2]])
  }
}
