import CoreData
import Testing

/// A constraint over an attribute that the store derives: keepers are unique by their names without case and accents. S3.5, S9.2
@Suite struct DerivedConstraintTests {
  private static func stack() throws -> TestStack {
    let model = Zoo.model()
    let plain = NSDerivedAttributeDescription()
    (plain.name, plain.attributeType) = ("plain", .stringAttributeType)
    plain.derivationExpression = NSExpression(format: "canonical:(name)")
    model.entitiesByName["Keeper"]?.properties += [plain]
    model.entitiesByName["Keeper"]?.uniquenessConstraints = [["plain"]]
    return try TestStack(.file, model: model)
  }

  private func names(_ stack: TestStack) throws -> [String] {
    try stack.sql("SELECT ZNAME || ' ' || ZPLAIN FROM ZKEEPER ORDER BY Z_PK")
  }

  // S3.5
  @Test func theErrorPolicyNamesWhoCollides() throws {
    let stack = try Self.stack()
    try stack.change { $0.insert("Keeper", ["name": "Zoé"]) }
    let context = stack.context()
    try context.performAndWait {
      let keeper = context.insert("Keeper", ["name": "ZOE"])
      let error = try #require(caught { try context.save() })
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
      #expect(conflicts?.map(\.constraint) == [["plain"]])
      #expect(conflicts?.first?.conflictingObjects == [keeper])
      #expect(conflicts?.first?.databaseObject?.string("name") == "Zoé")
    }
    #expect(try names(stack) == ["Zoé zoe"])
  }

  // S3.5
  @Test(arguments: [(NSMergePolicy.mergeByPropertyObjectTrump, "ZOE zoe"), (.mergeByPropertyStoreTrump, "Zoé zoe")])
  func aPolicyDecidesAboutAnInsertedObject(policy: NSMergePolicy, row: String) throws {
    let stack = try Self.stack()
    try stack.change { $0.insert("Keeper", ["name": "Zoé"]) }
    let context = stack.context()
    context.mergePolicy = policy
    try context.performAndWait {
      context.insert("Keeper", ["name": "ZOE"])
      try context.save()
    }
    #expect(try names(stack) == [row])
  }

  // S3.5: an object that took another's value gets the name back that it was saved with.
  @Test func aChangedObjectGetsItsNameBack() throws {
    let stack = try Self.stack()
    try stack.change { context in for name in ["Zoé", "Mia"] { context.insert("Keeper", ["name": name]) } }
    let context = stack.context()
    context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    try context.performAndWait {
      try #require(try context.all("Keeper", where: "name", is: "Mia").first).setValue("zoe", forKey: "name")
      try context.save()
    }
    #expect(try names(stack).sorted() == ["Mia mia", "Zoé zoe"])
  }

  // S3.5: values may change places between objects of one save.
  @Test func keepersExchangeTheirNames() throws {
    let stack = try Self.stack()
    try stack.change { context in for name in ["Zoé", "Mia"] { context.insert("Keeper", ["name": name]) } }
    try stack.change { context in
      for keeper in try context.all("Keeper") {
        keeper.setValue(keeper.string("name") == "Mia" ? "ZOE" : "MIA", forKey: "name")
      }
    }
    #expect(try names(stack).sorted() == ["MIA mia", "ZOE zoe"])
  }
}
