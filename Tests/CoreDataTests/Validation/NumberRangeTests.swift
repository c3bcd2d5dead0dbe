import SQLite
import Testing

@testable import CoreData

/// Numbers that an integer attribute is too narrow for: the object keeps them, and no save takes them. S2.6, S3.1
@Suite(.everyStore) struct NumberRangeTests {
  struct Case: @unchecked Sendable {
    // Sendable: nothing in it changes.
    let key: String
    let value: Any
    let code: Int

    init(_ key: String, _ value: Any, _ code: Int) { (self.key, self.value, self.code) = (key, value, code) }
  }

  private static let cases = [
    Case("anInt16", 40_000, NSValidationNumberTooLargeError), Case("anInt16", -40_000, NSValidationNumberTooSmallError),
    Case("anInt16", 32_768, NSValidationNumberTooLargeError), Case("anInt16", -32_769, NSValidationNumberTooSmallError),
    Case("anInt16", NSNumber(value: 70_000), NSValidationNumberTooLargeError),
    Case("anInt16", 1e300, NSValidationNumberTooLargeError), Case("anInt16", -1e300, NSValidationNumberTooSmallError),
    Case("anInt16", UInt64.max, NSValidationNumberTooLargeError),
    Case("anInt32", 3_000_000_000, NSValidationNumberTooLargeError),
    Case("anInt32", -3_000_000_000, NSValidationNumberTooSmallError),
    Case("anInt32", Double.infinity, NSValidationNumberTooLargeError),
    Case("anInt32", 3e9, NSValidationNumberTooLargeError),
    Case("anInt64", 1e300, NSValidationNumberTooLargeError),
    Case("anInt64", NSNumber(value: -1e19), NSValidationNumberTooSmallError),
    Case("anInt64", UInt64.max, NSValidationNumberTooLargeError),
    Case("anInt64", NSNumber(value: UInt64.max), NSValidationNumberTooLargeError),
    Case("anInt64", NSDecimalNumber(string: "-9223372036854775809"), NSValidationNumberTooSmallError),
  ]

  // S6.4, S7.2: as Apple's files have it.
  @Test func aDecimalThatIsNoNumberIsReadAgain() throws {
    let stack = try TestStack(.file, model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      for value in [Decimal.nan, 2, -1] { context.insert("Sample", ["aDecimal": value]) }
      try context.save()
      context.reset()
      func values(_ format: String) throws -> [Decimal] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
        request.predicate = NSPredicate(format: format)
        request.sortDescriptors = [NSSortDescriptor(key: "aDecimal", ascending: true)]
        let found = try context.fetch(request)
        #expect(
          Set(
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Sample")).filter {
              request.predicate?.evaluate(with: $0) == true
            }) == Set(found))
        return found.compactMap { $0.value(forKey: "aDecimal") as? Decimal }
      }
      let all = try values("TRUEPREDICATE")
      #expect(all.count == 3 && all[0].isNaN && Array(all[1...]) == [-1, 2])
      #expect(try values("aDecimal > -5") == [-1, 2])
      #expect(try values("aDecimal == nil").count == 1)
      #expect(try values("aDecimal != 2").count == 2)
      #expect(try stack.sql("SELECT typeof(ZADECIMAL), ZADECIMAL FROM ZSAMPLE WHERE ZADECIMAL = 'NaN'").count == 1)
    }
  }

  @Test(arguments: cases) func itIsKeptUntilASaveRefusesIt(_ given: Case) throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let sample = context.insert("Sample", ["aString": "s"])
      try context.save()
      for isInserted in [false, true] {
        let object = isInserted ? context.insert("Sample") : sample
        object.setValue(given.value, forKey: given.key)
        let kept = try #require(object.value(forKey: given.key) as? NSNumber)
        #expect(kept.doubleValue == (given.value as? NSNumber)?.doubleValue)
        #expect(object.changedValues()[given.key] as? NSNumber == kept)
        let error = try #require(caught { try context.save() })
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == given.code)
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === object)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == given.key)
        #expect(error.userInfo[NSValidationValueErrorKey] as? NSNumber == kept)
        #expect(object.value(forKey: given.key) as? NSNumber == kept)
        object.setValue(7, forKey: given.key)
        try context.save()
      }
    }
    #expect(try stack.sql("SELECT Z\(given.key.uppercased()) FROM ZSAMPLE") == ["7", "7"])
  }

  @Test(arguments: ["anInt16", "anInt32", "anInt64"]) func whatIsNoNumberIsRefusedToo(key: String) throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      let sample = context.insert("Sample", [key: Double.nan])
      #expect((sample.value(forKey: key) as? NSNumber)?.doubleValue.isNaN == true)
      #expect(cocoaCode { try context.save() } == NSManagedObjectValidationError)
      context.rollback()
      try context.save()
    }
  }

  @Test func theEdgesAreSaved() throws {
    let stack = try TestStack(model: Zoo.model())
    let values: [String: [Any]] = [
      "anInt16": [32_767, -32_768, 32_767.9], "anInt32": [2_147_483_647, -2_147_483_648, 7.0],
      "anInt64": [Int64.max, Int64.min, UInt64(Int64.max)],
    ]
    for (key, values) in values {
      try stack.change { context in
        for value in values { context.insert("Sample", [key: value]) }
      }
    }
    #expect(try stack.sql("SELECT max(ZANINT16) FROM ZSAMPLE") == ["32767"])
    #expect(try stack.sql("SELECT min(ZANINT16) FROM ZSAMPLE") == ["-32768"])
    #expect(try stack.sql("SELECT min(ZANINT32) FROM ZSAMPLE") == ["-2147483648"])
    #expect(try stack.sql("SELECT max(ZANINT64) FROM ZSAMPLE") == ["9223372036854775807"])
  }

  @Test func otherNumbersLoseNothing() throws {
    let context = try TestStack(model: Zoo.model()).context()
    context.performAndWait {
      let sample = context.insert("Sample")
      sample.setValue(NSNumber(value: UInt64.max), forKey: "aDouble")
      #expect(sample.value(forKey: "aDouble") as? Double == 0x1p64)
      sample.setValue(UInt64.max, forKey: "aDouble")
      #expect(sample.value(forKey: "aDouble") as? Double == 0x1p64)
      sample.setValue(1.5, forKey: "aDecimal")
      #expect(sample.value(forKey: "aDecimal") as? Decimal == 1.5)
      sample.setValue(NSNumber(value: UInt64.max), forKey: "aDecimal")
      #expect(sample.value(forKey: "aDecimal") as? Decimal == Decimal(UInt64.max))
      sample.setValue(Double.infinity, forKey: "aDecimal")
      #expect((sample.value(forKey: "aDecimal") as? Decimal)?.isNaN == true)
      sample.setValue(-3, forKey: "aBool")
      #expect(sample.value(forKey: "aBool") as? Bool == true)
    }
  }

  @Test func aValueIsValidatedByItself() throws {
    let context = try TestStack(model: Zoo.model()).context()
    try context.performAndWait {
      let sample = context.insert("Sample")
      var value: AnyObject? = NSNumber(value: 40_000)
      #expect(cocoaCode { try sample.validateValue(&value, forKey: "anInt16") } == NSValidationNumberTooLargeError)
      try sample.validateValue(&value, forKey: "anInt32")
      value = NSNumber(value: -3e9)
      #expect(cocoaCode { try sample.validateValue(&value, forKey: "anInt32") } == NSValidationNumberTooSmallError)
    }
  }

  // The same error as a rule of the model gives, once.
  @Test func aRuleIsNotAskedAboutIt() throws {
    let context = try TestStack(model: Ruled.model()).context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["age": 1e300])
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      thing.setValue(5, forKey: "age")
      try context.save()
    }
  }

  @Test func primitiveValuesAreRefusedWithTheNextChange() throws {
    let stack = try TestStack()
    let context = stack.context()
    let level = _PropertyKey("primitiveLevel")
    try context.performAndWait {
      let word = try #require(context.insertNote(1, words: ["a"]).words.first as? Word)
      try context.save()
      word.setPrimitiveValue(40_000, forKey: "level")
      #expect(word.primitiveValue(forKey: "level") as? Int == 40_000)
      #expect(word._primitive(level, as: Int16.self) == -25_536)
      #expect(word._primitive(level, as: Int64.self) == 40_000)
      word.term = "b"
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      context.rollback()
      #expect(word.level == 1)
      word._setPrimitive(level, 50_000)
      #expect(word.level == 50_000)
    }
  }

  // The accessors of `@NSManaged` declarations; a declared Int16 has the number without its upper bits, as `int16Value` has.
  @Test func typedAccessorsAreRefusedByTheSave() throws {
    let stack = try TestStack()
    let context = stack.context()
    let level = _PropertyKey("level")
    try context.performAndWait {
      let note = context.insertNote(1, words: ["a"])
      let word = try #require(note.words.first as? Word)
      word.level = 40_000
      #expect(word.level == 40_000)
      #expect(Int16(truncatingIfNeeded: word._integer(level)) == -25_536)
      #expect(word._number(level) == 40_000)
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      word._setNumber(level, NSNumber(value: UInt64.max))
      #expect(word._number(level)?.doubleValue == 0x1p64)
      #expect(word.level == 0)
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      word._setNumber(level, 4)
      try context.save()
    }
    #expect(try stack.sql("SELECT ZLEVEL FROM ZWORD") == ["4"])
  }

  @Test func aChildIsRefusedWhenItPushes() throws {
    let stack = try TestStack()
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    child.performAndWait {
      child.insertNote(1, words: ["a"]).words.first?.setValue(40_000, forKey: "level")
      #expect(cocoaCode { try child.save() } == NSValidationNumberTooLargeError)
    }
    parent.performAndWait { #expect(!parent.hasChanges) }
  }

  @Test func undoBringsTheOldNumberBack() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      let undoManager = UndoManager()
      let word = try #require(context.insertNote(1, words: ["a"]).words.first as? Word)
      try context.save()
      context.undoManager = undoManager
      word.setValue(1e300, forKey: "level")
      context.processPendingChanges()
      undoManager.undo()
      #expect(word.level == 1)
      undoManager.redo()
      #expect(word.value(forKey: "level") as? Double == 1e300)
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
    }
  }

  @Test func elementsOfCompositesAreLookedAt() throws {
    let context = try TestStack(model: Estate.model()).context()
    try context.performAndWait {
      let house = context.insert("House", ["addr": ["city": "a", "zip": 5_000_000_000]])
      #expect((house.value(forKey: "addr") as? [String: Any])?["zip"] as? Int == 5_000_000_000)
      let error = caught { try context.save() }
      #expect(error?.code == NSValidationNumberTooLargeError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "addr")
      house.setValue(["city": "a", "zip": 5], forKey: "addr")
      try context.save()
    }
  }

  // S7.2: SQL and memory give one answer.
  @Test func predicatesWithSuchConstantsFindNothing() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      context.insert("Sample", ["anInt16": 40_000 - 65_536, "anInt32": -1, "anInt64": Int64.max])
      for isSaved in [false, true] {
        if isSaved { try context.save() }
        for (format, value) in [
          ("anInt16 == %@", 40_000), ("anInt16 == %@", 1e300), ("anInt16 == %@", UInt64.max),
          ("anInt32 == %@", 4_294_967_295), ("anInt64 == %@", UInt64.max), ("anInt64 == %@", 1e300),
          ("anInt16 == %@", Double.nan), ("anInt16 > %@", 40_000), ("anInt64 > %@", UInt64.max),
          ("anInt16 IN %@", [40_000, 70_000]), ("anInt16 BETWEEN %@", [40_000, 70_000]),
        ] as [(String, Any)] {
          let predicate = NSPredicate(format: format, argumentArray: [value])
          let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
          request.predicate = predicate
          #expect(try context.count(for: request) == 0, "\(predicate)")
          #expect(try context.fetch(request) == [], "\(predicate)")
        }
        #expect(try context.all("Sample", where: "anInt16", is: -25_536).count == 1)
      }
    }
  }

  // S7.4
  @Test func batchRequestsRefuseIt() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    context.performAndWait {
      for value in [40_000, 1e300, UInt64.max, Double.nan] as [Any] {
        let insert = NSBatchInsertRequest(entityName: "Word", objects: [["level": value]])
        #expect(cocoaCode { try context.execute(insert) } == NSManagedObjectValidationError)
        var isDone = false
        let handled = NSBatchInsertRequest(entityName: "Word") { (object: NSManagedObject) in
          object.setValue(value, forKey: "level")
          defer { isDone = true }
          return isDone
        }
        #expect(cocoaCode { try context.execute(handled) } == NSManagedObjectValidationError)
        let update = NSBatchUpdateRequest(entityName: "Word")
        update.propertiesToUpdate = ["level": value]
        #expect(cocoaCode { try context.execute(update) } == NSManagedObjectValidationError)
      }
    }
    #expect(try stack.sql("SELECT ZLEVEL FROM ZWORD") == ["1"])
  }

  // A file of another program may have such a number; it is no change here.
  @Test(arguments: [false, true]) func aNumberOfTheFileKeepsNoChangeFromBeingSaved(isAsked: Bool) throws {
    func model() -> NSManagedObjectModel {
      let model = Notebook.model()
      if isAsked { model.entitiesByName["Word"]?.managedObjectClassName = NSStringFromClass(Trimmed.self) }
      return model
    }
    let stack = try TestStack(.file, model: model())
    try stack.change { $0.insert("Word", ["term": "a"]) }
    try Connection.write(stack.url, "UPDATE ZWORD SET ZLEVEL = 40000")
    let other = try TestStack(model: model(), url: stack.url)
    try other.change { context in
      let word = try #require(try context.all("Word").first)
      #expect(word.value(forKey: "level") as? Int == 40_000)
      word.setValue("b", forKey: "term")
    }
    #expect(try other.sql("SELECT ZTERM || ZLEVEL FROM ZWORD") == ["b40000"])
  }
}
