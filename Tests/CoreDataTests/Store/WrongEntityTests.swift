import CoreData
import SQLite
import Testing

/// Files with rows that are not of the entity that leads to them: those rows are another object's. S6.3
@Suite struct WrongEntityTests {
  /// A keeper with a lion as favourite, and a bird.
  private func stack(_ model: NSManagedObjectModel = Zoo.model()) throws -> TestStack {
    let stack = try TestStack(.file, model: model)
    try stack.change { context in
      let lion = context.insert("Lion", ["name": "l", "pride": 7])
      context.insert("Bird", ["name": "b"])
      context.insert("Keeper", ["name": "k", "favourite": lion])
    }
    return stack
  }

  /// Another number of the entity in the lion's row.
  private func makeLion(_ entity: String, in stack: TestStack, newer: Bool = false) throws {
    try Connection.write(
      stack.url,
      "UPDATE ZANIMAL SET Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'), "
        + "Z_OPT = Z_OPT + \(newer ? 1 : 0) WHERE ZNAME = 'l'")
  }

  // S6.3
  @Test func aReferenceToARowOfAnotherEntityLeadsToNothing() throws {
    let stack = try stack()
    try makeLion("Bird", in: stack)
    let other = try TestStack(model: Zoo.model(), url: stack.url)
    let context = other.context()
    try context.performAndWait {
      let keeper = try #require(try context.all("Keeper").first)
      let lion = try #require(keeper.value(forKey: "favourite") as? NSManagedObject)
      #expect(lion.entity.name == "Lion")
      #expect(lion.value(forKey: "pride") == nil)
      let animals = try context.all("Animal")
      #expect(Set(animals.map { $0.entity.name }) == ["Bird"])
      #expect(Set(animals.map { $0.string("name") }) == ["b", "l"])
      // Now the reference leads to an object of another entity than it names.
      for animal in animals { animal.setValue("seen", forKey: "voice") }
      context.delete(keeper)
      try context.save()
      #expect(try context.all("Bird", where: "voice", is: "seen").count == 2)
    }
  }

  // S6.3: some or many at once, which are found in other ways.
  @Test(arguments: [1, 20]) func aFetchFindsTheObjectOfTheRow(count: Int) throws {
    let stack = try stack()
    try stack.change { context in
      for number in 1..<count { context.insert("Lion", ["name": "l", "legs": number]) }
    }
    let context = stack.context()
    try context.performAndWait {
      let lions = try context.all("Lion")
      for lion in lions { #expect(lion.value(forKey: "name") as? String == "l") }
      lions[0].setValue(1, forKey: "pride")
      try makeLion("Cat", in: stack, newer: true)
      let animals = try context.all("Animal", where: "name", is: "l")
      #expect(animals.count == count)
      for animal in animals {
        #expect(animal.entity.name == "Cat")
        animal.setValue(9, forKey: "lives")
      }
      for lion in lions { #expect(lion.isDeleted) }
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZANIMAL WHERE ZLIVES = 9") == ["\(count)"])
  }

  // S6.3
  @Test func aRefreshOfARowOfAnotherEntityFindsNothing() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let lion = try #require(try context.all("Lion").first)
      #expect(lion.value(forKey: "pride") as? Int == 7)
      lion.setValue(8, forKey: "pride")
      try makeLion("Bird", in: stack, newer: true)
      context.stalenessInterval = 0
      context.refresh(lion, mergeChanges: true)
      #expect(lion.value(forKey: "pride") as? Int == 8)
      context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZANIMAL WHERE ZPRIDE IS NOT NULL AND ZPRIDE != 7") == ["0"])
  }

  // S6.3
  @Test func aRowOfAnotherEntityIsNoMember() throws {
    let model = Zoo.model()
    let entities = model.entitiesByName
    let home = Notebook.relationship("home", to: try #require(entities["Badge"]), maxCount: 1)
    let cats = Notebook.relationship("cats", to: try #require(entities["Cat"]), maxCount: 0)
    (home.inverseRelationship, cats.inverseRelationship) = (cats, home)
    entities["Badge"]?.properties.append(cats)
    entities["Cat"]?.properties.append(home)
    let stack = try stack(model)
    try stack.change { context in
      let lion = try #require(try context.all("Lion").first)
      context.insert("Badge", ["cats": Set([lion])])
    }
    try Connection.write(stack.url, "UPDATE ZANIMAL SET ZHOME = (SELECT ZHOME FROM ZANIMAL WHERE ZNAME = 'l')")
    for isPrefetched in [false, true] {
      let context = stack.context()
      try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Badge")
        if isPrefetched { request.relationshipKeyPathsForPrefetching = ["cats"] }
        let badge = try #require(try context.fetch(request).first)
        #expect((badge.value(forKey: "cats") as? Set<NSManagedObject>)?.map { $0.string("name") } == ["l"])
        if isPrefetched { context.delete(badge) }
        try context.save()
      }
    }
  }

  // S6.3: an ID that names the superentity makes an object that is none of the subentity's class.
  @Test func aFetchGivesNoObjectOfAnotherClass() throws {
    let (base, leaf) = (
      Notebook.entity("Base", WrongEntityBase.self), Notebook.entity("Leaf", WrongEntityLeaf.self)
    )
    base.properties = [Notebook.attribute("name", .stringAttributeType)]
    base.subentities = [leaf]
    let model = NSManagedObjectModel()
    model.entities = [base, leaf]
    let stack = try TestStack(.file, model: model)
    try stack.change { context in context.insert("Leaf", ["name": "l"]) }
    let context = stack.context()
    try context.performAndWait {
      let leaf = try #require(try context.all("Leaf").first?.objectID)
      let url = leaf.uriRepresentation().absoluteString.replacing("/Leaf/", with: "/Base/")
      let baseURL = try #require(URL(string: url))
      context.reset()
      let id = try #require(
        stack.container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: baseURL))
      let object = context.object(with: id)
      #expect(object.string("name") == "l")
      #expect(throws: NSError.self) { _ = try context.fetch(NSFetchRequest<WrongEntityLeaf>(entityName: "Leaf")) }
      #expect(try context.fetch(NSFetchRequest<WrongEntityBase>(entityName: "Leaf")).first === object)
    }
  }
}

/// With classes of their own, one above the other.
class WrongEntityBase: NSManagedObject {}

final class WrongEntityLeaf: WrongEntityBase {}
