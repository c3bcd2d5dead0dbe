@testable import CoreData
import Testing

/// Accessors as they are written by hand for Apple's.
final class HandWritten: NSManagedObject {
  var title: String? {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return primitiveValue(forKey: "title") as? String
    }
    set {
      willChangeValue(forKey: "title")
      setPrimitiveValue(newValue, forKey: "title")
      didChangeValue(forKey: "title")
    }
  }
  var owner: HandWritten? {
    get {
      willAccessValue(forKey: "owner")
      defer { didAccessValue(forKey: "owner") }
      return primitiveValue(forKey: "owner") as? HandWritten
    }
    set {
      willChangeValue(forKey: "owner")
      setPrimitiveValue(newValue, forKey: "owner")
      didChangeValue(forKey: "owner")
    }
  }
  func addToItems(_ item: HandWritten) {
    willChangeValue(forKey: "items", withSetMutation: .union, using: [item])
    (primitiveValue(forKey: "items") as? NSMutableSet)?.add(item)
    didChangeValue(forKey: "items", withSetMutation: .union, using: [item])
  }
  func removeFromItems(_ item: HandWritten) {
    willChangeValue(forKey: "items", withSetMutation: .minus, using: [item])
    (primitiveValue(forKey: "items") as? NSMutableSet)?.remove(item)
    didChangeValue(forKey: "items", withSetMutation: .minus, using: [item])
  }
  func setItems(_ items: Set<HandWritten>) {
    willChangeValue(forKey: "items", withSetMutation: .set, using: items)
    setPrimitiveValue(items, forKey: "items")
    didChangeValue(forKey: "items", withSetMutation: .set, using: items)
  }

  static func model() -> NSManagedObjectModel {
    let item = Notebook.entity("Item", HandWritten.self)
    let items = Notebook.relationship("items", to: item, maxCount: 0)
    let owner = Notebook.relationship("owner", to: item, maxCount: 1)
    (items.inverseRelationship, owner.inverseRelationship) = (owner, items)
    let scratch = Notebook.attribute("scratch", .stringAttributeType)
    scratch.isTransient = true
    item.properties = [
      Notebook.attribute("title", .stringAttributeType), Notebook.attribute("count", .integer64AttributeType), scratch,
      items, owner,
    ]
    let model = NSManagedObjectModel()
    model.entities = [item]
    return model
  }
}

@Suite struct PrimitiveValueTests {
  /// A stack with one saved item "old", and a context that has it as a fault.
  private func item(
    _ body: (TestStack, NSManagedObjectContext, HandWritten) throws -> Void
  ) throws {
    let stack = try TestStack(model: HandWritten.model())
    try stack.change { context in HandWritten(context: context).title = "old" }
    let context = stack.context()
    try context.performAndWait {
      let item = try #require(try context.all("Item").first as? HandWritten)
      try body(stack, context, item)
    }
  }

  // S2.8
  @Test func settingAPrimitiveValueIsNoChange() throws {
    try item { stack, context, item in
      item.setPrimitiveValue("quiet", forKey: "title")
      #expect(item.title == "quiet")
      #expect(!item.isUpdated && !item.hasChanges && !context.hasChanges)
      #expect(!item.hasPersistentChangedValues)
      #expect(item.changedValues().isEmpty)
      try context.save()
      #expect(try stack.sql("SELECT ZTITLE FROM ZITEM") == ["old"])
      // The next change takes it along.
      item.setValue(1, forKey: "count")
      #expect(item.changedValues().keys.sorted() == ["count", "title"])
      try context.save()
      #expect(try stack.sql("SELECT ZTITLE FROM ZITEM") == ["quiet"])
    }
  }

  // S2.8
  @Test func aPrimitiveValueOfANewObjectIsSaved() throws {
    let stack = try TestStack(model: HandWritten.model())
    try stack.change { context in HandWritten(context: context).setPrimitiveValue("set", forKey: "title") }
    #expect(try stack.sql("SELECT ZTITLE FROM ZITEM") == ["set"])
  }

  // S2.3, S2.8: only the announced access fires the fault.
  @Test func primitiveValuesOfAFaultAreNil() throws {
    try item { _, _, item in
      #expect(item.faultingState != 0)
      #expect(item.primitiveValue(forKey: "title") == nil)
      #expect(item.isFault)
      item.willAccessValue(forKey: nil)
      #expect(!item.isFault)
      #expect(item.faultingState == 0)
      #expect(item.primitiveValue(forKey: "title") as? String == "old")
    }
  }

  // S2.8
  @Test func accessorsWrittenByHandReadAndChange() throws {
    try item { stack, context, item in
      #expect(item.title == "old")
      #expect(!context.hasChanges)
      item.title = "new"
      #expect(item.isUpdated)
      #expect(item.changedValues() as? [String: String] == ["title": "new"])
      #expect(context.updatedObjects == [item])
      try context.save()
      #expect(try stack.sql("SELECT ZTITLE FROM ZITEM") == ["new"])
    }
  }

  // S2.4, S2.8
  @Test func whatAHandWrittenAccessorSetIsUndone() throws {
    try item { _, context, item in
      let other = HandWritten(context: context)
      try context.save()
      let manager = UndoManager()
      manager.groupsByEvent = false
      context.undoManager = manager
      manager.beginUndoGrouping()
      item.title = "new"
      other.owner = item
      #expect(item.changedValuesForCurrentEvent()["title"] as? String == "old")
      context.processPendingChanges()
      manager.endUndoGrouping()
      context.undo()
      #expect(item.title == "old")
      #expect(other.owner == nil)
      #expect(item.objects("items").isEmpty)
    }
  }

  // S2.6, S2.8
  @Test func handWrittenRelationshipsKeepTheirInverses() throws {
    try item { stack, context, item in
      let (first, second) = (HandWritten(context: context), HandWritten(context: context))
      first.owner = item
      #expect(item.objects("items") == [first])
      item.addToItems(second)
      #expect(second.owner === item)
      item.removeFromItems(first)
      #expect(first.owner == nil)
      first.setItems([second])
      #expect(second.owner === first)
      #expect(item.objects("items").isEmpty)
      second.owner = item
      #expect(first.objects("items").isEmpty)
      #expect(context.turn.announced.isEmpty)
      try context.save()
      #expect(try stack.sql("SELECT count(*) FROM ZITEM WHERE ZOWNER = 1") == ["1"])
    }
  }

  // S2.6, S2.8
  @Test func handWrittenOrderedRelationshipsKeepTheirInverses() throws {
    let context = try TestStack(model: Library.model()).context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      let fresh = context.make("Book", "d")
      shelf.willChangeValue(forKey: "books")
      let books = try #require(shelf.primitiveValue(forKey: "books") as? NSMutableOrderedSet)
      let gone = try #require(books.object(at: 0) as? NSManagedObject)
      books.removeObject(at: 0)
      books.insert(fresh, at: 0)
      shelf.setPrimitiveValue(books, forKey: "books")
      shelf.didChangeValue(forKey: "books")
      #expect(fresh.object("shelf") === shelf)
      #expect(gone.object("shelf") == nil)
      try context.save()
      context.refresh(shelf, mergeChanges: false)
      #expect((shelf.value(forKeyPath: "books.name") as? NSOrderedSet)?.array as? [String] == ["d", "b", "c"])
      #expect(shelf.value(forKeyPath: "books.@count") as? Int == 3)
    }
  }

  // S2.8
  @Test func withoutAnnouncementTheInverseIsLeftAlone() throws {
    try item { _, context, item in
      let other = HandWritten(context: context)
      other.setPrimitiveValue(item, forKey: "owner")
      #expect(other.owner === item)
      #expect(item.objects("items").isEmpty)
      #expect(!item.hasChanges)
    }
  }

  // S2.4, S2.8
  @Test func changedValuesAreThoseThatDiffer() throws {
    try item { _, context, item in
      item.setValue("old", forKey: "title")
      #expect(item.isUpdated)
      #expect(item.changedValues().isEmpty)
      item.setValue("transient", forKey: "scratch")
      #expect(item.changedValues().isEmpty)
      item.setValue(nil, forKey: "title")
      #expect(item.changedValues()["title"] is NSNull)
      let other = HandWritten(context: context)
      other.owner = item
      #expect(item.changedValues()["items"] as? Set<NSManagedObject> == [other])
      #expect(other.changedValues()["owner"] as? NSManagedObject === item)
    }
  }

  // S2.8
  @Test func committedValuesAreThoseLastSaved() throws {
    try item { _, context, item in
      item.title = "new"
      #expect(item.committedValues(forKeys: ["title"]) as? [String: String] == ["title": "old"])
      let all = item.committedValues(forKeys: nil)
      #expect(all.keys.sorted() == ["count", "owner", "title"])
      #expect(all["count"] is NSNull)
      let other = HandWritten(context: context)
      other.owner = item
      #expect((item.committedValues(forKeys: ["items"])["items"] as? Set<NSManagedObject>)?.isEmpty == true)
      try context.save()
      other.owner = nil
      #expect(item.committedValues(forKeys: ["items"])["items"] as? Set<NSManagedObject> == [other])
      #expect(other.committedValues(forKeys: ["owner"])["owner"] as? NSManagedObject === item)
      #expect(item.committedValues(forKeys: ["title"])["title"] as? String == "new")
    }
  }
}
