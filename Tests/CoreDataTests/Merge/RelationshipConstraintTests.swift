import CoreData
import Testing

/// Uniqueness constraints that name a to-one relationship: words are unique by note and term. S3.5
@Suite struct RelationshipConstraintTests {
  private static func model() -> NSManagedObjectModel {
    let model = Notebook.model()
    model.entitiesByName["Word"]?.uniquenessConstraints = [["note", "term"]]
    return model
  }

  /// Saves a second word of a term in another context; returns the error of its save.
  private func collide(_ stack: TestStack, note number: Int64, policy: NSMergePolicy) throws -> NSError? {
    let context = stack.context()
    context.mergePolicy = policy
    return try context.performAndWait {
      let word = Word(context: context)
      word.term = "a"
      word.level = 9
      word.note = try context.note(number)
      return caught { try context.save() }
    }
  }

  // S3.5, S6.4
  @Test func theSameTermOfOneNoteIsAConflict() throws {
    let stack = try TestStack(model: Self.model())
    try stack.seed(1...2, words: ["a"])
    let error = try #require(try collide(stack, note: 1, policy: .error))
    #expect(error.code == NSManagedObjectConstraintMergeError)
    let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.map { $0.constraint.sorted() } == [["note", "term"]])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD") == ["2"])
  }

  // S3.5
  @Test func theSameTermOfAnotherNoteIsNone() throws {
    let stack = try TestStack(model: Self.model())
    try stack.seed(1...1, words: ["a"])
    try stack.seed(2...2, words: ["b"])
    #expect(try collide(stack, note: 2, policy: .error) == nil)
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZTERM = 'a'") == ["2"])
  }

  // S3.5
  @Test func aPolicyDecides() throws {
    let stack = try TestStack(model: Self.model())
    try stack.seed(1...1, words: ["a"])
    #expect(try collide(stack, note: 1, policy: .mergeByPropertyObjectTrump) == nil)
    #expect(try stack.sql("SELECT ZLEVEL FROM ZWORD") == ["9"])
  }
}
