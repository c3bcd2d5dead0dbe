import CoreData
import Testing

@Suite(.everyStore) struct SmokeTests {
  @Test func savedObjectsComeBackInAnotherContext() throws {
    let stack = try TestStack()
    let writer = stack.context("writer")
    try writer.performAndWait {
      writer.insertNote(1, title: "één", words: ["a", "b", "ç"])
      writer.insertNote(2, title: "둘")
      try writer.save()
    }
    let reader = stack.context("reader")
    try reader.performAndWait {
      let notes = try reader.notes()
      #expect(notes.map(\.number) == [1, 2])
      #expect(notes.map(\.title) == ["één", "둘"])
      #expect(notes[0].words.count == 3)
      #expect(try reader.words(NSPredicate(format: "note.number == %d", 1)).map(\.term) == ["a", "b", "ç"])
      #expect(!notes[0].objectID.isTemporaryID)
    }
  }
}
