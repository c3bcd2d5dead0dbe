import CoreData
import Testing

/// Relationships that are copied into other entities, which may be of another model. S9.1
@Suite struct CopiedRelationshipTests {
  // S9.1: a copy leads where its names lead in the model that it lands in.
  @Test(arguments: [true, false]) func aCopiedPairIsAPair(originalsLive: Bool) throws {
    let (car, person) = (Notebook.entity("Car", NSManagedObject.self), Notebook.entity("Person", NSManagedObject.self))
    var owner: NSRelationshipDescription? = Notebook.relationship("owner", to: person, maxCount: 1)
    var cars: NSRelationshipDescription? = Notebook.relationship("cars", to: car, maxCount: 0)
    owner?.inverseRelationship = cars
    cars?.inverseRelationship = owner
    car.properties = [try #require(owner?.copy() as? NSRelationshipDescription)]
    person.properties = [try #require(cars?.copy() as? NSRelationshipDescription)]
    if !originalsLive { (owner, cars) = (nil, nil) }
    let model = NSManagedObjectModel()
    model.entities = [car, person]
    let stack = try TestStack(model: model)
    #expect(car.relationshipsByName["owner"]?.inverseRelationship === person.relationshipsByName["cars"])
    #expect(person.relationshipsByName["cars"]?.inverseRelationship === car.relationshipsByName["owner"])
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (context.insert("Car"), context.insert("Person"))
      a.setValue(b, forKey: "owner")
      #expect(b.value(forKey: "cars") as? Set<NSManagedObject> == [a])
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZCAR WHERE ZOWNER = 1") == ["1"])
    withExtendedLifetime((owner, cars)) {}
  }

  // S9.1: into another model, where entities have the names.
  @Test func aPairMayBeCopiedIntoAnotherModel() throws {
    let first = Notebook.model()
    let (note, word) = (Notebook.entity("Note", NSManagedObject.self), Notebook.entity("Word", NSManagedObject.self))
    let words = first.entitiesByName["Note"]?.relationshipsByName["words"]
    let owner = first.entitiesByName["Word"]?.relationshipsByName["note"]
    note.properties = [try #require(words?.copy() as? NSRelationshipDescription)]
    word.properties = [try #require(owner?.copy() as? NSRelationshipDescription)]
    let model = NSManagedObjectModel()
    model.entities = [note, word]
    _ = try TestStack(model: model)
    #expect(note.relationshipsByName["words"]?.destinationEntity === word)
    #expect(word.relationshipsByName["note"]?.inverseRelationship === note.relationshipsByName["words"])
  }
}
