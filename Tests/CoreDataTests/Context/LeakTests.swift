import CoreData
import Testing

@testable import CoreData
@testable import RowStore

@Suite(.everyStore) struct LeakTests {
  /// The objects that must be gone once a stack is dropped.
  private struct Witness {
    weak var coordinator: NSPersistentStoreCoordinator?
    weak var context: NSManagedObjectContext?
    weak var child: NSManagedObjectContext?
    weak var note: NSManagedObject?
    weak var word: NSManagedObject?
    weak var row: Row?
    weak var layout: ModelLayout?

    var isEmpty: Bool {
      coordinator == nil && context == nil && child == nil && note == nil && word == nil && row == nil && layout == nil
    }
  }

  private func use(_ body: (NSManagedObjectContext, Note) throws -> Void) throws -> Witness {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    let child = stack.child(of: context)
    return try context.performAndWait {
      let note = try context.note(1)
      let word = try #require(note.words.first as? Word)
      _ = (note.title, word.note)
      try child.performAndWait { _ = try child.note(1).words.count }
      let witness = Witness(
        coordinator: stack.container.persistentStoreCoordinator, context: context, child: child, note: note,
        word: word, row: note.values, layout: note.layout.model)
      try body(context, note)
      return witness
    }
  }

  // S1.5
  @Test func aDroppedStackLeavesNothing() throws {
    let witness = try use { _, _ in }
    #expect(witness.isEmpty, "\(witness)")
  }

  // S1.5
  @Test func aDroppedStackWithUnsavedChangesLeavesNothing() throws {
    let witness = try use { context, note in
      note.title = "changed"
      context.insertNote(2, words: ["c"])
      context.delete(try context.words()[0])
      context.processPendingChanges()
    }
    #expect(witness.isEmpty, "\(witness)")
  }

  // S1.5: a note and its words hold each other through realised relationships.
  @Test func objectsDeletedTogetherAreReleased() throws {
    let stack = try TestStack()
    try stack.seed(1...1, words: ["a", "b"])
    let context = stack.context()
    try context.performAndWait {
      weak var gone: Word?
      do {
        let note = try context.note(1)
        gone = note.words.first as? Word
        _ = gone?.note
        context.delete(note)
        try context.save()
      }
      #expect(gone == nil)
    }
  }

  // S1.5, S3.6
  @Test func objectsThatVanishTogetherAreReleased() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      weak var gone: Word?
      do {
        let note = context.insertNote(1, words: ["a"])
        gone = note.words.first as? Word
        context.delete(note)
        try context.save()
      }
      #expect(gone == nil)
    }
  }

  // S1.5
  @Test func savedObjectsThatAreNotHeldAreReleased() throws {
    let context = try TestStack().context()
    try context.performAndWait {
      for number in 1...50 { context.insertNote(Int64(number)) }
      #expect(context.registeredObjects.count == 50)
      try context.save()
      #expect(context.registeredObjects.isEmpty)
    }
  }
}
