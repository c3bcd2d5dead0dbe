import SQLite
import Scheduling
import Testing

@testable import CoreData

/// Configurations: stores that have some of the model's entities.
@Suite struct ConfigurationTests {
  /// People and places, which have nothing to do with each other; a guide is a person.
  private static func model(joined: Bool = false) -> NSManagedObjectModel {
    let person = Notebook.entity("Person", NSManagedObject.self)
    let guide = Notebook.entity("Guide", NSManagedObject.self)
    let place = Notebook.entity("Place", NSManagedObject.self)
    person.properties = [Notebook.attribute("name", .stringAttributeType)]
    guide.properties = [Notebook.attribute("tour", .stringAttributeType)]
    place.properties = [Notebook.attribute("name", .stringAttributeType)]
    person.subentities = [guide]
    if joined {
      let home = Notebook.relationship("home", to: place, maxCount: 1)
      let inhabitants = Notebook.relationship("inhabitants", to: person, maxCount: 0)
      (home.inverseRelationship, inhabitants.inverseRelationship) = (inhabitants, home)
      person.properties += [home]
      place.properties += [inhabitants]
    }
    let model = NSManagedObjectModel()
    model.entities = [person, guide, place]
    model.setEntities([person, guide], forConfigurationName: "People")
    model.setEntities([place], forConfigurationName: "Places")
    return model
  }

  // S6.3, S9.2
  @Test func aStoreHasTheTablesOfItsConfigurationOnly() throws {
    let stack = try SeveralStores(["People", "Places"], model: Self.model())
    #expect(stack.stores.map(\.configurationName) == ["People", "Places"])
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'Z\\_%' ESCAPE '\\' ORDER BY 1"
    #expect(try stack.sql(0, tables) == ["ZPERSON"])
    #expect(try stack.sql(1, tables) == ["ZPLACE"])
    #expect(try stack.sql(1, "SELECT Z_NAME FROM Z_PRIMARYKEY") == ["Place"])
    let hashes = stack.stores[0].metadata["NSStoreModelVersionHashes"] as? [String: Any]
    #expect(hashes?.keys.sorted() == ["Guide", "Person"])
  }

  // S6.3
  @Test func objectsGoToTheStoreThatHasTheirEntity() throws {
    let stack = try SeveralStores(["People", "Places"], model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let objects = ["Guide", "Person", "Place"].map { context.make($0, "a \($0)") }
      try context.obtainPermanentIDs(for: [objects[2]])
      try context.save()
      #expect(objects.map { $0.objectID.persistentStore } == [stack.stores[0], stack.stores[0], stack.stores[1]])
      #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place")) == [objects[2]])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 2)
      // An ID of an entity that a store does not have is none.
      let uri = "x-coredata://\(stack.stores[1].identifier ?? "")/Person/p1"
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: uri))) == nil)
    }
    #expect(try stack.sql(0, "SELECT ZNAME FROM ZPERSON ORDER BY 1") == ["a Guide", "a Person"])
    #expect(try stack.sql(1, "SELECT ZNAME FROM ZPLACE") == ["a Place"])
  }

  // S6.3
  @Test func anEntityThatNoStoreTakesCannotBeSaved() throws {
    let stack = try SeveralStores(["Places"], model: Self.model())
    let context = stack.context()
    try context.performAndWait {
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
      #expect(found.isEmpty)
      let person = context.make("Person", "nobody's")
      let error = caught { try context.save() }
      #expect(error?.code == NSPersistentStoreSaveError)
      #expect(error?.localizedDescription.contains("Person") ?? false)
      #expect(context.insertedObjects == [person])
    }
  }

  // S6.3
  @Test func aReadOnlyStoreIsBesideOneThatIsWritten() throws {
    let made = try SeveralStores(["Places"], model: Self.model())
    let (maker, place) = (made.context(), Locked<NSManagedObjectID?>(nil))
    try maker.performAndWait {
      let object = maker.make("Place", "there")
      try maker.save()
      place.withLock { $0 = object.objectID }
    }
    let id = try #require(place.withLock { $0 })
    try made.coordinator.remove(made.stores[0])
    let stack = try SeveralStores(["Places"], model: made.coordinator.managedObjectModel)
    try stack.coordinator.remove(stack.stores[0])
    let reference = try stack.coordinator.addPersistentStore(
      type: .sqlite, configuration: "Places", at: made.folder.appendingPathComponent("0.sqlite"),
      options: [NSReadOnlyPersistentStoreOption: true])
    let written = try stack.coordinator.addPersistentStore(
      type: .sqlite, at: stack.folder.appendingPathComponent("all.sqlite"))
    #expect(reference.isReadOnly && !written.isReadOnly)
    let context = stack.context()
    try context.performAndWait {
      let new = context.make("Place", "here")
      try context.save()
      #expect(new.objectID.persistentStore === written, "the first that can be written")
      let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      #expect(try context.fetch(request).compactMap { $0.string("name") } == ["here", "there"])
      request.affectedStores = [reference]
      #expect(try context.fetch(request).compactMap { $0.string("name") } == ["there"])
      let old = try context.existingObject(with: id)
      old.setValue("elsewhere", forKey: "name")
      new.setValue("everywhere", forKey: "name")
      #expect(caught { try context.save() }?.code == NSPersistentStoreSaveError)
      #expect(context.updatedObjects == [old, new])
      context.refresh(old, mergeChanges: false)
      try context.save()
      // An object of a read-only store can be checked for changes all the same.
      context.detectConflicts(for: old)
      new.setValue("nowhere", forKey: "name")
      try context.save()
    }
    #expect(try made.sql(0, "SELECT ZNAME FROM ZPLACE") == ["there"])
  }

  // S6.3
  @Test func anUnknownConfigurationIsRefusedWithThoseThatThereAre() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    let error = caught {
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Cloud", at: nil)
    }
    #expect(error?.code == NSPersistentStoreInvalidTypeError)
    #expect(error?.localizedDescription.contains("People, Places") ?? false)
  }

  // S6.3
  @Test func aRelationshipOutOfAConfigurationIsRefused() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(joined: true))
    let error = caught {
      try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "People", at: nil)
    }
    #expect(error?.code == NSPersistentStoreOpenError)
    #expect(error?.localizedDescription.contains("home") ?? false)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
  }

  // S6.2, S6.3
  @Test func aContainerOpensEachConfigurationDescribed() throws {
    let folder = try SeveralStores([], model: Self.model())
    let container = NSPersistentContainer(name: "travel", managedObjectModel: Self.model())
    container.persistentStoreDescriptions = ["People", "Places"].map { name in
      let description = NSPersistentStoreDescription(url: folder.folder.appendingPathComponent("\(name).sqlite"))
      description.configuration = name
      return description
    }
    // The stores are opened on this thread.
    nonisolated(unsafe) var failures: [any Error] = []
    container.loadPersistentStores { _, error in if let error { failures.append(error) } }
    #expect(failures.isEmpty)
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == ["People", "Places"])
  }

  // S6.2
  @Test func aDescriptionIsCopiedWhole() throws {
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/tmp/a.sqlite"))
    #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
    #expect(description.timeout == 240)
    description.configuration = "People"
    description.isReadOnly = true
    description.timeout = 3
    description.shouldMigrateStoreAutomatically = false
    description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(copy == description && copy !== description)
    #expect(copy.sqlitePragmas["synchronous"] as? String == "FULL")
    #expect(copy.options[NSPersistentStoreTimeoutOption] as? Double == 3)
    copy.setOption(nil, forKey: NSReadOnlyPersistentStoreOption)
    #expect(description.isReadOnly && !copy.isReadOnly)
    #expect(copy != description)
  }
}
