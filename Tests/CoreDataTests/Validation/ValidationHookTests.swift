import Testing

@testable import CoreData

@Suite struct ValidationHookTests {
  // S2.7: overrides of a class are found by themselves, inherited ones included.
  @Test func overriddenMethodsAreFound() {
    #expect(ValidationHooks(NSManagedObject.self) == [])
    #expect(ValidationHooks(Note.self) == [])
    #expect(ValidationHooks(DiaryEntry.self) == [], "other methods do not count")
    #expect(ValidationHooks(RichNote.self) == [])
    #expect(ValidationHooks(Checked.self) == [.validateForInsert, .validateForUpdate, .validateForDelete])
    #expect(ValidationHooks(Trimmed.self) == [.validateValue])
    #expect(ValidationHooks(TrimmedToo.self) == [.validateValue])
  }

  // S2.7, S3.1
  @Test func eachChangedObjectIsAskedOnceASave() throws {
    let context = try TestStack(model: Ruled.model(Checked.self)).context()
    try context.performAndWait {
      let thing = try #require(context.insert("Thing") as? Checked)
      try context.save()
      try context.save()
      thing.setValue(5, forKey: "age")
      try context.save()
      context.delete(thing)
      try context.save()
      #expect(thing.calls == ["insert", "update", "delete"])
    }
  }

  // S2.7, S3.1
  @Test func aSubclassMayRefuse() throws {
    let stack = try TestStack(model: Ruled.model(Checked.self))
    let context = stack.context()
    try context.performAndWait {
      let thing = try #require(context.insert("Thing") as? Checked)
      thing.refusal = NSError(domain: "Checked", code: 3)
      #expect(caught { try context.save() }?.domain == "Checked")
      thing.refusal = nil
      try context.save()
      thing.refusal = NSError(domain: "Checked", code: 4)
      context.delete(thing)
      #expect(caught { try context.save() }?.code == 4)
      #expect(thing.isDeleted)
      #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["1"])
    }
  }

  // S2.7: super's checks are the model's.
  @Test func superChecksTheModel() throws {
    let context = try TestStack(model: Ruled.model(Checked.self)).context()
    try context.performAndWait {
      let thing = try #require(context.insert("Thing", ["age": 0]) as? Checked)
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooSmallError)
      #expect(thing.calls.isEmpty)
    }
  }

  // S8.1
  @Test(arguments: [NSManagedObject.self, Checked.self]) func aDeniedDeletionFailsValidation(
    type: NSManagedObject.Type
  ) throws {
    let context = try TestStack(model: Ruled.model(type)).context()
    try context.performAndWait {
      let thing = context.insert("Thing")
      let parts = (0..<2).map { context.insert("Part", ["serial": $0, "owner": thing]) }
      try context.save()
      let denied = caught { try thing.validateForDelete() }
      #expect(denied?.code == NSValidationRelationshipDeniedDeleteError)
      #expect(denied?.userInfo[NSValidationValueErrorKey] as? Set<NSManagedObject> == Set(parts))
      context.delete(thing)
      #expect(cocoaCode { try context.save() } == NSValidationRelationshipDeniedDeleteError)
      for part in parts { context.delete(part) }
      try thing.validateForDelete()
      try context.save()
    }
  }

  // S2.7
  @Test(arguments: [Trimmed.self, TrimmedToo.self] as [NSManagedObject.Type])
  func aValueMayBeReplacedBeforeItIsSaved(type: NSManagedObject.Type) throws {
    let stack = try TestStack(model: Ruled.model(type))
    let context = stack.context()
    try context.performAndWait {
      let thing = context.insert("Thing", ["name": "  ab  "])
      context.insert("Thing", ["name": "cd", "age": 5])
      try context.save()
      #expect(thing.string("name") == "ab")
      #expect(!context.hasChanges)
      thing.setValue("bad", forKey: "name")
      #expect(caught { try context.save() }?.domain == "Trimmed")
      thing.setValue("abcde", forKey: "name")
      #expect(cocoaCode { try context.save() } == NSValidationStringTooLongError)
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZTHING ORDER BY ZNAME") == ["ab", "cd"])
  }

  // S2.7: also where it is not overridden.
  @Test func oneValueCanBeChecked() throws {
    let context = try TestStack(model: Ruled.model()).context()
    try context.performAndWait {
      let thing = context.insert("Thing")
      func code(_ value: AnyObject?, _ key: String) -> Int? {
        var value = value
        return cocoaCode { try thing.validateValue(&value, forKey: key) }
      }
      #expect(code(5 as AnyObject, "age") == nil)
      #expect(code(0 as AnyObject, "age") == NSValidationNumberTooSmallError)
      #expect(code("text" as AnyObject, "age") == NSManagedObjectValidationError)
      #expect(code(nil, "age") == nil)
      #expect(code("ab" as AnyObject, "name") == nil)
      #expect(code("a" as AnyObject, "name") == NSValidationStringTooShortError)
      let part = context.insert("Part")
      #expect(code(NSSet(array: [part]), "parts") == NSValidationRelationshipLacksMinimumCountError)
      #expect(code(NSSet(), "parts") == nil)
      #expect(code(thing, "parts") == NSManagedObjectValidationError)
      var owner: AnyObject? = part
      #expect(cocoaCode { try part.validateValue(&owner, forKey: "owner") } == NSManagedObjectValidationError)
      owner = thing
      try part.validateValue(&owner, forKey: "owner")
      #expect(thing.value(forKey: "age") == nil, "nothing was set")
    }
  }

  // S4.1, S2.7: a child's save validates the child's objects.
  @Test func aPushIsValidated() throws {
    let stack = try TestStack(model: Ruled.model(Checked.self))
    let (parent, child) = { ($0, stack.child(of: $0)) }(stack.context())
    try child.performAndWait {
      let thing = try #require(child.insert("Thing", ["age": 0]) as? Checked)
      #expect(cocoaCode { try child.save() } == NSValidationNumberTooSmallError)
      thing.setValue(1, forKey: "age")
      try child.save()
      #expect(thing.calls == ["insert"])
    }
    let count = try parent.performAndWait { try parent.all("Thing").count }
    #expect(count == 1)
  }
}
