import CoreData
import Testing

@testable import RowStore

/// A fault that has its row at hand is filled from it without a look into the row cache, as long as no row was replaced.
@Suite struct RowAtHandTests {
  /// A context with faults that have their rows at hand, of which it has filled the first.
  private func withFaults(_ body: (TestStack, NSManagedObjectContext, [Note]) throws -> Void) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      #expect(notes[0].title == "note 1")
      #expect(notes[1].isFault && notes[2].isFault)
      try body(stack, context, notes)
    }
  }

  @Test func whatAnotherContextSavedSinceIsSeen() throws {
    try withFaults { stack, _, notes in
      let other = stack.context("other")
      try other.performAndWait {
        for note in try other.notes() where note.number > 1 { note.title = "new" }
        try other.save()
      }
      #expect(notes[1].title == "new")
    }
  }

  @Test func aRowThatAnotherContextDeletedSinceIsGone() throws {
    try withFaults { stack, context, notes in
      let other = stack.context("other")
      try other.performAndWait {
        for note in try other.notes() where note.number == 2 { other.delete(note) }
        try other.save()
      }
      #expect(throws: (any Error).self) { try context.existingObject(with: notes[1].objectID) }
      #expect(notes[2].title == "note 3")
    }
  }

  @Test func aStoreThatWasRemovedIsNotReadFromMemory() throws {
    try withFaults { stack, context, notes in
      let coordinator = stack.container.persistentStoreCoordinator
      try coordinator.remove(#require(coordinator.persistentStores.first))
      #expect(throws: (any Error).self) { try context.existingObject(with: notes[1].objectID) }
    }
  }
}

@Suite struct WeakTableTests {
  private final class Listed {
    let key: Int64
    init(_ key: Int64) { self.key = key }
  }

  private func table(_ objects: [Listed]) -> WeakTable<Listed> {
    let table = WeakTable<Listed>()
    for object in objects { table.set(RowIdentity(key: object.key, rootNumber: 1), object) }
    return table
  }

  @Test(arguments: [0, -20_000, 1 << 60] as [Int64])
  func objectsWithNeighbouringKeysComeInTheirOrder(first: Int64) {
    let keys = (1...1_000).map { first + $0 }
    let objects = keys.map(Listed.init)
    #expect(table(objects.reversed()).objects.map(\.key) == keys)
  }

  @Test func everyObjectComesWhateverItsKey() {
    let keys: [Int64] = [.min + 1, -3, -2, 1, 2, 1 << 40, 1 << 62, .max]
    let objects = keys.map(Listed.init)
    let table = table(objects)
    #expect(Set(table.objects.map(\.key)) == Set(keys))
    #expect(Set(table.takeAll().map(\.key)) == Set(keys))
    #expect(table.count == 0 && table.objects.isEmpty && table.takeAll().isEmpty)
  }
}
