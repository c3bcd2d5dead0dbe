import CoreData
import Testing

/// When all is saved and merged, every context has the file's values, whatever a merge policy, a refresh or a parent dropped.
@Suite struct AgreementTests {
  /// Keepers "a", "b" and "c" and the cat "tom", kept by "a".
  private func zoo() throws -> TestStack {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for name in ["a", "b", "c"] { context.insert("Keeper", ["name": name]) }
      context.insert("Cat", ["name": "tom"]).setValue(try keeper("a", context), forKey: "keeper")
    }
    return stack
  }

  private func keeper(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.all("Keeper", where: "name", is: name).first)
  }

  private func tom(_ context: NSManagedObjectContext) throws -> NSManagedObject {
    try #require(try context.all("Cat").first)
  }

  // S2.4, S2.6: the newer row came under the move, so that nobody but the rollback can tell its owner.
  @Test func aMemberIsBackWithTheOwnerOfItsNewerRowAfterRollback() throws {
    let stack = try TestStack(model: Zoo.model())
    try stack.change { context in
      for name in ["a", "b"] { context.insert("Keeper", ["name": name]) }
      context.insert("Cat", ["name": "tom"])
    }
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    try context.performAndWait {
      let cat = try tom(context)
      cat.setValue(try keeper("a", context), forKey: "keeper")
    }
    try stack.change { other in try tom(other).setValue(try keeper("b", other), forKey: "keeper") }
    try context.performAndWait {
      let b = try keeper("b", context)
      #expect(b.names("animals").isEmpty)
      context.rollback()
      #expect(b.names("animals") == ["tom"])
    }
  }

  private static let keepingPolicies: [NSMergePolicyType] = [
    .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
  ]

  // S3.4: an object that is written as it is here adopts its row, and with it the properties it never changed: its members.
  @Test(arguments: keepingPolicies) func membersAreReadAgainAfterAPolicyWroteTheirOwner(policy: NSMergePolicyType)
    throws
  {
    let stack = try zoo()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let a = try keeper("a", context)
      #expect(a.names("animals") == ["tom"] && a.names("mentors").isEmpty)
      try stack.change { other in
        let a = try keeper("a", other)
        a.mutableSetValue(forKey: "animals").add(other.insert("Cat", ["name": "tim"]))
        a.mutableSetValue(forKey: "mentors").add(try keeper("b", other))
      }
      a.setValue("A", forKey: "name")
      try context.save()
      #expect(a.names("animals") == ["tim", "tom"])
      #expect(a.names("mentors") == ["b"])
    }
  }

  // S3.3, S3.5: the owner's own changes are dropped, and the member that came to it is saved.
  @Test func anOwnerWhoseChangesAPolicyDropsCountsAsChangedByItsMember() throws {
    let stack = try TestStack(model: Notebook.model(uniqueNotes: [["number"]]))
    try stack.seed(1...2)
    let (context, reader) = (stack.context(), stack.context("reader"))
    context.mergePolicy = NSMergePolicy.rollback
    reader.automaticallyMergesChangesFromParent = true
    try reader.performAndWait {
      let note = try reader.note(1)
      #expect(note.words.isEmpty)
      try context.performAndWait {
        let note = try context.note(1)
        Word(context: context).note = note
        note.number = 2
        try context.save()
        #expect(note.number == 1)
      }
      reader.performAndWait {}
    }
    try reader.performAndWait {
      let words = try reader.note(1).words
      #expect(words.count == 1)
    }
  }

  // S3.3, S3.4: the saving context does not know the owner that the newest row takes it from.
  @Test(arguments: keepingPolicies, [true, false])
  func whoseMemberAPolicyMovesAwayCountsAsChanged(policy: NSMergePolicyType, isFault: Bool) throws {
    let stack = try zoo()
    let (context, reader) = (stack.context(), stack.context("reader"))
    context.mergePolicy = NSMergePolicy(merge: policy)
    reader.automaticallyMergesChangesFromParent = true
    let own = try context.performAndWait { () -> NSManagedObject in
      let tom = try tom(context)
      _ = tom.object("keeper")
      return tom
    }
    try reader.performAndWait {
      let (tom, b) = (try tom(reader), try keeper("b", reader))
      tom.setValue(b, forKey: "keeper")
      try reader.save()
      #expect(b.names("animals") == ["tom"])
      if isFault { reader.refresh(tom, mergeChanges: false) }
    }
    try context.performAndWait {
      own.setValue(try keeper("c", context), forKey: "keeper")
      try context.save()
    }
    try reader.performAndWait {
      let (b, c) = (try keeper("b", reader), try keeper("c", reader))
      #expect(b.names("animals").isEmpty)
      #expect(c.names("animals") == ["tom"])
    }
  }

  // S3.3, S2.4: a refresh drops the owner's side of a change that is its member's, too.
  @Test func anOwnerThatWasRefreshedCountsAsChangedByItsMember() throws {
    let stack = try zoo()
    let (context, reader) = (stack.context(), stack.context("reader"))
    reader.automaticallyMergesChangesFromParent = true
    try reader.performAndWait {
      let b = try keeper("b", reader)
      #expect(b.names("animals").isEmpty)
    }
    try context.performAndWait {
      let b = try keeper("b", context)
      try tom(context).setValue(b, forKey: "keeper")
      context.refresh(b, mergeChanges: false)
      try context.save()
    }
    try reader.performAndWait {
      let b = try keeper("b", reader)
      #expect(b.names("animals") == ["tom"])
    }
  }

  // S3.1: nothing of the owner was to be saved, so that no conflict tells that its row is gone.
  @Test func aMemberOfARefreshedOwnerThatIsGoneIsRefused() throws {
    let stack = try zoo()
    let context = stack.context()
    try context.performAndWait {
      let b = try keeper("b", context)
      try tom(context).setValue(b, forKey: "keeper")
      context.refresh(b, mergeChanges: false)
      try stack.change { $0.delete(try keeper("b", $0)) }
      #expect(cocoaCode { try context.save() } == NSManagedObjectValidationError)
    }
    #expect(try stack.sql("SELECT count(*) FROM ZANIMAL WHERE ZKEEPER NOT IN (SELECT Z_PK FROM ZKEEPER)") == ["0"])
  }

  // S3.4: an object that comes back leads to no object that has gone since.
  @Test(arguments: keepingPolicies) func whoIsInsertedAgainLeadsToNobodyThatIsGone(policy: NSMergePolicyType) throws {
    let stack = try zoo()
    try stack.change { context in
      let a = try keeper("a", context)
      a.setValue(try tom(context), forKey: "favourite")
      a.mutableSetValue(forKey: "friends").addObjects(from: [a, try keeper("b", context)])
    }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let a = try keeper("a", context)
      #expect(a.object("favourite") != nil && a.names("friends") == ["a", "b"])
      try stack.change { other in
        let a = try keeper("a", other)
        other.delete(try tom(other))
        other.delete(a)
      }
      a.setValue("again", forKey: "name")
      try context.save()
      #expect(a.object("favourite") == nil)
      #expect(a.names("friends").isEmpty && a.names("animals").isEmpty)
    }
    #expect(try stack.sql("SELECT count(ZFAVOURITE) FROM ZKEEPER") == ["0"])
  }

  // S4.4: owner, to-one relationship and list alike.
  @Test(arguments: ["keeper", "favourite", "mentors", "friends"], [false, true])
  func whatAChildRelatesToWhoWasRolledBackOrDeletedIsDropped(key: String, isSaved: Bool) throws {
    let stack = try TestStack(model: Zoo.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try parent.performAndWait {
      parent.insert("Keeper", ["name": "gone"])
      parent.insert("Cat", ["name": "gone"])
      if isSaved { try parent.save() } else { parent.processPendingChanges() }
    }
    try child.performAndWait {
      let (keeper, cat) = (try keeper("gone", child), try tom(child))
      #expect(keeper.string("name") == cat.string("name"))
      try parent.performAndWait {
        guard isSaved else { return parent.rollback() }
        for object in try parent.all("Keeper") + parent.all("Cat") { parent.delete(object) }
      }
      switch key {
      case "keeper": child.insert("Cat", ["name": "new"]).setValue(keeper, forKey: key)
      case "favourite": child.insert("Keeper", ["name": "new"]).setValue(cat, forKey: key)
      default: keeper.mutableSetValue(forKey: key).add(child.insert("Keeper", ["name": "new"]))
      }
      try child.save()
    }
    try parent.performAndWait {
      try parent.save()
      #expect(!parent.hasChanges)
      for keeper in try parent.all("Keeper") {
        for key in ["animals", "mentors", "pupils", "friends"] { #expect(keeper.objects(key).isEmpty) }
        #expect(keeper.object("favourite") == nil)
      }
      for cat in try parent.all("Cat") { #expect(cat.object("keeper") == nil && cat.objects("fans").isEmpty) }
    }
  }

  // S5.2: the deletion stays, over the row that another context has brought back.
  @Test func aDeletionOfARowThatCameBackIsOfItsNewestVersion() throws {
    let stack = try zoo()
    let (context, reviver) = (stack.context(), stack.context("reviver"))
    context.automaticallyMergesChangesFromParent = true
    reviver.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    try context.performAndWait {
      let tom = try tom(context)
      _ = tom.string("name")
      try reviver.performAndWait {
        let tom = try self.tom(reviver)
        tom.setValue(4, forKey: "legs")
        try stack.change { $0.delete(try self.tom($0)) }
        try reviver.save()
      }
      context.delete(tom)
    }
    try context.performAndWait {
      let tom = try #require(context.deletedObjects.first)
      context.rollback()
      #expect(tom.value(forKey: "legs") as? Int == 4)
    }
  }

  // S2.4: an object that undo may ask for is none until it does.
  @Test func undoKeepsNoFaultOfWhoIsGone() throws {
    let stack = try zoo()
    let context = stack.context()
    context.automaticallyMergesChangesFromParent = true
    context.undoManager = UndoManager()
    try context.performAndWait { try tom(context).setValue(try keeper("b", context), forKey: "keeper") }
    try stack.change { $0.delete(try keeper("b", $0)) }
    try context.performAndWait {
      let tom = try tom(context)
      context.processPendingChanges()
      #expect(tom.object("keeper") == nil)
      #expect(!context.registeredObjects.contains { $0.entity.name == "Keeper" && $0.string("name") == nil })
    }
  }

  // S4.5: changes that the parent was to save, and has not written.
  @Test func aChildTakesBackWhatItsParentDidNotWrite() throws {
    let stack = try zoo()
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    child.automaticallyMergesChangesFromParent = true
    let own = try child.performAndWait { () -> NSManagedObject in
      let tom = try tom(child)
      tom.setValue(3, forKey: "legs")
      try child.save()
      return tom
    }
    try parent.performAndWait {
      try tom(parent).setValue(nil, forKey: "legs")
      try keeper("a", parent).setValue("A", forKey: "name")
      try parent.save()
    }
    child.performAndWait { #expect(own.value(forKey: "legs") == nil) }
  }

  // S5.2, S8.1: no rule of the deleted object reaches a list without an inverse.
  @Test func whoIsGoneLeavesAListWithoutInverse() throws {
    let (list, item) = (Notebook.entity("List", NSManagedObject.self), Notebook.entity("Item", NSManagedObject.self))
    let items = Notebook.relationship("items", to: item, maxCount: 0)
    list.properties = [items]
    item.properties = [Notebook.attribute("name", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [list, item]
    let stack = try TestStack(model: model)
    try stack.change { context in
      context.insert("List").mutableSetValue(forKey: "items").addObjects(
        from: ["x", "y"].map { context.insert("Item", ["name": $0]) })
    }
    let (context, reader) = (stack.context(), stack.context("reader"))
    reader.automaticallyMergesChangesFromParent = true
    func names(_ context: NSManagedObjectContext) throws -> [String] {
      try #require(try context.all("List").first).names("items")
    }
    for context in [reader, context] {
      let before = try context.performAndWait { try names(context) }
      #expect(before == ["x", "y"])
    }
    try context.performAndWait {
      context.delete(try #require(try context.all("Item", where: "name", is: "x").first))
      try context.save()
    }
    for context in [context, reader] {
      let after = try context.performAndWait { try names(context) }
      #expect(after == ["y"])
      #expect(!context.performAndWait { context.hasChanges })
    }
  }

  // S8.1: the file has each pair of friends twice.
  @Test func aDeletedFriendLeavesBothOfItsPairs() throws {
    let stack = try zoo()
    try stack.change { try keeper("a", $0).mutableSetValue(forKey: "friends").add(try keeper("b", $0)) }
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (try keeper("a", context), try keeper("b", context))
      a.mutableSetValue(forKey: "friends").remove(b)
      context.refresh(a, mergeChanges: false)
      context.delete(b)
      try context.save()
    }
    let table = try #require(
      try stack.sql("SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__FRIENDS' ESCAPE '\\'").first)
    #expect(try stack.sql("SELECT count(*) FROM \(table)") == ["0"])
  }

  // S3.4, S8.1: overwrite would write the key that the object had when it was read, of one that is deleted by the same save.
  @Test func whatIsWrittenAsItIsHereLeadsToNobodyThatIsDeletedHere() throws {
    let stack = try zoo()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.overwrite
    try stack.change { try tom($0).setValue(keeper("b", $0), forKey: "keeper") }
    try stack.change { try keeper("c", $0).setValue(tom($0), forKey: "favourite") }
    try context.performAndWait {
      let (tom, c) = (try tom(context), try keeper("c", context))
      #expect(tom.string("name") == "tom" && c.object("favourite") === tom)
      try stack.change { try keeper("c", $0).setValue(nil, forKey: "favourite") }
      c.setValue("C", forKey: "name")
      context.delete(tom)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(ZFAVOURITE) FROM ZKEEPER") == ["0"])
  }

  // S3.3, S3.4, S8.1: the owner's changes are dropped, and the member that it lost is deleted all the same.
  @Test func anOwnerWhoseLossAPolicyDropsCountsAsChangedByTheDeletion() throws {
    let stack = try zoo()
    try stack.change { try keeper("a", $0).mutableSetValue(forKey: "mentors").add(keeper("b", $0)) }
    let (context, reader) = (stack.context(), stack.context("reader"))
    context.mergePolicy = NSMergePolicy.rollback
    reader.automaticallyMergesChangesFromParent = true
    try reader.performAndWait {
      let mentors = try keeper("a", reader).names("mentors")
      #expect(mentors == ["b"])
    }
    try context.performAndWait {
      context.delete(try keeper("b", context))
      context.processPendingChanges()
      try stack.change { try keeper("a", $0).setValue("A", forKey: "name") }
      try context.save()
    }
    try reader.performAndWait {
      let mentors = try keeper("A", reader).objects("mentors")
      #expect(mentors.isEmpty)
    }
  }
}
