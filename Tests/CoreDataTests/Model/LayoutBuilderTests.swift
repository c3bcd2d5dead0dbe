import RowStore
import Testing

@testable import CoreData

struct LayoutBuilderTests {
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
