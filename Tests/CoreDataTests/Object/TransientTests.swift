import CoreData
import Testing

/// S2.4, S2.7, S2.8: transient values belong to one object.
@Suite(.everyStore) struct TransientTests {
  /// A stack with one pad named so.
  private func stack(named name: String = "pad") throws -> TestStack {
    let stack = try TestStack(model: Scratch.model())
    try stack.change { $0.insert("ScratchPad", ["name": name]) }
    return stack
  }

  // S2.4: a save keeps them, with and without other changes.
  @Test func transientValuesSurviveASave() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.cache = "mine"
      #expect(context.hasChanges)
      #expect(!pad.hasPersistentChangedValues)
      try context.save()
      #expect(!context.hasChanges)
      #expect(pad.cache == "mine")
      pad.name = "renamed"
      try context.save()
      #expect(pad.cache == "mine")
      pad.cache = "changed"
      pad.note = "as well"
      try context.save()
      #expect(pad.cache == "changed")
      #expect(pad.note == "as well")
      #expect(pad.changedValues().isEmpty)
    }
  }

  // S2.4: an inserted one too.
  @Test func transientValuesOfAnInsertedObjectSurviveItsSave() throws {
    let stack = try TestStack(model: Scratch.model())
    let context = stack.context()
    try context.performAndWait {
      let pad = ScratchPad(context: context)
      pad.cache = "mine"
      try context.save()
      #expect(pad.cache == "mine")
      pad.name = "named"
      try context.save()
      #expect(pad.cache == "mine")
    }
    let other = stack.context("other")
    #expect(try other.performAndWait { try other.pad()?.cache } == nil)
  }

  // S2.4: through the row cache, a merge, a child or a push.
  @Test func transientValuesLeaveTheirObjectForTheParentOnly() throws {
    let stack = try stack()
    let (context, other) = (stack.context(), stack.context("other"))
    let child = stack.child(of: context)
    let log = NotificationLog(context)
    let held = try other.performAndWait { try #require(try other.pad()) }
    other.performAndWait { held.cache = "other's" }
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.cache = "mine"
      try child.performAndWait {
        let copy = try #require(try child.pad())
        #expect(copy.cache == nil)
        copy.cache = "child's"
        copy.note = "pushed"
        try child.save()
        #expect(copy.cache == "child's")
      }
      #expect(pad.cache == "child's")
      #expect(pad.note == "pushed")
      try context.save()
      #expect(pad.cache == "child's")
    }
    try other.performAndWait {
      other.mergeChanges(fromContextDidSave: try #require(log.didSaves.last))
      #expect(held.note == "pushed")
      #expect(held.cache == "other's")
    }
    let third = stack.context("third")
    #expect(try third.performAndWait { try third.pad()?.cache } == nil)
  }

  // S4.4: the parent's object has changed, though there is nothing to write.
  @Test func aChildsTransientChangeIsAChangeOfTheParentsObject() throws {
    let stack = try stack()
    let context = stack.context()
    let child = stack.child(of: context)
    try context.performAndWait {
      let pad = try #require(try context.pad())
      try child.performAndWait {
        try #require(try child.pad()).cache = "child's"
        try child.save()
      }
      #expect(pad.cache == "child's")
      #expect(context.hasChanges && context.updatedObjects == [pad])
      #expect(!pad.hasPersistentChangedValues)
      try context.save()
      #expect(pad.cache == "child's" && !context.hasChanges)
    }
  }

  // S2.4
  @Test func aFetchedObjectHasTheDefaultsOfTransientAttributes() throws {
    let model = Scratch.model()
    let cache = try #require(model.entities[0].attributesByName["cache"])
    cache.defaultValue = "new"
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      #expect(
        NSEntityDescription.insertNewObject(forEntityName: "ScratchPad", into: context).value(forKey: "cache")
          as? String == "new")
      try context.save()
      context.reset()
      let pad = try #require(try context.pad())
      #expect(pad.cache == "new" && !context.hasChanges)
      pad.cache = "mine"
      try context.save()
      #expect(pad.cache == "mine")
      context.refresh(pad, mergeChanges: true)
      #expect(pad.cache == "mine")
      context.refresh(pad, mergeChanges: false)
      #expect(pad.cache == "new")
      pad.cache = "mine"
      context.rollback()
      #expect(pad.cache == "new")
    }
    let other = stack.context("other")
    #expect(try other.performAndWait { try other.pad()?.cache } == "new")
  }

  // S2.4
  @Test func refreshKeepsTransientValuesOnlyWhenItMerges() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.cache = "mine"
      try context.save()
      try stack.change { try #require(try $0.pad()).name = "elsewhere" }
      context.refresh(pad, mergeChanges: true)
      #expect(pad.name == "elsewhere")
      #expect(pad.cache == "mine")
      context.refresh(pad, mergeChanges: false)
      #expect(pad.cache == nil)
    }
  }

  // S2.4: a value that was not changed since the save stays, a changed one is dropped.
  @Test func rollbackKeepsTransientValuesThatAreNoChange() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.cache = "saved"
      try context.save()
      pad.name = "changed"
      context.rollback()
      #expect(pad.name == "pad")
      #expect(pad.cache == "saved")
      pad.cache = "unsaved"
      context.rollback()
      #expect(pad.cache == nil)
    }
  }

  // S2.7
  @Test func whatAwakeFromFetchSetsIsNoChange() throws {
    let stack = try stack(named: "awake")
    let context = stack.context()
    try context.performAndWait {
      let pad = try #require(try context.pad())
      #expect(pad.note == "computed")
      #expect(pad.cache == "computed")
      #expect(!pad.hasChanges)
      #expect(!context.hasChanges)
      try context.save()
      pad.name = "awake still"
      #expect(context.hasChanges)
      #expect(pad.cache == "computed")
      try context.save()
      #expect(pad.cache == "computed")
    }
    // A value that was set is saved along with a change, so that the file and the row cache say the same.
    if stack.place == .file {
      #expect(try stack.sql("SELECT ZNAME || ZNOTE FROM ZSCRATCHPAD") == ["awake stillcomputed"])
    }
  }

  // S2.7
  @Test func snapshotEventsTellWhyValuesWereReplaced() throws {
    let stack = try stack(named: "awake")
    let context = stack.context()
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.note = "unsaved"
      context.rollback()
      #expect(pad.events == [.rollback])
      #expect(pad.cache == "again")
      #expect(!context.hasChanges)
      pad.note = "unsaved"
      context.refresh(pad, mergeChanges: true)
      #expect(pad.events == [.rollback, .refresh])
      #expect(pad.note == "unsaved")
      #expect(Array(pad.changedValues().keys) == ["note"])
    }
  }

  // S2.8, S3.4: an object with values of the store by a merge policy, or taken back by it, awakes once, before `didSave`.
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, true), (.rollbackMergePolicyType, true),
    (.mergeByPropertyObjectTrumpMergePolicyType, true), (.overwriteMergePolicyType, false),
  ])
  func aMergePolicyAwakesWhatItGaveOtherValues(policy: NSMergePolicyType, isGivenOthers: Bool) throws {
    let stack = try stack()
    let context = stack.context()
    context.mergePolicy = NSMergePolicy(merge: policy)
    try context.performAndWait {
      let pad = try #require(try context.pad())
      pad.note = "ours"
      try stack.change {
        let other = try #require(try $0.pad())
        other.name = "awake"
        other.note = "theirs"
      }
      try context.save()
      #expect(pad.events == (isGivenOthers ? [.mergePolicy] : []))
      #expect(pad.cache == (isGivenOthers ? "again" : nil))
      #expect(!context.hasChanges)
      try stack.change { try $0.pad()?.note = "newer" }
      pad.events = []
      context.delete(pad)
      try context.save()
      let isBack = policy == .rollbackMergePolicyType || policy == .mergeByPropertyStoreTrumpMergePolicyType
      #expect(pad.events == (isBack ? [.mergePolicy] : []))
      #expect(!pad.isDeleted)
      #expect(try (context.pad() != nil) == isBack)
    }
  }
}
