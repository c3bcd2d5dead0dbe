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

  // S3.1: also of what was found right before, and where the class has its changes processed.
  @Test(arguments: [false, true]) func itsChangesAreValidated(isProcessed: Bool) throws {
    let stack = try TestStack(model: Ruled.model(Meddler.self))
    let context = stack.context()
    try context.performAndWait {
      let (one, other) = (context.insert("Thing"), context.insert("Thing"))
      try context.save()
      (other as? Meddler)?.onValidate = {
        one.setValue(1000, forKey: "age")
        if isProcessed { context.processPendingChanges() }
      }
      for thing in [one, other] { thing.setValue(3, forKey: "age") }
      #expect(cocoaCode { try context.save() } == NSValidationNumberTooLargeError)
      #expect(try stack.sql("SELECT count(*) FROM ZTHING WHERE ZAGE IS NOT NULL") == ["0"])
      one.setValue(4, forKey: "age")
      try context.save()
      #expect(try stack.sql("SELECT ZAGE FROM ZTHING ORDER BY 1") == ["3", "4"])
    }
  }

  // S8.1, S3.1: new objects that lead to what it deletes go with it, and are no obstacle.
  @Test(arguments: [false, true]) func whoLeadsToItsDeletionsIsNoObstacle(isProcessed: Bool) throws {
    let model = Ruled.model(Meddler.self)
    model.entitiesByName["Thing"]?.relationshipsByName["parts"]?.deleteRule = .cascadeDeleteRule
    let stack = try TestStack(model: model)
    let context = stack.context()
    try context.performAndWait {
      let other = context.insert("Thing")
      try context.save()
      let one = context.insert("Thing")
      for _ in 0..<2 { context.insert("Part", ["owner": other]) }
      (one as? Meddler)?.onValidate = {
        context.delete(other)
        if isProcessed { context.processPendingChanges() }
      }
      try context.save()
      #expect(try stack.sql("SELECT count(*) FROM ZTHING") == ["1"])
      #expect(try stack.sql("SELECT count(*) FROM ZPART") == ["0"])
    }
  }
}

/// Changes other objects the next time that it is validated.
final class Meddler: NSManagedObject {
  var onValidate: (() -> Void)?

  private func meddle() {
    let action = onValidate
    onValidate = nil
    action?()
  }

  override func validateForInsert() throws {
    meddle()
    try super.validateForInsert()
  }

  override func validateForUpdate() throws {
    meddle()
    try super.validateForUpdate()
  }
}
