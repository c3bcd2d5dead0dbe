import CoreData
import Testing

@Suite struct ValidationRuleTests {
  // Sendable: made once, and nothing in them changes.
  nonisolated(unsafe) static let rejected: [(String, Any, Int)] = [
    ("name", "a", NSValidationStringTooShortError), ("name", "abcde", NSValidationStringTooLongError),
    ("name", "ABC", NSValidationStringPatternMatchingError), ("name", "", NSValidationStringTooShortError),
    ("age", 0, NSValidationNumberTooSmallError), ("age", 121, NSValidationNumberTooLargeError),
    ("weight", 0.4, NSValidationNumberTooSmallError), ("weight", 1.6, NSValidationNumberTooLargeError),
    ("worth", Decimal(0), NSValidationNumberTooSmallError), ("worth", Decimal(10), NSValidationNumberTooLargeError),
    ("day", Date(timeIntervalSinceReferenceDate: 99), NSValidationDateTooSoonError),
    ("day", Date(timeIntervalSinceReferenceDate: 201), NSValidationDateTooLateError),
    ("code", 3, NSManagedObjectValidationError), ("photo", Data(count: 3), NSManagedObjectValidationError),
  ]

  // S3.1, S9.2
  @Test(arguments: rejected.indices) func aValueAgainstTheRuleFailsTheSaveWithItsCode(index: Int) throws {
    let (key, value, code) = Self.rejected[index]
    let stack = try TestStack(model: Ruled.model())
    let context = stack.context()
    try context.performAndWait {
      let thing = context.insert("Thing", [key: value])
      let error = try #require(caught { try context.save() })
      #expect(error.domain == NSCocoaErrorDomain)
      #expect(error.code == code)
      #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
      #expect(error.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect(error.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
      #expect(error.userInfo[NSValidationValueErrorKey] as? AnyHashable == value as? AnyHashable)
      #expect(context.insertedObjects == [thing])
      thing.setValue(nil, forKey: key)
      try context.save()
    }
  }

  // S3.1, S9.2: the edges themselves are allowed, and so is nil.
  @Test func valuesWithinTheRulesAreSaved() throws {
    let stack = try TestStack(model: Ruled.model())
    try stack.change { context in
      context.insert(
        "Thing",
        [
          "name": "ab", "age": 1, "weight": 0.5, "worth": Decimal(9), "code": 2,
          "day": Date(timeIntervalSinceReferenceDate: 100), "photo": Data(count: 2),
        ])
      context.insert(
        "Thing",
        ["name": "abcd", "age": 120, "weight": 1.5, "day": Date(timeIntervalSinceReferenceDate: 200)])
      context.insert("Thing")
    }
    #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["3"])
  }

  // S3.1
  @Test func anUpdateIsValidatedToo() throws {
    let context = try TestStack(model: Ruled.model()).context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["age": 5])
      try context.save()
      thing.setValue(0, forKey: "age")
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooSmallError)
      #expect(thing.isUpdated)
    }
  }

  // S3.1, S9.2
  @Test(arguments: [(0, nil), (1, 1580), (2, nil), (3, nil), (4, 1590)] as [(Int, Int?)])
  func aRelationshipHasItsLeastAndGreatestCount(count: Int, code: Int?) throws {
    let context = try TestStack(model: Ruled.model()).context()
    context.performAndWait {
      let thing = context.insert("Thing")
      for serial in 0..<count { context.insert("Part", ["serial": serial, "owner": thing]) }
      let error = caught { try context.save() }
      #expect(error?.code == code)
      #expect(error == nil || error?.userInfo[NSValidationKeyErrorKey] as? String == "parts")
      #expect(error == nil || (error?.userInfo[NSValidationValueErrorKey] as? Set<NSManagedObject>)?.count == count)
    }
  }

  // S3.1: with a least count an empty relationship that is not optional lacks objects, without one it is missing.
  @Test(arguments: [(0, nil), (1, 1580)])
  func aMandatoryRelationshipMayBeEmptyWithoutALeastCount(minCount: Int, code: Int?) throws {
    let model = Ruled.model()
    let parts = model.entitiesByName["Thing"]?.relationshipsByName["parts"]
    parts?.isOptional = false
    parts?.minCount = minCount
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let thing = context.insert("Thing")
      #expect(cocoaCode { try context.save() } == code)
      context.insert("Part", ["owner": thing])
      try context.save()
      let part = try #require(thing.objects("parts").first)
      part.setValue(nil, forKey: "owner")
      #expect(cocoaCode { try context.save() } == code)
    }
  }

  // S3.1, S2.3
  @Test func anUntouchedRelationshipIsNotRead() throws {
    let stack = try TestStack(model: Ruled.model())
    try stack.change { context in
      let thing = context.insert("Thing")
      for serial in 0..<2 { context.insert("Part", ["serial": serial, "owner": thing]) }
    }
    let context = stack.context()
    try context.performAndWait {
      let thing = try #require(context.all("Thing").first)
      thing.setValue(5, forKey: "age")
      try context.save()
      #expect(thing.hasFault(forRelationshipNamed: "parts"))
      let part = try #require(context.all("Part").first)
      part.setValue(nil, forKey: "owner")
      #expect(cocoaCode { try context.save() } == NSValidationRelationshipLacksMinimumCountError)
    }
  }

  // S3.1
  @Test func warningsSayWhatIsWrong() throws {
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    thing.properties = [
      Ruled.attribute("age", .integer16AttributeType, ["SELF >= 1", "SELF < 9"], warnings: ["Too young."])
    ]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    #expect(thing.attributesByName["age"]?.validationWarnings as? [String] == ["Too young."])
    let context = try TestStack(model: model).context()
    context.performAndWait {
      let object = context.insert("Thing", ["age": 0])
      let error = caught { try context.save() }
      #expect(error?.localizedDescription == "Too young.")
      #expect(error?.code == NSValidationNumberTooSmallError)
      object.setValue(9, forKey: "age")
      #expect(caught { try context.save() }?.localizedDescription.contains("SELF < 9") == true)
    }
  }

  // S3.1: a predicate of any class will do.
  @Test func aBlockMayBeARule() throws {
    let thing = Notebook.entity("Thing", NSManagedObject.self)
    let age = Notebook.attribute("age", .integer16AttributeType)
    age.setValidationPredicates(
      [NSPredicate { value, _ in (value as? Int).map { $0 % 2 == 0 } ?? false }], withValidationWarnings: nil)
    thing.properties = [age]
    let model = NSManagedObjectModel()
    model.entities = [thing]
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let object = context.insert("Thing", ["age": 3])
      #expect(cocoaCode { try context.save() } == NSManagedObjectValidationError)
      object.setValue(4, forKey: "age")
      try context.save()
    }
  }

  // S3.1: several errors of one object, and of several objects, come in one flat list.
  @Test func severalErrorsComeInOneList() throws {
    let context = try TestStack(model: Ruled.model()).context()
    context.performAndWait {
      let first = context.insert("Thing", ["age": 0, "name": "a"])
      let second = context.insert("Thing", ["age": 121])
      let error = caught { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.map(\.code).sorted() == [1610, 1620, 1670])
      let objects = details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
      #expect(objects.filter { $0 === first }.count == 2)
      #expect(objects.filter { $0 === second }.count == 1)
      #expect(caught { try first.validateForInsert() }?.code == NSValidationMultipleErrorsError)
      #expect(caught { try second.validateForUpdate() }?.code == NSValidationNumberTooLargeError)
    }
  }

  // S9.1
  @Test func rulesOfAModelInUseCannotChange() async {
    await #expect(processExitsWith: .failure) {
      let model = Ruled.model()
      let stack = try TestStack(model: model)
      model.entitiesByName["Thing"]?.attributesByName["age"]?.setValidationPredicates(nil, withValidationWarnings: nil)
      withExtendedLifetime(stack) {}
    }
  }
}
