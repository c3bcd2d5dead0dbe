import SQLite
import Testing

@testable import CoreData

/// S7.1: `relationshipKeyPathsForPrefetching`.
@Suite(.everyStore) struct PrefetchTests {
  private func request<Result>(_ entity: String, _ paths: String...) -> NSFetchRequest<Result> {
    let request = NSFetchRequest<Result>(entityName: entity)
    request.relationshipKeyPathsForPrefetching = paths
    return request
  }

  private func notebook(_ notes: ClosedRange<Int64>) throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      let tags = ["x", "y"].map { context.make("Tag", $0) }
      for number in notes {
        let note = context.insertNote(number, words: ["a\(number)", "b\(number)"])
        for case let word as Word in note.words { word.tags = Set(tags) }
      }
    }
    return stack
  }

  @Test func aToOneRelationshipIsReadInOneStatement() throws {
    let stack = try notebook(1...30)
    let context = stack.context()
    try context.performAndWait {
      var words: [Word] = []
      try stack.expect(statements: 2) { words = try context.fetch(request("Word", "note")) }
      #expect(words.count == 60 && words.allSatisfy { $0.isFault })
      try stack.expect(statements: 0) {
        for word in words { #expect(word.term?.dropFirst() == "\(word.note!.number)") }
      }
      context.checkInvariants()
    }
  }

  // One statement for each hundred objects and relationship.
  @Test func severalLevelsTakeAStatementEachAndThenNone() throws {
    let stack = try notebook(1...150)
    let context = stack.context()
    try context.performAndWait {
      var notes: [Note] = []
      try stack.expect(statements: 1 + 2 + 3) {
        notes = try context.fetch(request("Note", "words", "words.tags", "words"))
      }
      try stack.expect(statements: 0) {
        for note in notes {
          #expect(note.words.count == 2)
          for case let word as Word in note.words {
            #expect(word.term?.dropFirst() == "\(note.number)" && word.note === note)
            #expect(Set(word.tags.map { $0.string("name") }) == ["x", "y"])
          }
        }
      }
      context.checkInvariants()
    }
  }

  @Test func ordersAreKept() throws {
    let stack = try TestStack(model: Library.model())
    try stack.change { context in
      for (name, letters) in [("one", "dacb"), ("two", "zyx"), ("none", "")] {
        try context.seedShelf(letters, name: name)
      }
      let reader = context.make("Reader", "reader")
      reader.setValue(
        NSOrderedSet(array: try "xaz".map { try context.named("Book", "\($0)") }), forKey: "books")
    }
    let context = stack.context()
    try context.performAndWait {
      let shelves: [NSManagedObject] = try context.fetch(request("Shelf", "books"))
      let readers: [NSManagedObject] = try context.fetch(request("Reader", "books.shelf"))
      try stack.expect(statements: 0) {
        #expect(Set(shelves.map { $0.row() }) == ["dacb", "zyx", ""])
        #expect(readers.map { $0.row() } == ["xaz"])
        #expect(readers[0].list("books").compactMap { $0.object("shelf")?.string("name") } == ["two", "one", "two"])
      }
    }
  }

  // S7.3: unsaved changes stay on top of prefetched rows.
  @Test func unsavedChangesStayOnTop() throws {
    let stack = try notebook(1...3)
    let context = stack.context()
    try context.performAndWait {
      let words = try context.words()
      let note = try context.note(1)
      words.first { $0.term == "a2" }?.note = note
      let new = context.insertNote(4, words: ["c"])
      context.delete(try #require(words.first { $0.term == "b3" }))
      context.processPendingChanges()
      let notes: [Note] = try context.fetch(request("Note", "words.note"))
      let terms = notes.sorted { $0.number < $1.number }.map { $0.words.compactMap { $0.string("term") }.sorted() }
      #expect(terms == [["a1", "a2", "b1"], ["b2"], ["a3"], ["c"]])
      #expect(new.words.count == 1)
      context.checkInvariants()
    }
  }

  // S5.2: a fault that is notified of a newer row forgets the rows that were read beside the older one.
  @Test func whatWasPrefetchedBesideAnOlderRowIsForgotten() throws {
    let stack = try notebook(1...3)
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait {
      let words: [Word] = try context.fetch(request("Word", "note"))
      let notes: [Note] = try context.fetch(request("Note", "words"))
      #expect(notes.allSatisfy { $0.isFault })
      try other.performAndWait {
        let word = try #require(try other.words().first { $0.term == "a1" })
        word.note = try other.note(3)
        other.insertNote(9).addToWords(try #require(try other.words().first { $0.term == "b1" }))
        try other.save()
      }
      // The row cache has newer rows; the notes are still faults.
      let owners = words.filter { ["a1", "b1"].contains($0.term) }.compactMap { $0.note?.number }
      #expect(Set(owners) == [3, 9])
      let counts = notes.sorted { $0.number < $1.number }.map(\.words.count)
      #expect(counts == [0, 2, 3])
      context.checkInvariants()
    }
  }

  // S4.4
  @Test func aChildPrefetchesThroughItsParent() throws {
    let stack = try notebook(1...30)
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    let held = try parent.performAndWait {
      let note = try parent.note(1)
      note.title = "unsaved"
      note.addToWords(try #require(try parent.words().first { $0.term == "a2" }))
      return note
    }
    try child.performAndWait {
      var notes: [Note] = []
      let statements = try stack.statements { notes = try child.fetch(request("Note", "words.tags")) }
      #expect(statements <= 8)
      let terms = notes.first { $0.title == "unsaved" }?.words.compactMap { $0.string("term") }.sorted()
      #expect(terms == ["a1", "a2", "b1"])
      #expect(notes.reduce(0) { $0 + $1.words.count } == 60)
      #expect(notes.allSatisfy { $0.words.allSatisfy { ($0 as? Word)?.tags.count == 2 } })
    }
    withExtendedLifetime(held) {}
  }

  @Test func aBatchPrefetchesForItself() throws {
    let stack = try notebook(1...30)
    let context = stack.context()
    try context.performAndWait {
      let request: NSFetchRequest<Note> = request("Note", "words")
      request.fetchBatchSize = 10
      var notes: [Note] = []
      try stack.expect(statements: 1) { notes = try context.fetch(request) }
      try stack.expect(statements: 2) { #expect(notes[..<10].allSatisfy { $0.words.count == 2 }) }
      try stack.expect(statements: 4) { #expect(notes[10...].allSatisfy { $0.words.count == 2 }) }
    }
  }

  @Test func subEntitiesAndTargetsOfSeveralEntitiesArePrefetched() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      let keepers = ["k", "l"].map { context.insert("Keeper", ["name": $0]) }
      for (index, entity) in ["Bird", "Cat", "Lion", "Bird"].enumerated() {
        context.insert(entity, ["name": entity]).setValue(keepers[index % 2], forKey: "keeper")
      }
    }
    let context = stack.context()
    try context.performAndWait {
      let animals: [NSManagedObject] = try context.fetch(request("Animal", "keeper"))
      let keepers: [NSManagedObject] = try context.fetch(request("Keeper", "animals"))
      try stack.expect(statements: 0) {
        #expect(animals.compactMap { $0.object("keeper")?.string("name") }.sorted() == ["k", "k", "l", "l"])
        let names = keepers.flatMap { ($0.value(forKey: "animals") as? Set<NSManagedObject>) ?? [] }
        #expect(names.compactMap { $0.string("name") }.sorted() == ["Bird", "Bird", "Cat", "Lion"])
      }
    }
  }

  @Test func aPathThatIsNoRelationshipIsAnError() throws {
    let context = try TestStack().context()
    context.performAndWait {
      for path in ["title", "words.term", "nothing", "words.nothing", ""] {
        let error = caught { let _: [Note] = try context.fetch(request("Note", path)) }
        #expect(error?.localizedDescription.contains("\"\(path)\"") == true, "\(path)")
      }
    }
  }
}

/// S7.1, for a file that something else has changed.
@Suite struct PrefetchWithoutIndexTests {
  // Without the index SQLite finds the words in the order of their own keys.
  @Test func membersComeToTheirOwnersHoweverSQLiteFindsThem() throws {
    let stack = try TestStack()
    try stack.change { context in
      let notes = (Int64(1)...3).map { context.insertNote($0, words: []) }
      for number in 0..<12 {
        let word = context.insert("Word", ["term": "w\(number)"])
        word.setValue(notes[number % 3], forKey: "note")
      }
    }
    let index = try stack.sql("SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'ZWORD_ZNOTE%'")
    try #require(index.count == 1)
    try Connection.write(stack.url, "DROP INDEX \(index[0])")
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = ["words"]
    let context = stack.context()
    try context.performAndWait {
      let notes: [Note] = try context.fetch(request)
      try stack.expect(statements: 0) {
        #expect(notes.count == 3 && notes.allSatisfy { $0.words.count == 4 })
        for note in notes {
          for case let word as Word in note.words { #expect(word.note === note) }
        }
      }
      context.checkInvariants()
    }
  }
}
