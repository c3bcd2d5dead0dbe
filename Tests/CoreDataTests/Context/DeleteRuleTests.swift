import CoreData
import Testing

@Suite(.everyStore) struct DeleteRuleTests {
  // S8.1
  @Test func cascadeDeletesTheOtherSide() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a", "b"])
    try stack.change { $0.delete(try $0.note(1)) }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["2", "2"])
  }

  // S8.1
  @Test func cascadeIsFollowedWhenChangesAreProcessed() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      context.delete(try context.note(1))
      #expect(context.deletedObjects.count == 1)
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 3)
      #expect(try context.words().isEmpty)
    }
  }

  // S8.1
  @Test func nullifyClearsTheOtherSide() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let word = try context.words()[0]
      #expect(word.note?.number == 1)
      context.delete(try context.note(1))
      context.processPendingChanges()
      #expect(word.note == nil)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["NULL"])
  }

  // S8.1: an object that was never saved is denied nothing, and is no member of its owner afterwards.
  @Test func whatWasNeverSavedLeavesItsOwnerThoughARuleDenies() throws {
    let model = Notebook.model()
    model.entitiesByName["Word"]?.relationshipsByName["note"]?.deleteRule = .denyDeleteRule
    let stack = try TestStack(model: model)
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      let word = try #require(
        NSEntityDescription.insertNewObject(forEntityName: "Word", into: context) as? Word)
      word.note = note
      context.processPendingChanges()
      context.delete(word)
      context.processPendingChanges()
      #expect(note.words.count == 1)
      try context.save()
      #expect(note.words.count == 1)
    }
  }

  // S8.1: a member that came to its owner in another context's save, which this one has not merged.
  @Test func nullifyClearsAMemberThatIsKnownElsewhere() throws {
    let stack = try TestStack(model: Notebook.model(wordsRule: .nullifyDeleteRule))
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let word = try #require(try context.note(2).words.first as? Word)
      #expect(word.note?.number == 2)
      try stack.change { other in
        let moved = try #require(other.object(with: word.objectID) as? Word)
        moved.note = try other.note(1)
      }
      let number = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      number.resultType = .managedObjectIDResultType
      number.predicate = NSPredicate(format: "number == 1")
      context.delete(context.object(with: try #require(try context.fetch(number).first)))
      try context.save()
      #expect(word.note == nil)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE IS NULL") == ["2"])
  }

  // S8.1
  @Test func deletingTheManySideTakesItOutOfTheToMany() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.words.count == 2)
      context.delete(try context.words()[0])
      context.processPendingChanges()
      #expect(note.words.count == 1)
      try context.save()
      #expect(note.words.count == 1)
    }
  }

  // S8.1
  @Test func deletingTakesRowsOutOfJoinTables() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let words = (0..<2).map { _ in Word(context: context) }
      let tags = ["x", "y"].map { context.insert("Tag", ["name": $0, "words": Set(words)]) }
      try context.save()
      context.delete(tags[0])
      context.delete(words[0])
      try context.save()
      #expect(words[1].tags == [tags[1]])
    }
    #expect(try stack.sql("SELECT count(*) FROM Z_2WORDS") == ["1"])
  }

  // S8.1
  @Test func cascadesInACircleEnd() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change {
      let badge = $0.insert("Badge", ["code": 1])
      $0.insert("Keeper", ["name": "Anna", "badge": badge])
    }
    try stack.change { $0.delete(try $0.all("Badge")[0]) }
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["0"])
    #expect(try stack.sql("SELECT count(*) FROM ZBADGE") == ["0"])
  }

  /// A keeper with one bird; deleting the keeper is denied.
  private func denied(
    _ body: (NSManagedObjectContext, _ keeper: NSManagedObject, _ bird: NSManagedObject) throws -> Void
  )
    throws -> TestStack
  {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { $0.insert("Bird", ["name": "Tweety", "keeper": $0.insert("Keeper", ["name": "Anna"])]) }
    let context = stack.context()
    try context.performAndWait {
      let (keeper, bird) = (try context.all("Keeper")[0], try context.all("Bird")[0])
      context.delete(keeper)
      let error = caught { try context.save() }
      #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
      #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === keeper)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "animals")
      #expect(error?.userInfo[NSValidationValueErrorKey] as? Set<NSManagedObject> == [bird])
      #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["1"])
      try body(context, keeper, bird)
    }
    return stack
  }

  // S8.1
  @Test func denyNamesTheObjectsInTheWay() throws { _ = try denied { _, _, _ in } }

  // S8.1
  @Test func aDeniedDeleteGoesThroughOnceTheObstacleIsDeleted() throws {
    let stack = try denied { context, _, bird in
      context.delete(bird)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["0"])
  }

  // S8.1
  @Test func aDeniedDeleteGoesThroughOnceTheObstacleHasLeft() throws {
    let stack = try denied { context, _, bird in
      bird.setValue(nil, forKey: "keeper")
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZKEEPER") == ["0"])
    #expect(try stack.sql("SELECT ZNAME FROM ZANIMAL") == ["Tweety"])
  }

  // S8.1
  @Test func aDeniedDeleteCanBeRolledBack() throws {
    let stack = try denied { context, keeper, bird in
      context.rollback()
      #expect(keeper.objects("animals") == [bird])
      bird.setValue("Birdie", forKey: "name")
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZANIMAL") == ["Birdie"])
  }

  // S8.2
  @Test func aRealisedObjectKeepsItsValuesAfterItsRowWasDeletedElsewhere() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1, words: ["a"])[0]
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.title == "note 1")
      try stack.change { $0.delete(try $0.note(1)) }
      #expect(note.title == "note 1")
      #expect(!note.isDeleted)
      #expect(try context.existingObject(with: id) === note)
      context.refresh(note, mergeChanges: false)
      #expect(note.title == nil)
      #expect(note.isDeleted)
    }
  }
}
