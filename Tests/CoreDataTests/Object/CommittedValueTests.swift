import Testing

@testable import CoreData

@Suite(.everyStore) struct CommittedValueTests {
  // S2.8: those of an object that is gone have no objects that it led to.
  @Test func committedValuesOfASavedDeletion() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a"])
    let context = stack.context()
    try context.performAndWait {
      let word = try #require(try context.words().first)
      #expect(word.note?.title == "note 1")
      context.delete(word)
      try context.save()
      let values = word.committedValues(forKeys: nil)
      #expect(values["term"] as? String == "a")
      #expect(values["note"] is NSNull)
    }
  }
}
