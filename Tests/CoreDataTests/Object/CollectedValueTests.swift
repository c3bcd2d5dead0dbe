import CoreData
import Testing

/// Values of any kind that a key path collects through collections of objects. S2.6
@Suite struct CollectedValueTests {
  private static func model() -> NSManagedObjectModel {
    let (box, item) = (Notebook.entity("Box", NSManagedObject.self), Notebook.entity("Item", NSManagedObject.self))
    func connect(_ name: String, isOrdered: Bool) {
      let many = Notebook.relationship(name, to: item, maxCount: 0)
      many.isOrdered = isOrdered
      let back = Notebook.relationship("\(name)Box", to: box, maxCount: 1)
      (many.inverseRelationship, back.inverseRelationship) = (back, many)
      box.properties.append(many)
      item.properties.append(back)
    }
    connect("list", isOrdered: true)
    connect("items", isOrdered: false)
    let place = NSCompositeAttributeDescription()
    (place.name, place.isOptional) = ("place", true)
    place.elements = [Notebook.attribute("city", .stringAttributeType)]
    item.properties += [
      Notebook.attribute("name", .stringAttributeType), Notebook.attribute("price", .decimalAttributeType), place,
    ]
    let model = NSManagedObjectModel()
    model.entities = [box, item]
    return model
  }

  /// A box with three items, two of them alike, in both relationships; on the context's queue.
  private func box(_ context: NSManagedObjectContext) -> NSManagedObject {
    let items = ["a", "a", "b"].map { name in
      context.insert("Item", ["name": name, "price": Decimal(name == "a" ? 1 : 2), "place": ["city": name]])
    }
    let box = context.insert("Box")
    box.setValue(NSOrderedSet(array: items), forKey: "list")
    box.setValue(Set(items), forKey: "items")
    return box
  }

  @Test func anOrderedSetHasEqualValuesOnce() throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let box = box(context)
      let names = try #require(box.value(forKeyPath: "list.name") as? NSOrderedSet)
      #expect(names.array as? [String] == ["a", "b"])
      #expect(box.value(forKeyPath: "list.listBox.@count") as? Int == 1)
      #expect(box.value(forKeyPath: "list.@count") as? Int == 3)
    }
  }

  @Test func decimalsAreCollected() throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let box = box(context)
      let prices = try #require(box.value(forKeyPath: "list.price") as? NSOrderedSet)
      #expect(prices.array.compactMap { $0 as? Decimal } == [1, 2])
      #expect(prices.contains(prices.array[1]))
      #expect(box.value(forKeyPath: "items.price") as? Set<Decimal> == [1, 2])
      let nested = try #require(NSSet(array: [box]).value(forKeyPath: "items.price") as? Set<AnyHashable>)
      #expect(nested == [Set<AnyHashable>([Decimal(1), Decimal(2)])])
      let inOrder = try #require(NSOrderedSet(array: [box]).value(forKeyPath: "items.price") as? NSOrderedSet)
      #expect(inOrder.count == 1)
      #expect((box.value(forKeyPath: "list.@sum.price") as? NSNumber)?.decimalValue == 4)
    }
  }

  @Test func dictionariesAndArraysAreElementsOfASet() throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let box = box(context)
      let places = try #require(box.value(forKeyPath: "items.place") as? Set<AnyHashable>)
      #expect(Set(places.compactMap { ($0.base as? [String: Any])?["city"] as? String }) == ["a", "b"])
      #expect(places.count == 2)
      let lists = NSSet(array: [box]).value(forKeyPath: "@distinctUnionOfObjects.list.@unionOfObjects.name")
      #expect((lists as? Set<AnyHashable>)?.count == 1)
    }
  }

  @Test func membersOfAPrimitiveListChangePlaces() throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let list = try #require(box(context).primitiveValue(forKey: "list") as? NSMutableOrderedSet)
      let members = list.array
      list.replaceObjects(at: [0, 2], with: [members[2], members[0]])
      #expect(list.array as? [NSManagedObject] == [2, 1, 0].compactMap { members[$0] as? NSManagedObject })
    }
  }
}
