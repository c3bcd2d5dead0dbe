import Testing

@testable import CoreData
@testable import RowStore

/// S7.1: members of many objects, which are read with their whole table where they are most of it.
@Suite(.everyStore) struct MemberScanTests {
  /// Notes with words in turn, so that no note's words follow each other in the table; words without a note among them.
  private func notebook(_ notes: Int, words: Int) throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      let made = (0..<notes).map { context.insertNote(Int64($0)) }
      for number in 0..<notes * words {
        let word = context.insert("Word", ["term": "\(number % notes)"])
        word.setValue(made[number % notes], forKey: "note")
        if number.isMultiple(of: 7) { _ = context.insert("Word", ["term": "of no note"]) }
      }
    }
    return stack
  }

  private func fetch(_ stack: TestStack, below number: Int, words: Int, statements: Int) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "number < %ld", number)
    request.relationshipKeyPathsForPrefetching = ["words"]
    let context = stack.context()
    try context.performAndWait {
      var notes: [Note] = []
      try stack.expect(statements: statements) { notes = try context.fetch(request) }
      #expect(notes.count == number)
      try stack.expect(statements: 0) {
        for note in notes {
          #expect(note.words.count == words)
          for case let word as Word in note.words { #expect(word.term == "\(note.number)" && word.note === note) }
        }
      }
      context.checkInvariants()
    }
  }

  // The fetch, an estimate, and the table.
  @Test func membersOfAllObjectsAreReadWithTheirTable() throws {
    try fetch(notebook(250, words: 4), below: 250, words: 4, statements: 3)
  }

  @Test func rowsOfOtherOwnersAreLeftOut() throws {
    let stack = try notebook(100, words: 4)
    let context = stack.context()
    let keys = try context.performAndWait { try context.notes().filter { $0.number % 9 != 3 }.map(\.key).sorted() }
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first?.sqlite)
    let words = try #require(
      stack.container.managedObjectModel.entitiesByName["Note"]?.layout?.propertiesByName["words"])
    try stack.expect(statements: 2) {
      let members = try store.readMembers(of: keys, words)
      #expect(members.owners == keys.flatMap { [$0, $0, $0, $0] })
      #expect(
        zip(members.rows, members.rows.dropFirst()).map { $0.key < $1.key }.filter { !$0 }.count == keys.count - 1)
    }
  }

  // The fetch, an estimate, and two hundreds of owners.
  @Test func membersThatAreFewAreReadByTheIndex() throws {
    try fetch(notebook(1000, words: 2), below: 150, words: 2, statements: 4)
  }

  @Test func anEmptyTableHasNoMembers() throws {
    try fetch(notebook(150, words: 0), below: 150, words: 0, statements: 3)
  }

  @Test func aCascadeTakesWhatAnotherContextAdded() throws {
    let stack = try notebook(100, words: 3)
    let context = stack.context()
    try context.performAndWait {
      let notes: [Note] = try context.fetch(NSFetchRequest(entityName: "Note"))
      try stack.change { other in
        let note = try #require(other.notes().first { $0.number == 99 })
        other.insert("Word", ["term": "late"]).setValue(note, forKey: "note")
      }
      notes.forEach(context.delete)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
    #expect(try stack.sql("SELECT DISTINCT ZTERM FROM ZWORD") == ["of no note"])
  }
}

/// Rows that are read only to be deleted: their texts are strings once they are asked for.
@Suite(.everyStore) struct LastRowTests {
  private static let terms: [String?] = [
    nil, "", "kurz", "länger als fünfzehn Bytes", String(repeating: "lang und länger ", count: 40), "ㅎ",
  ]

  private func notebook() throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      for number in 1...2 {
        let note = context.insertNote(Int64(number))
        for term in Self.terms {
          let word = context.insert("Word")
          word.setValue(term, forKey: "term")
          word.setValue(note, forKey: "note")
        }
      }
    }
    return stack
  }

  private func deleteAll(_ context: NSManagedObjectContext) throws {
    for note in try context.notes() { context.delete(note) }
    context.processPendingChanges()
  }

  private func expectTexts(_ words: some Collection<NSManagedObject>) {
    #expect(words.count == 2 * Self.terms.count)
    for term in Self.terms { #expect(words.filter { $0.string("term") == term }.count == 2) }
  }

  // S8.3
  @Test func theTextsOfWhatWentWithItsOwnerStayReadable() throws {
    let context = try notebook().context()
    try context.performAndWait {
      try deleteAll(context)
      let words = context.deletedObjects.filter { $0.entity.name == "Word" }
      expectTexts(words)
      try context.save()
      expectTexts(words)
    }
  }

  // S9.1: changed afterwards, such a row is written as any other.
  @Test func theTextsComeBackWithAnUndoneDeletion() throws {
    let stack = try notebook()
    let context = stack.context()
    context.undoManager = UndoManager()
    try context.performAndWait {
      try deleteAll(context)
      context.undo()
      let words = try context.words()
      expectTexts(words)
      for word in words { word.level += 1 }
      expectTexts(words)
      try context.save()
    }
    let other = stack.context()
    try other.performAndWait { expectTexts(try other.words()) }
  }

  @Test func theirRowsHaveTheValuesOfOthers() throws {
    let stack = try notebook()
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first?.sqlite)
    let entities = stack.container.managedObjectModel.entitiesByName
    let words = try #require(entities["Note"]?.layout?.propertiesByName["words"])
    let term = try #require(entities["Word"]?.layout?.propertiesByName["term"]).index
    let rows = try store.readMembers(of: [1, 2].compactMap(store.tag.key), words, areLast: true).rows
    #expect(rows.map { $0.values.string(term) } == Self.terms + Self.terms)
    #expect(rows.map { $0[term] } == (Self.terms + Self.terms).map { $0.map(Slot.string) ?? .null })
    for row in rows {
      let copy = row.mutableCopy()
      #expect(copy.hasValues(of: row))
      copy[term] = .string("another")
      #expect(!copy.hasValues(of: row))
    }
  }
}

@Suite struct KeySetTests {
  @Test func noKeysAreASetWithoutAny() {
    let set = KeySet([])
    #expect(![Int64.min, -1, 0, 1, .max].contains { set.contains($0) })
  }

  @Test(
    arguments: [
      [5], [1, 2, 3, 64, 65, 127, 128], [-70, -1, 0, 3], [1, 1_000_000], [.min, 0, .max], [3, 3, 2], [.max], [.min],
    ] as [[Int64]])
  func itHasItsKeysAndNoOthers(keys: [Int64]) {
    let set = KeySet(keys)
    #expect(set.bounds == keys.min()!...keys.max()!)
    for key in keys {
      #expect(set.contains(key))
      for other in [key &- 1, key &+ 1, key &+ 64, key &- 64, key ^ 1 << 40] {
        #expect(set.contains(other) == keys.contains(other))
      }
    }
  }
}
