import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// Attributes that the store computes as it writes. S9.2, S6.4
@Suite struct DerivedAttributeTests {
  private static func derived(_ name: String, _ type: NSAttributeType, _ expression: String) -> NSAttributeDescription {
    let attribute = NSDerivedAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.derivationExpression = NSExpression(format: expression)
    return attribute
  }

  private static func model(_ more: [NSAttributeDescription] = []) -> NSManagedObjectModel {
    let (list, item, tag) = (
      Notebook.entity("List", NSManagedObject.self), Notebook.entity("Item", NSManagedObject.self),
      Notebook.entity("Tag", NSManagedObject.self)
    )
    let items = Notebook.relationship("items", to: item, maxCount: 0)
    let itsList = Notebook.relationship("list", to: list, maxCount: 1)
    let tags = Notebook.relationship("tags", to: tag, maxCount: 0)
    let tagged = Notebook.relationship("items", to: item, maxCount: 0)
    for (one, other) in [(items, itsList), (tags, tagged)] {
      one.inverseRelationship = other
      other.inverseRelationship = one
    }
    let name = { Notebook.attribute("name", .stringAttributeType) }
    list.properties = [
      name(), items, derived("itemCount", .integer64AttributeType, "items.@count"),
      derived("total", .doubleAttributeType, "items.price.@sum"),
      derived("plain", .stringAttributeType, "canonical:(name)"),
      derived("changed", .dateAttributeType, "now()"),
    ]
    item.properties =
      [
        name(), itsList, tags, Notebook.attribute("price", .doubleAttributeType),
        derived("listName", .stringAttributeType, "uppercase:(list.name)"),
        derived("copy", .stringAttributeType, "name"), derived("tagCount", .integer32AttributeType, "tags.@count"),
      ] + more
    tag.properties = [name(), tagged, derived("low", .stringAttributeType, "lowercase:(name)")]
    let model = NSManagedObjectModel()
    model.entities = [list, item, tag]
    return model
  }

  private func row(_ stack: TestStack) throws -> [String] {
    try stack.sql("SELECT ZITEMCOUNT || ' ' || ZTOTAL || ' ' || ZPLAIN FROM ZLIST ORDER BY Z_PK")
  }

  // S9.2, S3.4: a value that the store computed after the object was read is not overwritten, in the file nor in memory.
  @Test(arguments: [false, true]) func whatIsSetOrOverwrittenStaysAsTheStoreComputesIt(isOverwritten: Bool) throws {
    let stack = try TestStack(.file, model: Self.model())
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy.overwrite
      let list = context.make("List", "a")
      try context.save()
      try other.performAndWait {
        let same = try #require(try other.all("List").first)
        if isOverwritten { same.setValue("b", forKey: "name") }
        other.make("Item", "i").setValue(same, forKey: "list")
        try other.save()
      }
      if !isOverwritten { list.setValue(7, forKey: "itemCount") }
      list.setValue("c", forKey: "name")
      try context.save()
      #expect(try row(stack) == ["1 0.0 c"])
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 1)
    }
  }

  // S9.2
  @Test func valuesFollowWhatTheyDependOn() throws {
    let stack = try TestStack(.file, model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let list = context.make("List", "\u{c9}T\u{c9}")
      let items = ["a", "b"].map { context.make("Item", $0) }
      for (item, price) in zip(items, [1.5, 2]) {
        item.setValue(price, forKey: "price")
        item.setValue(list, forKey: "list")
      }
      try context.save()
      #expect(try row(stack) == ["2 3.5 ete"])
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 2)
      #expect((list.value(forKey: "total") as? NSNumber)?.doubleValue == 3.5)
      #expect(items[0].string("listName") == "\u{c9}T\u{c9}" && items[0].string("copy") == "a")
      #expect(list.value(forKey: "changed") is Date)

      // The owner is not written, and still has the new sum.
      items[0].setValue(10.0, forKey: "price")
      items[0].setValue("z", forKey: "name")
      try context.save()
      #expect((list.value(forKey: "total") as? NSNumber)?.doubleValue == 12)
      #expect(items[0].string("copy") == "z")
      list.setValue("new", forKey: "name")
      try context.save()
      #expect(items.map { $0.string("listName") } == ["NEW", "NEW"])
      items[1].setValue(nil, forKey: "list")
      try context.save()
      #expect(try row(stack) == ["1 10.0 new"])
      #expect(items[1].value(forKey: "listName") == nil)
      context.delete(items[0])
      try context.save()
      #expect(try row(stack) == ["0 0 new"] || row(stack) == ["0 0.0 new"])
    }
    #expect(try stack.sql("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'") == ["0"])
  }

  // S9.2: members in a join table.
  @Test func membersOfJoinsAreCounted() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      let item = context.make("Item", "a")
      item.setValue(Set(["X", "Y"].map { context.make("Tag", $0) }), forKey: "tags")
    }
    #expect(try stack.sql("SELECT ZTAGCOUNT FROM ZITEM") == ["2"])
    #expect(try stack.sql("SELECT ZLOW FROM ZTAG ORDER BY 1") == ["x", "y"])
    try stack.change { $0.delete(try $0.named("Tag", "X")) }
    #expect(try stack.sql("SELECT ZTAGCOUNT FROM ZITEM") == ["1"])
  }

  // S3.1, S9.2: the store computes it.
  @Test func aMandatoryDerivedAttributeIsNotAskedFor() throws {
    let mandatory = Self.derived("code", .stringAttributeType, "uppercase:(name)")
    mandatory.isOptional = false
    let context = try TestStack(.file, model: Self.model([mandatory])).context()
    try context.performAndWait {
      let item = context.make("Item", "a")
      try context.save()
      #expect(item.string("code") == "A")
    }
  }

  // S9.2, S6.4: the object that was saved has the number that others read, of 0.1 + 0.2 and of 2.5 in an integer.
  @Test func aComputedNumberIsTheOneThatIsReadAgain() throws {
    let model = Self.model([Notebook.attribute("cost", .decimalAttributeType)])
    model.entitiesByName["List"]?.properties += [
      Self.derived("cost", .decimalAttributeType, "items.cost.@sum"),
      Self.derived("whole", .integer64AttributeType, "items.price.@sum"),
    ]
    let context = try TestStack(.file, model: model).context()
    context.stalenessInterval = 0
    try context.performAndWait {
      let list = context.make("List", "a")
      for cost in ["0.1", "0.2"] {
        let item = context.make("Item", cost)
        item.setValue(Decimal(string: cost), forKey: "cost")
        item.setValue(1.25, forKey: "price")
        item.setValue(list, forKey: "list")
      }
      try context.save()
      for _ in ["saved", "read again"] {
        #expect(list.value(forKey: "cost") as? Decimal == Decimal(string: "0.3"))
        #expect(list.value(forKey: "whole") as? Int == 2)
        context.refresh(list, mergeChanges: false)
      }
    }
  }

  // S3.1, S9.2: a rule would judge the value that was computed before the save.
  @Test func aDerivedAttributeIsNotJudgedByItsRules() throws {
    let model = Self.model()
    let count = model.entitiesByName["List"]?.attributesByName["itemCount"]
    count?.setValidationPredicates([NSPredicate(format: "SELF >= 1")], withValidationWarnings: ["too few"])
    let stack = try TestStack(.file, model: model)
    let context = stack.context()
    try context.performAndWait {
      let list = context.make("List", "a")
      try context.save()
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 0)
      list.setValue("b", forKey: "name")
      context.make("Item", "i").setValue(list, forKey: "list")
      try context.save()
      #expect(try row(stack) == ["1 0.0 b"])
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 1)
      try list.validateForUpdate()
    }
  }

  // S6.11: a context that saves an object read before its computed value changed lists the new value.
  @Test func aSaveOfOldValuesListsWhatTheStoreHasComputedSince() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      context.make("Item", "a").setValue(context.make("List", "l"), forKey: "list")
    }
    let (context, reader) = (stack.context(), stack.context("reader"))
    try context.performAndWait {
      let item = try context.named("Item", "a")
      #expect(item.string("listName") == "L")
      try stack.change { try $0.named("List", "l").setValue("m", forKey: "name") }
      item.setValue(2.5, forKey: "price")
      try context.save()
      #expect(item.string("listName") == "M")
      try reader.performAndWait {
        let same = try reader.existingObject(with: item.objectID)
        #expect(same.string("listName") == "M")
      }
    }
  }

  // S4.5: a computed value that a late merge brings into a child takes nothing back that was read from the parent since.
  @Test func aLateMergeOfComputedValuesKeepsWhatWasReadSince() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      context.make("Item", "a").setValue(context.make("List", "l"), forKey: "list")
    }
    let parent = stack.context()
    let child = stack.child(of: parent)
    let (isBusy, mayEnd) = (Latch(label: "the parent is busy"), Latch(label: "the parent ends"))
    let item = try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      let item = try child.named("Item", "a")
      #expect(item.string("listName") == "L")
      try parent.performAndWait {
        try parent.named("List", "l").setValue("m", forKey: "name")
        try parent.save()
        try parent.named("Item", "a").setValue(2.5, forKey: "price")
      }
      child.refresh(item, mergeChanges: false)
      #expect(item.value(forKey: "price") as? Double == 2.5)
      parent.perform {
        isBusy.open()
        mayEnd.wait()
      }
      isBusy.wait()
      return item
    }
    child.performAndWait {}
    mayEnd.open()
    child.performAndWait {
      #expect(item.value(forKey: "price") as? Double == 2.5)
      #expect(item.string("listName") == "M")
    }
  }

  // S5.2: the item is in no list of the save.
  @Test(arguments: [false, true]) func aMergeBringsWhatTheStoreHasComputed(isForeign: Bool) throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      context.make("Item", "a").setValue(context.make("List", "l"), forKey: "list")
    }
    let other = isForeign ? try TestStack(model: stack.container.managedObjectModel, url: stack.url) : stack
    let (context, writer) = (stack.context(), other.context("writer"))
    let child = stack.child(of: context)
    context.automaticallyMergesChangesFromParent = !isForeign
    let log = NotificationLog(writer)
    // On their contexts' queues only.
    nonisolated(unsafe) let item = try context.performAndWait { try context.named("Item", "a") }
    // As above.
    nonisolated(unsafe) let inChild = try child.performAndWait { try child.named("Item", "a") }
    context.performAndWait { #expect(item.string("listName") == "L") }
    child.performAndWait { #expect(inChild.string("listName") == "L") }
    try writer.performAndWait {
      try writer.named("List", "l").setValue("m", forKey: "name")
      try writer.save()
    }
    try context.performAndWait {
      if isForeign { context.mergeChanges(fromContextDidSave: try #require(log.didSaves.first)) }
      #expect(item.string("listName") == "M")
    }
    try child.performAndWait {
      child.mergeChanges(fromContextDidSave: try #require(log.didSaves.first))
      #expect(inChild.string("listName") == "M")
    }
  }

  // S3.3: another's change raises no version, so no save conflicts over a computed value.
  @Test func aComputedValueIsNoConflict() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      context.make("Item", "a").setValue(context.make("List", "l"), forKey: "list")
    }
    let context = stack.context()
    try context.performAndWait {
      let list = try context.named("List", "l")
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 1)
      try stack.change { $0.make("Item", "b").setValue(try $0.named("List", "l"), forKey: "list") }
      context.refresh(list, mergeChanges: false)
      #expect((list.value(forKey: "itemCount") as? NSNumber)?.intValue == 2)
    }
  }

  // S7.4, S9.2: a batch request computes too, in rows that it does not name.
  @Test func whatABatchRequestComputesIsFoundAndNotKept() throws {
    let stack = try TestStack(.file, model: Self.model())
    try stack.change { context in
      for name in ["a", "b"] { context.make("Item", name).setValue(context.make("List", name), forKey: "list") }
    }
    let (context, other) = (stack.context(), stack.context())
    func price(_ list: NSManagedObject) -> Double? { (list.value(forKey: "total") as? NSNumber)?.doubleValue }
    try other.performAndWait {
      // Holds the rows, so that the cache lists them.
      let held = try other.named("List", "a")
      #expect(price(held) == 0)
      try context.performAndWait {
        let update = NSBatchUpdateRequest(entityName: "Item")
        update.propertiesToUpdate = ["price": 5.0]
        update.predicate = NSPredicate(format: "name == 'a'")
        try context.execute(update)
        let list = try context.named("List", "a")
        #expect(price(list) == 5, "not the row that was cached")
        let delete = NSBatchDeleteRequest(objectIDs: [try context.named("Item", "a").objectID])
        try context.execute(delete)
        context.refresh(list, mergeChanges: false)
        #expect(price(list) == 0)
        try context.execute(NSBatchInsertRequest(entityName: "Item", objects: [["name": "c"], ["name": "d"]]))
        #expect(try context.named("Item", "c").string("copy") == "c")
        update.propertiesToUpdate = ["price": NSExpression(format: "nobody")]
        #expect(throws: (any Error).self) { try context.execute(update) }
      }
      other.refresh(held, mergeChanges: false)
      #expect(price(held) == 0)
    }
    let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
    #expect(store.sqlite.derivedValues.isEmpty)
  }

  // S9.2
  @Test(arguments: [
    "items.@avg.price", "list.items.@count", "nobody", "length:(name)", "tags", "list", "list.items.name",
  ])
  func otherExpressionsAreRefusedByName(expression: String) {
    let model = Self.model([Self.derived("other", .stringAttributeType, expression)])
    let error = #expect(throws: ModelError.self) { _ = try model.freeze() }
    #expect(error?.problems.count == 1 && error?.problems[0].hasPrefix("Item.other: ") ?? false)
  }

  // S6.4: a store of Apple's tools has triggers that call functions of Apple's connections.
  @Test func applesTriggersDoNotStandInTheWay() throws {
    let stack = try TestStack(.file, model: Notebook.model())
    try Connection.write(
      stack.url,
      """
      CREATE TRIGGER Z_DA_ZNOTE_Note_title_UPDATE AFTER UPDATE OF Z_OPT ON ZNOTE FOR EACH ROW BEGIN
      UPDATE ZNOTE SET ZTITLE = typeof(NSCoreDataNow()) WHERE Z_PK = NEW.Z_PK;
      SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZNOTE', Z_ENT, Z_PK, 'title', ZTITLE) FROM ZNOTE
      WHERE Z_PK = NEW.Z_PK; END
      """)
    try stack.seed(1...1)
    try stack.change { try $0.note(1).number = 2 }
    #expect(try stack.sql("SELECT ZTITLE FROM ZNOTE") == ["real"])
  }
}
