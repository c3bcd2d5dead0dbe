import RowStore
import Testing

@testable import CoreData

struct LayoutBuilderTests {
  // S9.3: tables and columns are named after them.
  @Test(arguments: ["a b", "a,ZX", "a-b", "a\"b"]) func namesThatNoColumnCanHaveAreRefused(name: String) throws {
    for isOfEntity in [true, false] {
      let entity = NSEntityDescription()
      entity.name = isOfEntity ? name : "A"
      entity.properties = [Notebook.attribute(isOfEntity ? "a" : name, .stringAttributeType)]
      let model = NSManagedObjectModel()
      model.entities = [entity]
      let error = #expect(throws: ModelError.self) { _ = try LayoutBuilder.build(model) }
      #expect(error?.problems.contains { $0.contains("\"\(name)\" has a name with other characters") } ?? false)
    }
  }

  // S9.3
  @Test func aTransientPropertyMayHaveAnyName() throws {
    let entity = NSEntityDescription()
    entity.name = "Größe_2"
    let attribute = Notebook.attribute("a b", .stringAttributeType)
    attribute.isTransient = true
    entity.properties = [attribute, Notebook.attribute("länge", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    #expect(try LayoutBuilder.build(model).entities.count == 1)
  }

  // S9.3
  @Test func aDerivedAttributeOverARelationshipThatLeadsNowhereIsRefused() throws {
    let entity = NSEntityDescription()
    entity.name = "A"
    let relationship = NSRelationshipDescription()
    relationship.name = "many"
    relationship.maxCount = 0
    let derived = NSDerivedAttributeDescription()
    derived.name = "count"
    derived.attributeType = .integer64AttributeType
    derived.derivationExpression = NSExpression(format: "many.@count")
    entity.properties = [relationship, derived]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let error = #expect(throws: ModelError.self) { _ = try LayoutBuilder.build(model) }
    let text = try #require(error?.problems.joined(separator: "\n"))
    #expect(text.contains("A.many:") && text.contains("A.count: many.@count: A.many leads to no entity"))
  }
}
