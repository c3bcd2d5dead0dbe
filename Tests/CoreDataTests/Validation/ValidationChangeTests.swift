import Testing

@testable import CoreData

/// S2.7, S3.1: what a validation method changes is part of the save, and so it is checked and delete rules are followed.
@Suite(.everyStore) struct ValidationChangeTests {
  // S8.1
  @Test func theDeleteRulesOfItsDeletionsAreFollowed() throws {
    let stack = try TestStack(model: Ruled.model(Meddler.self))
    let context = stack.context()
    try context.performAndWait {
      let (one, other) = (context.insert("Thing"), context.insert("Thing"))
      for _ in 0..<2 { context.insert("Part", ["owner": other]) }
      try context.save()
      (one as? Meddler)?.onValidate = { context.delete(other) }
      one.setValue(3, forKey: "age")
      #expect(cocoaCode { try context.save() } == NSValidationRelationshipDeniedDeleteError)
      #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["2"])
    }
  }

  // S3.1
  @Test func itsInsertionsAreValidated() throws {
    let stack = try TestStack(model: Ruled.model(Meddler.self))
    let context = stack.context()
    try context.performAndWait {
      let one = context.insert("Thing")
      try context.save()
      (one as? Meddler)?.onValidate = { context.insert("Thing", ["age": 1000]) }
      one.setValue(3, forKey: "age")
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["1"])
      (one as? Meddler)?.onValidate = nil
      context.rollback()
      (one as? Meddler)?.onValidate = { context.insert("Thing", ["age": 100]) }
      one.setValue(3, forKey: "age")
      try context.save()
      #expect(try stack.sql("SELECT ZAGE FROM ZTHING ORDER BY 1") == ["3", "100"])
    }
  }
}

/// Changes other objects the next time that it is validated.
final class Meddler: NSManagedObject {
  var onValidate: (() -> Void)?

  override func validateForUpdate() throws {
    let action = onValidate
    onValidate = nil
    action?()
    try super.validateForUpdate()
  }
}
