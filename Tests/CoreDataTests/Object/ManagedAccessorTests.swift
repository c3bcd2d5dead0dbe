import CoreData
import Testing

final class AccessedThing: NSManagedObject {}

/// The calls of generated accessors, for each type that a managed property can have.
struct ManagedAccessorTests {
  private static let url = _PropertyKey("url")
  private static let price = _PropertyKey("price")
  private static let count = _PropertyKey("count")
  private static let flag = _PropertyKey("flag")
  private static let real = _PropertyKey("real")
  private static let others = _PropertyKey("others")
  private static let other = _PropertyKey("other")

  private let model: NSManagedObjectModel = {
    let thing = Notebook.entity("Thing", AccessedThing.self)
    let others = Notebook.relationship("others", to: thing, maxCount: 0)
    let other = Notebook.relationship("other", to: thing, maxCount: 1)
    (others.inverseRelationship, other.inverseRelationship) = (other, others)
    thing.properties = [
      Notebook.attribute("url", .URIAttributeType), Notebook.attribute("price", .decimalAttributeType),
      Notebook.attribute("count", .integer32AttributeType), Notebook.attribute("flag", .booleanAttributeType),
      Notebook.attribute("real", .floatAttributeType), others, other,
    ]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }()

  private func thing() throws -> AccessedThing {
    _ = NSPersistentStoreCoordinator(managedObjectModel: model)
    let entity = try #require(model.entitiesByName["Thing"])
    return AccessedThing(entity: entity, insertInto: nil)
  }

  @Test func valuesComeBackAsTheirType() throws {
    let thing = try thing()
    #expect(thing._url(Self.url) == nil && thing._decimal(Self.price) == nil && thing._number(Self.count) == nil)
    thing._setURL(Self.url, URL(string: "https://a.b"))
    thing._setDecimal(Self.price, 12.5)
    #expect(thing._url(Self.url)?.host == "a.b")
    #expect(thing._decimal(Self.price) == 12.5 && thing._decimalNumber(Self.price) == NSDecimalNumber(value: 12.5))
    #expect(thing.value(forKey: "price") as? Decimal == 12.5)
    thing._setURL(Self.url, nil)
    #expect(thing.value(forKey: "url") == nil)
  }

  @Test func numbersAreWrappedByTheirAttribute() throws {
    let thing = try thing()
    thing._setNumber(Self.count, 7)
    thing._setNumber(Self.flag, true)
    thing._setNumber(Self.real, 1.5)
    #expect(thing._number(Self.count) == 7 && thing._integer(Self.count) == 7)
    #expect(thing._number(Self.flag)?.boolValue == true && thing._bool(Self.flag))
    #expect(thing._number(Self.real) == 1.5 && thing._double(Self.real) == 1.5)
    thing._setNumber(Self.count, nil)
    #expect(thing._number(Self.count) == nil && thing._integer(Self.count) == 0)
  }

  // S2.6: declared as a decimal number, as code for Apple's systems has it of any attribute of numbers.
  @Test(arguments: [count, real]) func aDecimalNumberIsOfAnyNumericAttribute(key: _PropertyKey) throws {
    let thing = try thing()
    #expect(thing._decimalNumber(key) == nil)
    thing._setDecimal(key, 12)
    #expect(thing._decimalNumber(key) == 12 && thing._number(key) == 12)
    #expect((thing.value(forKey: key.name) as? NSNumber)?.isEqual(to: 12) == true)
    thing._setDecimal(key, nil)
    #expect(thing._decimal(key) == nil && thing.value(forKey: key.name) == nil)
  }

  @Test func relationshipsComeAsSetsOfTheirClass() throws {
    let all = try (0..<4).map { _ in try thing() }
    all[0]._add(all: NSSet(array: [all[1], all[2]]), to: Self.others)
    all[0]._add(all: Set([all[3]]), to: Self.others)
    all[0]._remove(all: [all[1]], from: Self.others)
    let members: Set<AccessedThing> = all[0]._toMany(Self.others, of: AccessedThing.self)
    #expect(members == [all[2], all[3]] && all[0]._set(Self.others).count == 2)
    #expect(
      all[2]._toOne(Self.other, as: AccessedThing.self) === all[0]
        && all[1]._toOne(Self.other, as: AccessedThing.self) == nil)
    all[0]._setSet(Self.others, nil)
    #expect(all[0]._set(Self.others).count == 0)
    all[0]._setToMany(Self.others, of: Set([all[1]]))
    #expect(all[1]._toOne(Self.other) === all[0])
  }
}
