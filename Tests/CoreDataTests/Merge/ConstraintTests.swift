import CoreData
import Testing

/// Uniqueness constraints: notes are unique by number, and by title and date together.
@Suite struct ConstraintTests {
  private func stack() throws -> TestStack {
    try TestStack(model: Notebook.model(uniqueNotes: [["number"], ["title", "createdAt"]]))
  }

  /// Every note as "key: number title [words]", by key.
  private func notes(_ stack: TestStack) throws -> [String] {
    try stack.sql(
      """
      SELECT Z_PK || ': ' || ZNUMBER || ' ' || ifnull(ZTITLE, '-') || ' [' || (SELECT ifnull(group_concat(ZTERM, ' '), '')
      FROM (SELECT ZTERM FROM ZWORD WHERE ZNOTE = n.Z_PK ORDER BY ZTERM)) || ']' FROM ZNOTE n ORDER BY Z_PK
      """)
  }

  // S6.4
  @Test func aConstraintIsAUniqueIndexUnderApplesName() throws {
    let stack = try stack()
    #expect(
      try stack.sql("SELECT sql FROM sqlite_master WHERE name LIKE 'Z_Note_UNIQUE%' ORDER BY name") == [
        "CREATE UNIQUE INDEX Z_Note_UNIQUE_number ON ZNOTE (ZNUMBER COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_Note_UNIQUE_title_createdAt ON ZNOTE (ZTITLE COLLATE BINARY ASC, ZCREATEDAT COLLATE BINARY ASC)",
      ])
  }

  // S3.5
  @Test func theErrorPolicyFailsTheSaveAndNamesWhoCollides() throws {
    let stack = try stack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let rival = context.insertNote(1, title: "rival", words: ["b"])
      let error = try #require(caught { try context.save() })
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      let conflict = try #require(conflicts?.first)
      #expect(conflicts?.count == 1)
      #expect(conflict.constraint == ["number"])
      #expect(conflict.constraintValues["number"] as? Int64 == 1)
      #expect(conflict.conflictingObjects == [rival])
      #expect(conflict.databaseSnapshot?["title"] as? String == "note 1")
      #expect(conflict.databaseObject?.objectID.isTemporaryID == false)
      // S3.1: the context still has all of it.
      #expect(rival.objectID.isTemporaryID)
      #expect(context.insertedObjects.count == 2)
      #expect(rival.title == "rival")
      rival.number = 2
      try context.save()
    }
    #expect(try notes(stack) == ["1: 1 note 1 [a]", "2: 2 rival [b]"])
  }

  // S3.5
  @Test func nullsNeverCollide() throws {
    let stack = try stack()
    try stack.change { context in
      for number in 1...3 { context.insertNote(Int64(number)).createdAt = Date(timeIntervalSinceReferenceDate: 1) }
    }
    #expect(try notes(stack).count == 3)
  }

  static let insertedAgainstARow: [(NSMergePolicyType, String)] = [
    (.mergeByPropertyStoreTrumpMergePolicyType, "1: 1 note 1 [a b]"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "1: 1 rival [a b]"),
    (.overwriteMergePolicyType, "1: 1 rival [a b]"),
    (.rollbackMergePolicyType, "1: 1 note 1 [a b]"),
  ]

  // S3.5: the row keeps its key, and no word is lost.
  @Test(arguments: insertedAgainstARow) func anInsertedObjectCollidesWithARow(
    policy: NSMergePolicyType, row: String
  ) throws {
    let stack = try stack()
    let saved = try stack.seed(1...1, words: ["a"])[0]
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let rival = context.insertNote(1, title: "rival", words: ["b"])
      let word = try #require(rival.words.first as? Word)
      try context.save()
      #expect(rival.managedObjectContext == nil)
      #expect(word.note?.objectID == saved)
      #expect(!context.hasChanges)
      #expect(try context.notes().map(\.objectID) == [saved])
    }
    #expect(try notes(stack) == [row])
  }

  // S3.5: only values that were set are merged; overwriting takes the whole object.
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, "note 1"), (.overwriteMergePolicyType, "NULL"),
  ]) func whatAnInsertedObjectNeverSet(policy: NSMergePolicyType, title: String) throws {
    let stack = try stack()
    try stack.seed(1...1)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let rival = Note(context: context)
      rival.number = 1
      rival.createdAt = Date(timeIntervalSinceReferenceDate: 9)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == [title])
    #expect(try stack.sql("SELECT CAST(ZCREATEDAT AS INTEGER) FROM ZNOTE") == ["9"])
  }

  static let insertedTwice: [(NSMergePolicyType, String)] = [
    (.mergeByPropertyStoreTrumpMergePolicyType, "1 first [a b]"),
    (.mergeByPropertyObjectTrumpMergePolicyType, "1 second [a b]"),
    (.overwriteMergePolicyType, "1 second [a b]"),
    (.rollbackMergePolicyType, "1 first [a b]"),
  ]

  // S3.5
  @Test(arguments: insertedTwice) func twoInsertedObjectsCollide(policy: NSMergePolicyType, row: String) throws {
    let stack = try stack()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      context.insertNote(1, title: "first", words: ["a"])
      context.insertNote(1, title: "second", words: ["b"])
      try context.save()
      #expect(try context.notes().count == 1)
    }
    #expect(try notes(stack).map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [row])
  }

  static let changedAgainstARow: [(NSMergePolicyType, [String])] = [
    (.mergeByPropertyStoreTrumpMergePolicyType, ["1: 1 note 1 [a]", "2: 2 changed [a]"]),
    (.mergeByPropertyObjectTrumpMergePolicyType, ["2: 1 changed [a]"]),
    (.overwriteMergePolicyType, ["2: 1 changed [a]"]),
    (.rollbackMergePolicyType, ["1: 1 note 1 [a]", "2: 2 note 2 [a]"]),
  ]

  // S3.5
  @Test(arguments: changedAgainstARow) func aChangedObjectCollidesWithARow(
    policy: NSMergePolicyType, rows: [String]
  ) throws {
    let stack = try stack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let note = try context.note(2)
      note.number = 1
      note.title = "changed"
      try context.save()
      #expect(!context.hasChanges)
    }
    #expect(try notes(stack) == rows)
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)") == ["0"])
  }

  // S3.5: the word has nothing of its own to save then, and is the owner of a member that is deleted here and came later.
  @Test func aWordThatGivesWayLosesAMember() throws {
    let model = Notebook.model()
    model.entitiesByName["Word"]?.uniquenessConstraints = [["term"]]
    let stack = try TestStack(model: model)
    try stack.seed(1...1, words: ["a", "b"])
    try stack.change { _ = $0.insert("Tag", [:]) }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.rollback
    func second(_ context: NSManagedObjectContext) throws -> Word {
      try #require(context.note(1).words.compactMap { $0 as? Word }.first { $0.term == "b" })
    }
    try context.performAndWait {
      let tag = try #require(try context.all("Tag").first)
      context.delete(tag)
      context.processPendingChanges()
      try stack.change { try second($0).tags = [try #require(try $0.all("Tag").first)] }
      context.refreshAllObjects()
      let word = try second(context)
      word.term = "a"
      try context.save()
      #expect(word.term == "b")
      #expect(word.tags.isEmpty)
    }
  }

  // S3.5: the order of a save's statements violates nothing.
  @Test func valuesMayGoFromOneObjectToAnotherInOneSave() throws {
    let stack = try stack()
    try stack.seed(1...3)
    try stack.change { context in
      let (first, second) = (try context.note(1), try context.note(2))
      (first.number, second.number) = (second.number, first.number)
      context.delete(try context.note(3))
      context.insertNote(3, title: "new 3")
    }
    #expect(try notes(stack) == ["1: 2 note 1 []", "2: 1 note 2 []", "4: 3 new 3 []"])
  }

  // S3.3, S3.5: both kinds of conflict in one save.
  @Test func aStaleObjectAndADuplicateAreResolvedTogether() throws {
    let stack = try stack()
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      let stale = try context.note(2)
      #expect(stale.title == "note 2")
      try stack.change { try $0.note(2).title = "elsewhere" }
      stale.title = "here"
      context.insertNote(1, title: "rival")
      try context.save()
    }
    #expect(try notes(stack) == ["1: 1 rival [a]", "2: 2 here [a]"])
  }

  /// Resolves as its type says, and then fails the save.
  private final class FailingPolicy: NSMergePolicy, @unchecked Sendable {
    // Sendable: nothing changes after `init`.
    override func resolve(mergeConflicts list: [Any]) throws {
      try super.resolve(mergeConflicts: list)
      throw CocoaError(.fileWriteUnknown)
    }
  }

  // S3.1
  @Test(arguments: [1, 2, 3, 4] as [UInt]) func aSaveThatFailsAfterItsPolicyResolvedLeavesTheContextAsItWas(
    type: UInt
  ) throws {
    let stack = try stack()
    try stack.seed(1...4, words: ["a"])
    let before = try notes(stack)
    let context = stack.context()
    try context.performAndWait {
      let (first, second, third, fourth) = (
        try context.note(1), try context.note(2), try context.note(3), try context.note(4)
      )
      let moved = try #require(first.words.first as? Word)
      for note in [first, second, third, fourth] { _ = note.title }
      try stack.change {
        try $0.note(2).title = "elsewhere"
        $0.delete(try $0.note(3))
        try $0.note(4).title = "elsewhere too"
      }
      second.title = "here"
      moved.note = second
      third.title = "kept"
      context.delete(fourth)
      let rival = context.insertNote(1, title: "rival", words: ["b"])
      // Delete rules are followed whether the save succeeds or not.
      context.processPendingChanges()
      let picture = Picture(context, [first, second, third, fourth, rival, moved])
      context.mergePolicy = FailingPolicy(merge: try #require(NSMergePolicyType(rawValue: type)))
      let error = try #require(caught { try context.save() })
      #expect(error.code == CocoaError.fileWriteUnknown.rawValue)
      #expect(Picture(context, [first, second, third, fourth, rival, moved]) == picture)
      // The same save, by a policy that does not fail.
      context.mergePolicy = NSMergePolicy(merge: try #require(NSMergePolicyType(rawValue: type)))
      try context.save()
    }
    #expect(try notes(stack) != before)
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)") == ["0"])
  }

  /// The visible state of objects and of their context's sets.
  private struct Picture: Equatable {
    let sets: [Set<NSManagedObject>]
    let states: [[Bool]]
    let ids: [NSManagedObjectID]
    let values: [String]

    init(_ context: NSManagedObjectContext, _ objects: [NSManagedObject]) {
      sets = [context.insertedObjects, context.updatedObjects, context.deletedObjects]
      states = objects.map { [$0.isInserted, $0.isUpdated, $0.isDeleted, $0.isFault, $0.managedObjectContext != nil] }
      ids = objects.map(\.objectID)
      values = objects.map { object in
        switch object {
        case let note as Note:
          "\(note.number) \(note.title ?? "") \(note.words.map { "\($0.objectID)" }.sorted()) "
            + "\(note.changedValues().keys.sorted())"
        case let word as Word: "\(word.term ?? "") \(word.note.map { "\($0.objectID)" } ?? "-")"
        default: ""
        }
      }
    }
  }

  static let siblings: [(NSMergePolicyType, String)] = [
    (.mergeByPropertyStoreTrumpMergePolicyType, "4 4.0"), (.mergeByPropertyObjectTrumpMergePolicyType, "4 7.0"),
    (.overwriteMergePolicyType, "- 7.0"),
  ]

  // S3.5: of two entities with one parent each has properties that the other has not.
  @Test(arguments: siblings) func anInsertedObjectCollidesWithARowOfASibling(
    policy: NSMergePolicyType, legsAndWeight: String
  ) throws {
    let stack = try zoo()
    try stack.change { context in
      context.insert(
        "Bird", ["name": "Leo", "legs": 4, "weight": 4.0, "voice": "tweet", "wingspan": 0.5])
    }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let keeper = context.insert("Keeper", ["name": "Mia"])
      let lion = context.insert("Lion", ["name": "Leo", "weight": 7.0, "voice": "roar", "lives": 9, "pride": 12])
      lion.setValue(keeper, forKey: "keeper")
      try context.save()
      #expect(lion.managedObjectContext == nil)
      #expect(!context.hasChanges)
    }
    let columns = ["ZLEGS", "ZWEIGHT", "ZWINGSPAN", "ZVOICE", "ZVOICE1", "ZLIVES", "ZPRIDE"]
    let row = columns.map { "ifnull(\($0), '-')" }.joined(separator: " || ' ' || ")
    #expect(try stack.sql("SELECT \(row) FROM ZANIMAL") == ["\(legsAndWeight) 0.5 tweet - - -"])
  }

  // S3.5: nor does the order in which they were inserted matter.
  @Test(arguments: [["Bird", "Lion"], ["Lion", "Bird"]]) func twoInsertedSiblingsCollide(entities: [String]) throws {
    let stack = try zoo()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    let own: [String: [String: Any]] = [
      "Bird": ["name": "Leo", "voice": "tweet", "wingspan": 0.5, "legs": 2],
      "Lion": ["name": "Leo", "voice": "roar", "lives": 9, "pride": 12, "weight": 7.0],
    ]
    try context.performAndWait {
      let objects = entities.map { context.insert($0, own[$0] ?? [:]) }
      try context.save()
      #expect(objects.filter { $0.managedObjectContext != nil } == [objects[1]])
      let survivor = objects[1]
      #expect(survivor.value(forKey: "legs") as? Int16 == 2)
      #expect(survivor.value(forKey: "weight") as? Double == 7)
      #expect(survivor.string("voice") == own[entities[1]]?["voice"] as? String)
      #expect(try context.all("Animal") == [survivor])
    }
  }

  /// Animals are unique by name, whatever their kind.
  private func zoo() throws -> TestStack {
    let model = Zoo.model()
    model.entitiesByName["Animal"]?.uniquenessConstraints = [["name"]]
    return try TestStack(model: model)
  }

  // S3.6: a property that goes back to its saved value goes back on both sides.
  @Test func aToOneOfAConstraintGoesBackOnBothSides() throws {
    let model = Notebook.model()
    model.entitiesByName["Word"]?.uniquenessConstraints = [["note", "term"]]
    let stack = try TestStack(model: model)
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      let (own, moved) = (try #require(first.words.first as? Word), try #require(second.words.first as? Word))
      moved.note = first
      try context.save()
      #expect(moved.note === second)
      #expect(first.words == [own])
      #expect(second.words == [moved])
    }
    #expect(try stack.sql("SELECT count(DISTINCT ZNOTE) FROM ZWORD") == ["2"])
  }
}
