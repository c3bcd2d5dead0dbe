import CoreData
import Testing

/// A model class as apps write them: initialisers of its own, beside or in place of the inherited ones.
final class Sheet: NSManagedObject {
  var calls = ["stored"]

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    calls.append("init")
  }

  init(title: String, in context: NSManagedObjectContext) {
    super.init(entity: Sheet.entity(), insertInto: context)
    setValue(title, forKey: "text")
  }

  convenience init(_ title: String, _ context: NSManagedObjectContext) {
    self.init(context: context)
    setValue(title, forKey: "text")
  }
}

/// Overrides no initialiser, so that Swift has nothing but a trap in the place of the inherited one.
final class Leaflet: NSManagedObject {
  init(text: String, in context: NSManagedObjectContext) {
    super.init(entity: Leaflet.entity(), insertInto: context)
    setValue(text, forKey: "text")
  }
}

/// Has a stored property, and gives new objects their first text as they are made.
final class Draft: NSManagedObject {
  var readings = 0

  override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    super.init(entity: entity, insertInto: context)
    setValue("draft", forKey: "text")
  }
}

final class IndexCard: NSManagedObject {}

final class PaperSlip: NSManagedObject {}

extension NSManagedObject {
  /// As libraries write it, for the class that it is called on.
  fileprivate class func make(in context: NSManagedObjectContext) -> Self { self.init(context: context) }
}

private func make<Object: NSManagedObject>(_ type: Object.Type, in context: NSManagedObjectContext) -> Object {
  Object(context: context)
}

private func make<Object: NSManagedObject>(
  _ type: Object.Type, _ entity: NSEntityDescription, in context: NSManagedObjectContext?
) -> Object {
  Object(entity: entity, insertInto: context)
}

@Suite(.serialized) struct ObjectMakingTests {
  private static func model(_ type: NSManagedObject.Type, _ names: [String] = ["Page"]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = names.map { name in
      let entity = Notebook.entity(name, type)
      entity.properties = [Notebook.attribute("text", .stringAttributeType)]
      return entity
    }
    return model
  }

  // S2.10
  @Test func aTypeParameterMakesObjectsOfItsClass() throws {
    let stack = try TestStack(model: Self.model(Sheet.self))
    let context = stack.context()
    try context.performAndWait {
      let sheets = [
        make(Sheet.self, in: context), Sheet.make(in: context), make(Sheet.self, Sheet.entity(), in: context),
      ]
      #expect(sheets.map(\.calls) == [["stored", "init"], ["stored", "init"], ["stored", "init"]])
      #expect(context.insertedObjects.count == 3)
      let type: NSManagedObject.Type = Sheet.self
      #expect(type.init(entity: Sheet.entity(), insertInto: context) is Sheet)
      #expect(make(Sheet.self, Sheet.entity(), in: nil).managedObjectContext == nil)
      try context.save()
    }
  }

  // S2.10
  @Test func aClassMayHaveInitialisersOfItsOwn() throws {
    let stack = try TestStack(model: Self.model(Sheet.self))
    let context = stack.context()
    try context.performAndWait {
      #expect(Sheet(title: "a", in: context).calls == ["stored"])
      #expect(Sheet("b", context).calls == ["stored", "init"])
      try context.save()
    }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let sheets = try reader.fetch(NSFetchRequest<Sheet>(entityName: "Page"))
      #expect(Set(sheets.map { $0.value(forKey: "text") as? String }) == ["a", "b"])
      #expect(sheets.allSatisfy { $0.calls.first == "stored" }, "stored properties are initialised")
    }
  }

  // S2.10: no initialiser of the class runs.
  @Test func objectsOfRowsAreMadeWithoutTheClasssInitialiser() throws {
    let stack = try TestStack(model: Self.model(Leaflet.self))
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<20 { _ = Leaflet(text: "\(number)", in: context) }
      try context.save()
    }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let leaflets = try reader.fetch(NSFetchRequest<Leaflet>(entityName: "Page"))
      #expect(leaflets.count == 20)
      #expect(Set(leaflets.compactMap { $0.value(forKey: "text") as? String }).count == 20)
      #expect(leaflets.allSatisfy { type(of: $0) == Leaflet.self && $0.entity.name == "Page" })
    }
    let child = stack.child(of: reader)
    try child.performAndWait {
      _ = Leaflet(text: "pushed", in: child)
      try child.save()
    }
    let inserted = reader.performAndWait { reader.insertedObjects.compactMap { $0 as? Leaflet } }
    #expect(inserted.count == 1)
  }

  // S2.10: it runs for an object of a row as well, for its stored properties.
  @Test func whatAnInitialiserSetsIsForNewObjectsOnly() throws {
    let stack = try TestStack(model: Self.model(Draft.self))
    try stack.change { context in
      let draft = Draft(context: context)
      #expect(draft.value(forKey: "text") as? String == "draft")
      draft.setValue("a", forKey: "text")
    }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let draft = try #require(try reader.fetch(NSFetchRequest<Draft>(entityName: "Page")).first)
      #expect(draft.isFault && !draft.hasChanges)
      #expect(draft.value(forKey: "text") as? String == "a")
      draft.setValue("b", forKey: "text")
      try reader.save()
    }
    #expect(try stack.sql("SELECT ZTEXT FROM ZPAGE") == ["b"])
  }

  // S2.10
  @Test func anObjectMadeAsNSManagedObjectIsOfItsEntitysClass() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let entity = try #require(NSEntityDescription.entity(forEntityName: "Note", in: context))
      let object = NSManagedObject(entity: entity, insertInto: context)
      #expect((object as? Note)?.title == nil)
      #expect(type(of: object) == Note.self)
    }
  }

  // S9.4
  @Test func aClassKnowsItsEntity() throws {
    let stack = try TestStack(model: Self.model(IndexCard.self))
    let entity = IndexCard.entity()
    #expect(entity === stack.container.managedObjectModel.entitiesByName["Page"])
    #expect(IndexCard.fetchRequest().entityName == nil || IndexCard.fetchRequest().entityName == "Page")
    let other = try TestStack(model: Self.model(IndexCard.self))
    #expect(IndexCard.entity() === other.container.managedObjectModel.entitiesByName["Page"], "the newest")
    let context = stack.context()
    context.performAndWait {
      #expect(IndexCard.entity() === entity, "the one of the context whose block this is")
      let card = IndexCard(entity: IndexCard.entity(), insertInto: context)
      #expect(card.entity === entity)
    }
  }

  // S9.4
  @Test func aClassWithoutAnEntityHasOneWithoutAName() throws {
    final class Unclaimed: NSManagedObject {}
    #expect(Unclaimed.entity().name == nil)
    let model = Self.model(IndexCard.self)
    let second = NSEntityDescription()
    second.name = "Second"
    second.managedObjectClassName = model.entities[0].managedObjectClassName
    model.entities.append(second)
    let stack = try TestStack(model: model)
    let context = stack.context()
    context.performAndWait { #expect(IndexCard.entity().name == nil, "two entities have the class") }
  }

  // S9.4
  @Test func aModelThatIsGoneIsNotAsked() throws {
    let first = try TestStack(model: Self.model(PaperSlip.self))
    do {
      let second = try TestStack(model: Self.model(PaperSlip.self))
      #expect(PaperSlip.entity() === second.container.managedObjectModel.entitiesByName["Page"])
    }
    #expect(PaperSlip.entity() === first.container.managedObjectModel.entitiesByName["Page"])
  }
}
