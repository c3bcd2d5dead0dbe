import CoreData
import Testing

/// Comparisons that Apple's SQLite stores carry out though their sides do not go together. S7.2
@Suite(.everyStore) struct OneValueTests {
  private func expect(
    _ format: String, _ argument: Any, _ wanted: [String], in context: NSManagedObjectContext
  ) throws {
    let predicate = NSPredicate(format: format, argumentArray: [argument])
    #expect(try context.words(predicate).map(\.term) == wanted, "\(format)")
    #expect(try context.words().filter { predicate.evaluate(with: $0) }.map(\.term) == wanted, "\(format), in memory")
  }

  /// Words a and b of notes 1 and 2, and c of none, with the levels 1, 2 and 3.
  private func stack() throws -> TestStack {
    let stack = try TestStack()
    try stack.change { context in
      for (index, term) in ["a", "b", "c"].enumerated() {
        let word = Word(context: context)
        (word.term, word.level) = (term, Int64(index + 1))
        if index < 2 { word.note = context.insertNote(Int64(index + 1)) }
      }
    }
    return stack
  }

  // S7.2: ANY, ALL and NONE before a path that is no collection.
  @Test func quantifiersOfOneValueAreThePlainComparison() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let (word, note) = (try context.words()[0], try context.note(2))
      try expect("ANY level IN %@", [1, 3], ["a", "c"], in: context)
      try expect("ALL level > %@", 1, ["b", "c"], in: context)
      try expect("NONE level == %@", 1, ["b", "c"], in: context)
      try expect("ANY note == %@", note, ["b"], in: context)
      try expect("ANY note.number IN %@", [1], ["a"], in: context)
      try expect("NONE note.number == %@", 1, ["b", "c"], in: context)
      try expect("ANY SELF == %@", word, ["a"], in: context)
      try expect("NONE SELF IN %@", [word], ["b", "c"], in: context)
    }
  }

  // S7.2: objects of different entities may have the same key in their tables.
  @Test func anObjectOfAnotherEntityIsNoMatch() throws {
    let stack = try stack()
    let context = stack.context()
    try context.performAndWait {
      let (word, note) = (try context.words()[0], try context.note(1))
      try expect("SELF IN %@", [note, word], ["a"], in: context)
      try expect("NOT (SELF IN %@)", [note], ["a", "b", "c"], in: context)
      try expect("SELF == %@", note, [], in: context)
      try expect("SELF != %@", note.objectID, ["a", "b", "c"], in: context)
      try expect("note == %@", word, [], in: context)
      try expect("note IN %@", [word, note], ["a"], in: context)
      try expect("note != %@", word, ["a", "b", "c"], in: context)
    }
  }
}
