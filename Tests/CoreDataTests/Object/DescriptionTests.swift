import CoreData
import Testing

/// How objects print themselves. S2.2
@Suite struct DescriptionTests {
  private static func text(_ id: NSManagedObjectID, _ data: String, of object: NSManagedObject) -> String {
    let address = String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
    return "<\(type(of: object)): 0x\(address)> (entity: \(object.entity.name ?? ""); id: \(id); data: \(data))"
  }

  @Test func anObjectShowsItsValues() throws {
    let stack = try TestStack()
    let context = stack.context()
    try context.performAndWait {
      let word = context.insert("Word") as! Word
      word.term = "two words"
      let note = context.insert("Note") as! Note
      (note.title, note.number) = ("a", 7)
      word.note = note
      try context.save()
      let text = word.description
      #expect(text.hasPrefix(String(Self.text(word.objectID, "{\n", of: word).dropLast())))
      #expect(text.contains("\n    term = \"two words\";\n"))
      #expect(text.contains("\n    note = \"\(note.objectID)\";\n"))
      #expect(note.description.contains("\n    number = 7;\n") && note.description.contains("\n    title = a;\n"))
      #expect(note.description.contains("\n    words = (\"\(word.objectID)\");\n"))
    }
  }

  // S2.3: nothing is read for it.
  @Test func whatWasNotReadStaysSo() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1, words: ["a"])[0]
    let context = stack.context()
    try context.performAndWait {
      let note = context.object(with: id)
      #expect(note.description == Self.text(id, "<fault>", of: note))
      #expect(note.isFault)
      _ = note.value(forKey: "title")
      #expect(note.description.contains("\n    words = <relationship fault>;\n"))
      #expect(note.hasFault(forRelationshipNamed: "words"))
      context.delete(note)
      try context.save()
      #expect(note.description.contains("\n    title = \"note 1\";\n"))
    }
  }

  // S2.3: a row without a key says that there is no object.
  @Test func aToOneWithoutAnObjectIsNoFault() throws {
    let stack = try TestStack()
    try stack.change { context in
      Word(context: context).term = "alone"
      context.insertNote(1, words: ["with"])
    }
    let context = stack.context()
    try context.performAndWait {
      for word in try context.words() {
        let isAlone = word.term == "alone"
        #expect(word.hasFault(forRelationshipNamed: "note") != isAlone)
      }
    }
  }

  // S1.6: another thread may be changing the values.
  @Test func offItsQueueAnObjectShowsNoValues() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    let note = context.performAndWait { context.object(with: id) }
    context.performAndWait { _ = note.value(forKey: "title") }
    #expect(note.description == Self.text(id, "<another queue's>", of: note))
  }
}
