import CoreData
import Testing

/// A constraint of a sub-entity over an attribute that it inherits: cats are unique by name, and so is every animal, since
/// the index is over the table of all of them. S3.5
@Suite struct InheritedConstraintTests {
  private static func stack() throws -> TestStack {
    let model = Zoo.model()
    model.entitiesByName["Cat"]?.uniquenessConstraints = [["name"]]
    return try TestStack(model: model)
  }

  /// Saves an animal in a context of its own; the error of the save.
  private func insert(
    _ entity: String, _ values: [String: Any], _ stack: TestStack, policy: NSMergePolicy
  ) throws -> NSError? {
    let context = stack.context()
    context.mergePolicy = policy
    return context.performAndWait {
      context.insert(entity, values)
      return caught { try context.save() }
    }
  }

  static let pairs = [["Bird", "Lion"], ["Lion", "Bird"], ["Bird", "Bird"]]

  // S3.5, S6.4
  @Test(arguments: pairs) func theErrorPolicyNamesWhoCollides(entities: [String]) throws {
    let stack = try Self.stack()
    try stack.change { $0.insert(entities[0], ["name": "Leo"]) }
    let error = try #require(try insert(entities[1], ["name": "Leo"], stack, policy: .error))
    #expect(error.code == NSManagedObjectConstraintMergeError)
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.map(\.constraint) == [["name"]])
    #expect(conflicts?.first?.databaseObject?.entity.name == entities[0])
    #expect(conflicts?.first?.conflictingObjects.map(\.entity.name) == [entities[1]])
  }

  // S3.5
  @Test(arguments: pairs) func aPolicyDecides(entities: [String]) throws {
    let stack = try Self.stack()
    try stack.change { $0.insert(entities[0], ["name": "Leo", "legs": 4]) }
    #expect(try insert(entities[1], ["name": "Leo", "legs": 5], stack, policy: .mergeByPropertyObjectTrump) == nil)
    #expect(try stack.sql("SELECT ZLEGS FROM ZANIMAL") == ["5"])
  }

  // S3.5: values may change places between objects of one save, whatever their kind.
  @Test func siblingsExchangeTheirValues() throws {
    let stack = try Self.stack()
    try stack.change { context in
      context.insert("Bird", ["name": "Leo", "legs": 2])
      context.insert("Lion", ["name": "Mia", "legs": 4])
    }
    try stack.change { context in
      for animal in try context.all("Animal") {
        animal.setValue(animal.string("name") == "Leo" ? "Mia" : "Leo", forKey: "name")
      }
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZANIMAL ORDER BY ZLEGS") == ["Mia", "Leo"])
  }

  // S3.5, S7.4
  @Test func aBatchInsertKeepsTheRowThatIsThere() throws {
    let stack = try Self.stack()
    try stack.change { $0.insert("Bird", ["name": "Leo", "legs": 2]) }
    let request = NSBatchInsertRequest(entityName: "Bird", objects: [["name": "Leo", "legs": 5]])
    for (policy, legs) in [(NSMergePolicy.mergeByPropertyStoreTrump, "2"), (.mergeByPropertyObjectTrump, "5")] {
      let context = stack.context()
      context.mergePolicy = policy
      try context.performAndWait { _ = try context.result(request) }
      #expect(try stack.sql("SELECT ZLEGS FROM ZANIMAL") == [legs])
    }
  }
}
