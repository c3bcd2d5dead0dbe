import Testing

@testable import CoreData

/// Uniqueness constraints and indexes over elements of composite attributes. S3.5, S6.4, S9.2
@Suite(.oneThread) struct CompositeConstraintTests {
  private func stack(_ constraints: [[Any]]) throws -> TestStack {
    try TestStack(model: Estate.model(constraints: constraints))
  }

  private func address(_ city: String?, _ zip: Int?, _ lat: Double? = nil) -> [String: Any] {
    var address: [String: Any] = [:]
    address["city"] = city
    address["zip"] = zip
    if let lat { address["geo"] = ["lat": lat] }
    return address
  }

  /// Every house as "n: city zip lat", by number.
  private func houses(_ stack: TestStack) throws -> [String] {
    try stack.sql(
      "SELECT ZN || ': ' || ifnull(ZCITY, '-') || ' ' || ifnull(ZZIP, '-') || ' ' || ifnull(ZLAT, '-') FROM ZHOUSE ORDER BY 1"
    )
  }

  // S6.4
  @Test(arguments: [false, true]) func aConstraintIsAUniqueIndex(isByDescription: Bool) throws {
    let model = Estate.model()
    let house = try #require(model.entitiesByName["House"])
    let addr = try #require(house.propertiesByName["addr"] as? NSCompositeAttributeDescription)
    let lat = try #require((addr.elements[2] as? NSCompositeAttributeDescription)?.elements[0])
    house.uniquenessConstraints =
      isByDescription ? [[addr.elements[0], lat], ["n"]] : [["addr.city", "addr.geo.lat"], ["n"]]
    let index = NSFetchIndexDescription(
      name: "byZip", elements: [NSFetchIndexElementDescription(property: addr.elements[1], collationType: .binary)])
    house.indexes = [index]
    house.compoundIndexes = [["addr.zip", "n"]]
    let other = Estate.model(constraints: [["addr.city", "addr.geo.lat"], ["n"]])
    #expect(model.entityVersionHashesByName == other.entityVersionHashesByName)
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    for model in [model, copy] {
      let stack = try TestStack(model: model)
      #expect(
        try stack.sql("SELECT sql FROM sqlite_master WHERE name LIKE 'Z_House_%' OR name LIKE '%ZIP%' ORDER BY name")
          == [
            "CREATE INDEX ZHOUSE_ZZIP_ZN ON ZHOUSE (ZZIP, ZN)",
            "CREATE UNIQUE INDEX Z_House_UNIQUE_addr_city_addr_geo_lat ON ZHOUSE (ZCITY COLLATE BINARY ASC, ZLAT COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX Z_House_UNIQUE_n ON ZHOUSE (ZN COLLATE BINARY ASC)",
            "CREATE INDEX Z_House_byZip ON ZHOUSE (ZZIP COLLATE BINARY ASC)",
          ])
    }
  }

  // S9.2
  @Test func whatIsNoElementIsNamed() throws {
    for (key, message) in [
      ("addr", "addr is a composite attribute; name its elements"), ("addr.geo", "addr.geo is a composite attribute"),
      ("addr.street", "addr.street is no stored attribute"), ("n.city", "n.city is no stored attribute"),
    ] {
      let error = #expect(throws: ModelError.self) { _ = try Estate.model(constraints: [[key]]).freeze() }
      #expect(error?.problems.first?.contains(message) ?? false, "\(error)")
    }
  }

  // S3.5
  @Test func whoCollidesIsNamedAndNullsNeverCollide() throws {
    let stack = try stack([["addr.city", "addr.geo.lat"]])
    try stack.change { context in
      context.insert("House", ["n": 1, "addr": address("Rome", 1, 1.5)])
      context.insert("House", ["n": 2, "addr": address("Rome", 1)])
      context.insert("House", ["n": 3, "addr": address("Rome", 1)])
      context.insert("House", ["n": 4, "addr": address("Oslo", 1, 1.5)])
    }
    let context = stack.context()
    try context.performAndWait {
      let rival = context.insert("House", ["n": 5, "addr": address("Rome", 2, 1.5)])
      let error = try #require(caught { try context.save() })
      #expect(error.code == NSManagedObjectConstraintMergeError)
      let conflict = try #require(
        (error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first)
      #expect(conflict.constraint == ["addr.city", "addr.geo.lat"] && conflict.conflictingObjects == [rival])
      #expect(conflict.constraintValues["addr.city"] as? String == "Rome")
      #expect(conflict.constraintValues["addr.geo.lat"] as? Double == 1.5)
      rival.setValue(2.5, forKeyPath: "addr.geo.lat")
      try context.save()
      // Values may change places.
      let first = try #require(try context.all("House", where: "n", is: 1).first)
      first.setValue(2.5, forKeyPath: "addr.geo.lat")
      rival.setValue(1.5, forKeyPath: "addr.geo.lat")
      try context.save()
    }
    #expect(try houses(stack) == ["1: Rome 1 2.5", "2: Rome 1 -", "3: Rome 1 -", "4: Oslo 1 1.5", "5: Rome 2 1.5"])
  }

  // S3.5
  @Test(arguments: [
    (NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, ["1: Rome 1 -", "2: Oslo 5 -"]),
    (.rollbackMergePolicyType, ["1: Rome 1 -", "2: Oslo 2 -"]),
    (.mergeByPropertyObjectTrumpMergePolicyType, ["2: Rome 5 -"]),
    (.overwriteMergePolicyType, ["2: Rome 5 -"]),
  ])
  func aPolicyGivesBackTheElementAlone(policy: NSMergePolicyType, expected: [String]) throws {
    let stack = try stack([["addr.city"]])
    try stack.change { context in
      context.insert("House", ["n": 1, "addr": address("Rome", 1)])
      context.insert("House", ["n": 2, "addr": address("Oslo", 2)])
    }
    let context = stack.context()
    try context.performAndWait {
      let second = try #require(try context.all("House", where: "n", is: 2).first)
      second.setValue(address("Rome", 5), forKey: "addr")
      context.mergePolicy = NSMergePolicy(merge: policy)
      try context.save()
    }
    #expect(try houses(stack) == expected)
  }

  // S7.4
  @Test func aBatchInsertMeetsTheConstraint() throws {
    let stack = try stack([["addr.city"]])
    try stack.change { $0.insert("House", ["n": 1, "addr": address("Rome", 1)]) }
    let context = stack.context()
    try context.performAndWait {
      let insert = NSBatchInsertRequest(
        entityName: "House", objects: [["n": 2, "addr": address("Rome", 2)], ["n": 3, "addr": address("Oslo", 3)]])
      #expect(cocoaCode { try context.execute(insert) } == NSManagedObjectConstraintMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.execute(insert)
    }
    #expect(try houses(stack) == ["2: Rome 2 -", "3: Oslo 3 -"])
  }
}
