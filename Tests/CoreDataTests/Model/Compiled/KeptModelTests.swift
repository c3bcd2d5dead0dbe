import SQLite
import Testing

@testable import CoreData

/// The copy of its model that a store keeps. S6.4
@Suite struct KeptModelTests {
  private func content(_ stack: TestStack) throws -> Data? {
    let statement = try Connection(path: stack.url.path, mode: .readOnly).prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
    return try statement.step() ? Data(statement.bytes(at: 0)) : nil
  }

  @Test(arguments: [0, 1, 2, 3]) func aNewStoreKeepsItsModel(index: Int) throws {
    let models: [() throws -> NSManagedObjectModel] = [
      { Zoo.model() }, { Notebook.model() }, { Warehouse.model() },
      { try NSManagedObjectModel(xml: CompiledModelSample.archive, plainObjects: true) },
    ]
    let model = try models[index]()
    let stack = try TestStack(.file, model: model)
    let kept = try #require(try StoreInspection(path: stack.url.path).keptModel)
    #expect(kept.entityVersionHashesByName == model.entityVersionHashesByName)
    for entity in model.entities {
      let copy = try #require(kept.entitiesByName[entity.name ?? ""])
      #expect(copy.superentity?.name == entity.superentity?.name)
      for (name, attribute) in entity.attributesByName where attribute.attributeType == .stringAttributeType {
        #expect(copy.attributesByName[name]?.defaultValue as? String == attribute.defaultValue as? String)
      }
    }
    // It opens the store that it came from.
    #expect(try StoreInspection.differences(path: stack.url.path, model: kept) == [])
  }

  @Test(arguments: [Int64.max, .max - 1, .min, (1 << 53) + 1]) func aLongDefaultIsKept(value: Int64) throws {
    let item = Notebook.entity("Item", NSManagedObject.self)
    item.properties = [Notebook.attribute("place", .integer64AttributeType, defaultValue: value)]
    let model = NSManagedObjectModel()
    model.entities = [item]
    let stack = try TestStack(.file, model: model)
    let kept = try #require(try StoreInspection(path: stack.url.path).keptModel)
    #expect(kept.entitiesByName["Item"]?.attributesByName["place"]?.defaultValue as? Int64 == value)
    #expect(try StoreInspection.differences(path: stack.url.path, model: kept) == [])
  }

  @Test func theContentIsDEFLATEWithoutHeader() throws {
    let stack = try TestStack(.file, model: Zoo.model())
    let data = try #require(try content(stack))
    let archive = try Deflate.expand(Array(data), sizeMax: 1 << 20)
    #expect(archive.starts(with: Array("bplist00".utf8)))
    let list = try PropertyListSerialization.propertyList(from: Data(archive), format: nil) as? [String: Any]
    #expect(list?["$archiver"] as? String == "NSKeyedArchiver")
  }

  @Test(arguments: [
    "NULL", "x'00'", "zeroblob(100000)", "'text'", "randomblob(1000)", "zeroblob(20000000)",
  ])
  func contentThatIsNoModelIsNone(sql: String) throws {
    let stack = try TestStack(.file, model: Zoo.model())
    try Connection.write(stack.url, "UPDATE Z_MODELCACHE SET Z_CONTENT = \(sql)")
    #expect(try StoreInspection(path: stack.url.path).keptModel == nil)
    _ = try TestStack(model: Zoo.model(), url: stack.url)
  }

  @Test func whatIsTooLargeWhenExpandedIsRefused() throws {
    let bomb = try Deflate.compress([UInt8](repeating: 0, count: 1 << 20))
    #expect(try Deflate.expand(bomb, sizeMax: 1 << 20).count == 1 << 20)
    #expect(throws: Deflate.Failure.self) { try Deflate.expand(bomb, sizeMax: (1 << 20) - 1) }
    #expect(throws: Deflate.Failure.self) { try Deflate.expand(Array(bomb.dropLast(5)), sizeMax: 1 << 20) }
    #expect(throws: Deflate.Failure.self) { try Deflate.expand([], sizeMax: 1 << 20) }
  }
}
