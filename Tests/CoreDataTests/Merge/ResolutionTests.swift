import CoreData
import Testing

/// The further steps of a save after a merge policy has decided: its changes to some objects concern others.
@Suite(.everyStore) struct ResolutionTests {
  // MARK: Rules of the model

  // S3.5, S8.1: the other row is deleted under its delete rules, of which one forbids it.
  @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
  func aRowWhoseDeletionIsDeniedStays(policy: NSMergePolicy) throws {
    let model = Zoo.model()
    model.entitiesByName["Keeper"]?.uniquenessConstraints = [["name"]]
    let stack = try TestStack(model: model)
    try stack.change { context in
      context.insert("Bird").setValue(context.insert("Keeper", ["name": "Mia"]), forKey: "keeper")
      context.insert("Keeper", ["name": "Tom"])
    }
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let keeper = try context.named("Keeper", "Tom")
      keeper.setValue("Mia", forKey: "name")
      #expect(cocoaCode { try context.save() } == NSValidationRelationshipDeniedDeleteError)
      #expect(context.updatedObjects == [keeper] && context.deletedObjects.isEmpty)
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZKEEPER ORDER BY Z_PK") == ["Mia", "Tom"])
  }

  /// Notes, with words that must have one.
  private func strict(_ uniqueNotes: [[String]] = []) throws -> TestStack {
    let model = Notebook.model(wordsRule: .nullifyDeleteRule, uniqueNotes: uniqueNotes)
    model.entitiesByName["Word"]?.relationshipsByName["note"]?.isOptional = false
    return try TestStack(model: model)
  }

  // S3.1, S3.5
  @Test func whatAConstraintEmptiesIsValidated() throws {
    let stack = try strict([["number"]])
    try stack.seed(1...2, words: ["a"])
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      try context.note(2).number = 1
      #expect(cocoaCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
    }
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD ORDER BY Z_PK") == ["1", "2"])
  }

  // S3.1, S3.4: the note goes, and its new word cannot be without one.
  @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .rollback])
  func whatLosesADeletedRowIsValidated(policy: NSMergePolicy) throws {
    let stack = try strict()
    try stack.seed(1...1)
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      let word = Word(context: context)
      word.note = note
      try stack.change { $0.delete(try $0.note(1)) }
      #expect(cocoaCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
      #expect(word.note === note && context.insertedObjects == [word])
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["0"])
  }

  // MARK: Other objects

  // S2.6, S3.5: one side of a one-to-one relationship gets its saved values back.
  @Test func bothSidesAgreeAfterAConstraintGaveOneItsPartnerBack() throws {
    let model = Zoo.model()
    model.entitiesByName["Keeper"]?.uniquenessConstraints = [["name"]]
    let stack = try TestStack(model: model)
    try stack.change { context in
      context.insert("Keeper", ["name": "Mia"]).setValue(context.insert("Badge", ["code": 1]), forKey: "badge")
      for name in ["Tom", "Ute"] { context.insert("Keeper", ["name": name]) }
    }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.rollback
    try context.performAndWait {
      let (mia, tom) = (try context.named("Keeper", "Mia"), try context.named("Keeper", "Tom"))
      tom.setValue(mia.object("badge"), forKey: "badge")
      mia.setValue("Ute", forKey: "name")
      try context.save()
    }
    #expect(
      try stack.sql(
        """
        SELECT count(*) FROM ZKEEPER k JOIN ZBADGE b ON b.Z_PK = k.ZBADGE WHERE b.ZKEEPER IS NOT k.Z_PK
        """) == ["0"])
  }

  // S3.5: members of a relationship without inverse lead to the object that stays.
  @Test(arguments: [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump], [false, true])
  func aMemberThatCollidesIsExchanged(policy: NSMergePolicy, isOrdered: Bool) throws {
    let (box, stamp) = (Notebook.entity("Box", NSManagedObject.self), Notebook.entity("Stamp", NSManagedObject.self))
    let stamps =
      isOrdered ? Library.ordered("stamps", to: stamp) : Notebook.relationship("stamps", to: stamp, maxCount: 0)
    box.properties = [stamps]
    stamp.properties = [Notebook.attribute("name", .stringAttributeType)]
    stamp.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [box, stamp]
    let stack = try TestStack(model: model)
    try stack.change { $0.insert("Stamp", ["name": "b"]) }
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      let box = context.insert("Box")
      let new = ["a", "b", "c"].map { context.insert("Stamp", ["name": $0]) }
      box.setValue(isOrdered ? NSOrderedSet(array: new) as Any : Set(new), forKey: "stamps")
      try context.save()
      context.refresh(box, mergeChanges: false)
      let names = (box.value(forKeyPath: "stamps.name") as? NSOrderedSet)?.array as? [String]
      if isOrdered { #expect(names == ["a", "b", "c"]) }
      #expect(box.objectIDs(forRelationshipNamed: "stamps").count == 3)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZSTAMP") == ["3"])
  }

  // S7.5: a controller no longer lists the row that was deleted.
  @Test func aControllerSeesWhatAConstraintDeleted() throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...2)
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = Delegate()
      controller.delegate = delegate
      try controller.performFetch()
      let note = try context.note(2)
      note.number = 1
      try context.save()
      #expect(controller.fetchedObjects == [note])
      withExtendedLifetime(delegate) {}
    }
  }

  // MARK: Policies of a program

  /// Gives up whatever is in conflict.
  private final class Deleting: NSMergePolicy, @unchecked Sendable {
    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
      for conflict in list { conflict.conflictingObjects.forEach { $0.managedObjectContext?.delete($0) } }
      try super.resolve(constraintConflicts: list)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      for conflict in list { conflict.sourceObject.managedObjectContext?.delete(conflict.sourceObject) }
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  // S3.4, S8.1: an object that a policy deletes goes with all that its delete rules reach.
  @Test func aPolicyMayDelete() throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...2, words: ["a", "b"])
    let context = stack.context()
    context.mergePolicy = Deleting(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    try context.performAndWait {
      let rival = context.insertNote(1, title: "rival", words: ["c"])
      try context.note(2).title = "here"
      try stack.change { try $0.note(2).title = "there" }
      try context.save()
      #expect(rival.managedObjectContext == nil && !context.hasChanges)
      #expect(try context.notes().map(\.title) == ["note 1"] && context.words().map(\.term) == ["a", "b"])
    }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["note 1"])
    #expect(try stack.sql("SELECT ZNOTE FROM ZWORD") == ["1", "1"])
  }
}
