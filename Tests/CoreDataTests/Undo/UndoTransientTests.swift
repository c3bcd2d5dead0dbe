import Testing

@testable import CoreData

@Suite(.everyStore) struct UndoTransientTests {
  // S2.4: an undo that leaves nothing changed leaves transient values as they are.
  @Test func anUndoKeepsTransientValues() throws {
    let context = try TestStack(model: Scratch.model()).context()
    try context.performAndWait {
      let pad = ScratchPad(context: context)
      pad.name = "saved"
      try context.save()
      pad.cache = "mine"
      try context.save()
      context.undoManager = UndoManager()
      pad.name = "changed"
      context.processPendingChanges()
      context.undo()
      #expect(pad.name == "saved" && !context.hasChanges)
      #expect(pad.cache == "mine")
      context.redo()
      #expect(pad.name == "changed" && pad.cache == "mine")
    }
  }
}
