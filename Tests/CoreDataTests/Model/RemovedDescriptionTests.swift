import Testing

@testable import CoreData

/// Descriptions that were taken out of others, or outlive them. S9.1
@Suite struct RemovedDescriptionTests {
  @Test func aPropertyThatWasTakenOutBelongsToNoEntity() {
    let (entity, other, property) = (NSEntityDescription(), NSEntityDescription(), NSAttributeDescription())
    entity.properties = [property]
    entity.properties = []
    #expect(property.entity == nil)
    entity.properties = [property]
    other.properties = [property]
    entity.properties = []
    #expect(property.entity === other)
    other.properties = [property, NSAttributeDescription()]
    #expect(property.entity === other)
  }

  @Test func anElementBelongsToTheEntityOfItsComposite() {
    let (element, composite) = (NSAttributeDescription(), NSCompositeAttributeDescription())
    composite.elements = [element]
    let entity = NSEntityDescription()
    entity.properties = [composite]
    #expect(element.entity === entity)
    entity.properties = []
    #expect(element.entity == nil)
    entity.properties = [composite]
    composite.elements = []
    #expect(element.entity == nil)
  }

  @Test func anIndexAndItsElementsThatWereTakenOutBelongToNone() {
    let (entity, property) = (NSEntityDescription(), NSAttributeDescription())
    let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
    let index = NSFetchIndexDescription(name: "byName", elements: [element])
    entity.indexes = [index]
    entity.indexes = []
    #expect(index.entity == nil)
    #expect(element.indexDescription === index)
    index.elements = []
    #expect(element.indexDescription == nil)
  }

  @Test func anEntityThatWasTakenOutBelongsToNoModel() {
    let (model, other, entity) = (NSManagedObjectModel(), NSManagedObjectModel(), NSEntityDescription())
    model.entities = [entity]
    model.entities = []
    #expect(entity.managedObjectModel == nil)
    model.entities = [entity]
    other.entities = [entity]
    model.entities = []
    #expect(entity.managedObjectModel === other)
  }
}
