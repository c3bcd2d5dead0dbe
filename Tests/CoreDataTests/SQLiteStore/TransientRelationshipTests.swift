import CoreData
import Testing

/// Relationships that are not stored. S6.4
@Suite struct TransientRelationshipTests {
  /// Two entities, each with a to-one relationship to the other that is transient.
  private static func model() -> NSManagedObjectModel {
    let (first, second) = (Notebook.entity("A", NSManagedObject.self), Notebook.entity("B", NSManagedObject.self))
    let there = Notebook.relationship("there", to: second, maxCount: 1)
    let back = Notebook.relationship("back", to: first, maxCount: 1)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    (there.isTransient, back.isTransient) = (true, true)
    first.properties = [there, Notebook.attribute("name", .stringAttributeType)]
    second.properties = [back, Notebook.attribute("name", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [first, second]
    return model
  }

  @Test func aTransientToOneHasNoColumn() throws {
    let stack = try TestStack(.file, model: Self.model())
    for table in ["ZA", "ZB"] {
      #expect(try stack.sql("SELECT name FROM pragma_table_info('\(table)')") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    }
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (context.insert("A", ["name": "a"]), context.insert("B", ["name": "b"]))
      a.setValue(b, forKey: "there")
      try context.save()
      #expect(b.value(forKey: "back") as? NSManagedObject === a)
      context.reset()
      let again = try #require(try context.all("A").first)
      #expect(again.value(forKey: "there") == nil && again.string("name") == "a")
    }
  }
}
