import Testing

@testable import CoreData

/// S7.4, S9.2: transformable and derived attributes in batch requests.
@Suite(.everyStore) struct BatchComputedTests {
  private static func model() -> NSManagedObjectModel {
    let (list, item) = (Notebook.entity("List", NSManagedObject.self), Notebook.entity("Item", NSManagedObject.self))
    let items = Notebook.relationship("items", to: item, maxCount: 0)
    let itsList = Notebook.relationship("list", to: list, maxCount: 1)
    (items.inverseRelationship, itsList.inverseRelationship) = (itsList, items)
    func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSAttributeDescription {
      let attribute = NSDerivedAttributeDescription()
      (attribute.name, attribute.attributeType) = (name, type)
      attribute.derivationExpression = NSExpression(format: format)
      return attribute
    }
    list.properties = [
      Notebook.attribute("name", .stringAttributeType), Notebook.attribute("note", .stringAttributeType), items,
      Notebook.attribute("tags", .transformableAttributeType, defaultValue: ["default"]),
      derived("itemCount", .integer64AttributeType, "items.@count"),
      derived("plain", .stringAttributeType, "canonical:(note)"),
    ]
    item.properties = [Notebook.attribute("name", .stringAttributeType), itsList]
    list.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [list, item]
    return model
  }

  private let stack: TestStack

  init() throws {
    stack = try TestStack(model: Self.model())
    try stack.change { context in
      let list = context.insert("List", ["name": "a", "note": "É"])
      for name in ["x", "y"] { context.insert("Item", ["name": name, "list": list]) }
    }
  }

  private func execute(_ request: NSPersistentStoreRequest, _ policy: NSMergePolicyType = .errorMergePolicyType) throws
  {
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = NSMergePolicy(merge: policy)
      _ = try context.execute(request)
    }
  }

  private func rows() throws -> [String] {
    try stack.sql(
      "SELECT ZNAME || ' ' || ifnull(ZITEMCOUNT, '-') || ' ' || ifnull(ZPLAIN, '-') FROM ZLIST ORDER BY ZNAME")
  }

  private func tags(_ name: String) throws -> [String]? {
    let context = stack.context()
    return try context.performAndWait { try context.named("List", name).value(forKey: "tags") as? [String] }
  }

  // S3.5, S9.2: a row that an insertion meets keeps what the store has computed.
  @Test(
    arguments: [NSMergePolicyType.overwriteMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType], [false, true])
  func derivedValuesUnderACollision(policy: NSMergePolicyType, byHandler: Bool) throws {
    let request: NSBatchInsertRequest
    if byHandler {
      var count = 0
      request = NSBatchInsertRequest(entityName: "List") { (object: NSManagedObject) in
        count += 1
        object.setValue("a", forKey: "name")
        return count > 1
      }
    } else {
      request = NSBatchInsertRequest(entityName: "List", objects: [["name": "a"]])
    }
    try execute(request, policy)
    let isNoteKept = policy == .mergeByPropertyObjectTrumpMergePolicyType && !byHandler
    #expect(try rows() == ["a 2 \(isNoteKept ? "e" : "-")"])
  }

  // S9.2
  @Test func derivedAttributesCannotBeSet() throws {
    let update = NSBatchUpdateRequest(entityName: "List")
    for values in [["plain": "wrong"], ["itemCount": 9]] as [[String: Any]] {
      update.propertiesToUpdate = values
      #expect(cocoaCode { try execute(update) } == NSManagedObjectValidationError)
      let insert = NSBatchInsertRequest(entityName: "List", objects: [values])
      #expect(cocoaCode { try execute(insert) } == NSManagedObjectValidationError)
    }
    #expect(try rows() == ["a 2 e"])
  }

  // S7.4, S9.2
  @Test(arguments: [false, true]) func aHandlersTransformableValuesAreWritten(isSet: Bool) throws {
    var count = 0
    try execute(
      NSBatchInsertRequest(entityName: "List") { (object: NSManagedObject) in
        count += 1
        object.setValue("n\(count)", forKey: "name")
        if isSet { object.setValue(["set", "\(count)"], forKey: "tags") }
        return count > 2
      })
    for number in 1...2 { #expect(try tags("n\(number)") == (isSet ? ["set", "\(number)"] : ["default"])) }
  }

  // S7.4, S9.2: also before any save of the model's objects.
  @Test func aTransformableDefaultIsWritten() throws {
    let context = try TestStack(model: Self.model()).context()
    try context.performAndWait {
      let lists = [["name": "b"], ["name": "c", "tags": ["own"]]] as [[String: Any]]
      try context.execute(NSBatchInsertRequest(entityName: "List", objects: lists))
      let tags = { try context.named("List", $0).value(forKey: "tags") as? [String] }
      #expect(try tags("b") == ["default"])
      #expect(try tags("c") == ["own"])
    }
  }
}
