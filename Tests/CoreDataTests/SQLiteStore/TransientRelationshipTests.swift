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

  /// Owner and members, where the named sides are transient; ordered or many-to-many where that is asked for.
  private static func model(
    transient: Set<String>, isOrdered: Bool, isMany: Bool, hasInverse: Bool = true
  ) -> NSManagedObjectModel {
    let (owner, member) = (
      Notebook.entity("Owner", NSManagedObject.self), Notebook.entity("Member", NSManagedObject.self)
    )
    let members = Notebook.relationship("members", to: member, maxCount: 0)
    members.isOrdered = isOrdered
    members.isTransient = transient.contains("members")
    owner.properties = [members, Notebook.attribute("name", .stringAttributeType)]
    member.properties = [Notebook.attribute("name", .stringAttributeType)]
    if hasInverse {
      let back = Notebook.relationship("owner", to: owner, maxCount: isMany ? 0 : 1)
      back.isTransient = transient.contains("owner")
      (members.inverseRelationship, back.inverseRelationship) = (back, members)
      member.properties.append(back)
    }
    let model = NSManagedObjectModel()
    model.entities = [owner, member]
    return model
  }

  @Test(
    arguments: [["members"], ["owner"], ["members", "owner"]],
    [(false, false), (true, false), (false, true), (true, true)])
  func aTransientToManyHasNoPlaceInTheFile(transient: Set<String>, kind: (isOrdered: Bool, isMany: Bool)) throws {
    let stack = try TestStack(
      .file, model: Self.model(transient: transient, isOrdered: kind.isOrdered, isMany: kind.isMany))
    #expect(try stack.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'") == [])
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (context.insert("Owner", ["name": "a"]), context.insert("Member", ["name": "b"]))
      a.setValue(
        kind.isOrdered ? NSOrderedSet(array: [b]) : NSSet(array: [b]), forKey: "members")
      try context.save()
      context.reset()
      let again = try #require(try context.all("Owner").first)
      #expect((again.value(forKey: "members") as? NSOrderedSet)?.count ?? 0 == 0)
      #expect((again.value(forKey: "members") as? Set<NSManagedObject>)?.count ?? 0 == 0)
      let count = NSFetchRequest<NSManagedObject>(entityName: "Member")
      #expect(try context.count(for: count) == 1)
      context.delete(again)
      try context.save()
    }
    let batch = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Member"))
    try context.performAndWait { _ = try context.execute(batch) }
    #expect(try stack.sql("SELECT count(*) FROM ZMEMBER") == ["0"])
  }

  @Test func aTransientToManyWithoutInverseHasNoColumn() throws {
    let stack = try TestStack(
      .file, model: Self.model(transient: ["members"], isOrdered: false, isMany: false, hasInverse: false))
    #expect(try stack.sql("SELECT name FROM pragma_table_info('ZMEMBER')") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME"])
    let context = stack.context()
    try context.performAndWait {
      let (a, b) = (context.insert("Owner", ["name": "a"]), context.insert("Member", ["name": "b"]))
      a.setValue(NSSet(array: [b]), forKey: "members")
      try context.save()
      context.delete(a)
      try context.save()
    }
  }
}
