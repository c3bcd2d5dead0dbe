import Testing

@testable import CoreData

@Suite struct UnchangedSaveTests {
  // S3.2, S6.17: a save moves a context to the state of its next read, changes or none.
  @Test func aSaveWithoutChangesMovesAQueryGeneration() throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.notes().count == 3)
      try stack.change { $0.insertNote(4) }
      #expect(try context.notes().count == 3)
      try context.save()
      #expect(try context.notes().count == 4)
    }
  }
}
