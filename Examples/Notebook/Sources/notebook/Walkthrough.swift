import CoreData
import NotebookModel

/// Uses every kind of `@NSManaged` declaration, in memory, after saving and read back.
enum Walkthrough {
  static func run(_ container: NSPersistentContainer) throws {
    let context = container.viewContext
    let note = Note(context: context)
    fill(note, context)
    try context.save()
    check(note)

    context.refresh(note, mergeChanges: false)
    check(note)

    let other = container.newBackgroundContext()
    let id = note.objectID
    try other.performAndWait {
      guard let copy = try other.existingObject(with: id) as? Note else { preconditionFailure("\(id) is no note") }
      check(copy)
      changeInPlace(copy)
      try other.save()
    }
    print("\(Note.fetchRequest().entityName ?? "?"): every kind of property was set, saved and read back")
  }

  private static let created = Date(timeIntervalSinceReferenceDate: 60)
  private static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private static func fill(_ note: Note, _ context: NSManagedObjectContext) {
    expect(note.createdAt != nil && note.identifier != nil, "awakeFromInsert set date and identifier")
    expect(note.priority == .normal && note.title == "" && note.reads == nil, "defaults are those of the model")
    note.body = "text"
    note.createdAt = created
    note.identifier = identifier
    note.isPinned = true
    note.link = URL(string: "https://www.swift.org")
    note.number = 40
    note.number += 2
    note.picture = Data([1, 2, 3])
    note.price = NSDecimalNumber(string: "12.50")
    note.priority = .high
    note.rating = 4.5
    note.reads = 7
    note.title = "Title"
    note.weight = 1.5
    let word = Word(context: context)
    word.term = "term"
    word.promote()
    note.words.insert(word)
    let second = Word(context: context)
    second.note = note
    let tags = ["a", "b", "c"].map { name in
      let tag = Tag(context: context)
      tag.name = name
      return tag
    }
    note.addToTags(tags[0])
    note.addToTags(NSSet(array: [tags[1], tags[2]]))
    note.removeFromTags(tags[1])
    tags[0].use()
    fillPages(note, context)
  }

  private static func fillPages(_ note: Note, _ context: NSManagedObjectContext) {
    let pages = (0..<6).map { number in
      let page = Page(context: context)
      page.text = "\(number)"
      return page
    }
    note.addToPages(pages[0])
    note.addToPages(NSOrderedSet(array: [pages[1], pages[2]]))
    note.insertIntoPages(pages[3], at: 0)
    note.replacePages(at: 1, with: pages[4])
    note.insertIntoPages([pages[5]], at: NSIndexSet(index: 4))
    note.removeFromPages(at: 2)
    note.removeFromPages(pages[2])
  }

  private static func check(_ note: Note) {
    expect(note.body == "text", "String?")
    expect(note.createdAt == created, "Date?")
    expect(note.identifier == identifier, "UUID?")
    expect(note.isPinned, "Bool")
    expect(note.link?.host == "www.swift.org", "URL?")
    expect(note.number == 42, "Int64, in place")
    expect(note.picture == Data([1, 2, 3]), "Data?")
    expect(note.price == NSDecimalNumber(string: "12.50"), "NSDecimalNumber?")
    expect(note.priority == .high, "an enum with a raw value")
    expect(note.rating == 4.5 && note.weight == 1.5, "Double and Float")
    expect(note.reads == 7, "NSNumber?")
    expect(note.title == "Title", "String")
    expect(note.words.count == 2 && note.words.allSatisfy { $0.note === note }, "Set and its inverse")
    expect(note.words.contains { $0.term == "term" && $0.displayLevel == 3 }, "Int16, in place")
    let tags = (note.tags as? Set<Tag>) ?? []
    expect(tags.count == 2 && tags.map(\.name).contains("c"), "NSSet, its add and remove methods")
    guard let tag = tags.first(where: { $0.name == "a" }) else { preconditionFailure("tag a is gone") }
    expect(tag.uses == 1 && tag.isSecret && tag.noteCount == 1, "properties that only their class may set")
    let pages = (note.pages?.array as? [Page]) ?? []
    expect(pages.map(\.text) == ["3", "4", "5"], "NSOrderedSet and its methods")
    expect(pages.allSatisfy { $0.note === note }, "the inverse of an ordered relationship")
    expect(note[keyPath: \.title] == "Title", "key paths")
  }

  private static func changeInPlace(_ note: Note) {
    note.title += "!"
    note.words.removeAll()
    note.tags = nil
    note.link = nil
    expect(
      note.title == "Title!" && note.words.isEmpty && note.tags?.count == 0 && note.link == nil, "changes in place")
  }

  private static func expect(_ holds: Bool, _ what: String, line: UInt = #line) {
    precondition(holds, "\(what) (line \(line))")
  }
}
