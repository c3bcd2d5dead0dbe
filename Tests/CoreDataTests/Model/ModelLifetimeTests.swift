import Testing

@testable import CoreData

/// Descriptions and objects that are held longer than their model. S9.1
@Suite struct ModelLifetimeTests {
  private func descriptions(inUse: Bool) throws -> [NSEntityDescription] {
    let model = Zoo.model()
    let entities = ["Animal", "Lion", "Keeper"].compactMap { model.entitiesByName[$0] }
    if inUse { _ = try model.freeze() }
    return entities
  }

  @Test(arguments: [true, false]) func anEntityWithoutItsModelLeadsNowhere(inUse: Bool) throws {
    let entities = try descriptions(inUse: inUse)
    #expect(entities.count == 3)
    for entity in entities {
      #expect(entity.managedObjectModel == nil)
      #expect(entity.layout == nil)
      #expect(entity.copy() is NSEntityDescription)
      // Of those that lead to other entities, which are not held.
      #expect(entity.relationshipsByName["badge"]?.destinationEntity == nil)
      #expect(entity.relationshipsByName["badge"]?.inverseRelationship == nil)
    }
    #expect(entities[0].name == "Animal")
  }

  @Test func aPropertyWithoutItsEntityBelongsToNone() throws {
    let property = try #require(Zoo.model().entitiesByName["Keeper"]?.propertiesByName["name"])
    #expect(property.entity == nil)
    property.name = "other"
    let lion = try #require(Zoo.model().entitiesByName["Lion"])
    #expect(lion.superentity == nil)
    #expect(lion.isKindOf(entity: lion))
  }

  @Test func anObjectWithoutContextKeepsItsModel() throws {
    func object() throws -> NSManagedObject {
      let model = Notebook.model()
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let entity = try #require(coordinator.managedObjectModel.entitiesByName["Note"])
      let note = Note(entity: entity, insertInto: nil)
      note.title = "kept"
      return note
    }
    let note = try #require(try object() as? Note)
    #expect(note.title == "kept")
    #expect(note.entity.managedObjectModel.entities.count == 3)
    #expect(note.value(forKey: "number") as? Int == 0)
  }

  @Test func anEntityMayGoToAnotherModel() throws {
    let entities = try descriptions(inUse: true)
    let keeper = entities[2]
    keeper.properties = keeper.properties.filter { $0 is NSAttributeDescription }
    let model = NSManagedObjectModel()
    model.entities = [keeper]
    #expect(try model.freeze().entities.map(\.name) == ["Keeper"])
  }
}
