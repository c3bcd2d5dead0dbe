import Scheduling
import Testing

@testable import CoreData

/// S7.3: fetches with conditions that reach unsaved changes by relationships.
@Suite struct RelatedChangesTests {
  private static let conditions: [(entity: String, format: String)] = [
    ("Word", "note.title == 'a'"), ("Word", "note.title != 'a'"), ("Word", "NOT (note.title == 'a')"),
    ("Word", "note == nil OR note.number > 1"), ("Word", "note.shelf.label == 'a'"),
    ("Word", "term == 'a' AND note.shelf.label != 'b'"), ("Word", "note.cover.color BETWEEN {1, 2}"),
    ("Word", "note.title IN {'a', 'c'} AND term >= 'b'"), ("Word", "ANY tags.name == 'a'"),
    ("Word", "ALL tags.name == 'a'"), ("Word", "note.words.@count > 2"), ("Word", "note.title == term"),
    ("Word", "TERNARY(term == 'a', note.number, note.shelf.notes.@count) > 1"),
    ("Note", "words.@count == 2"), ("Note", "ANY words.term == 'a'"), ("Note", "NONE words.term == 'a'"),
    ("Note", "SUBQUERY(words, $w, $w.term == 'a' AND $w.note.shelf.label == 'b').@count > 0"),
    ("Note", "SUBQUERY(words, $w, ANY $w.tags.name == 'a').@count == 0"), ("Note", "words.@max.term == 'b'"),
    ("Note", "shelf.label == 'a' OR cover.color == 2"), ("Shelf", "ANY notes.title == 'a'"),
    ("Shelf", "notes.@sum.number > 3"), ("Shelf", "ANY notes.words.term == 'c'"),
    ("Shelf", "SUBQUERY(notes, $n, $n.words.@count > 1).@count > 1"), ("Tag", "words.@count > 3"),
    ("Tag", "ANY words.note.title == 'a'"), ("Tag", "ANY words.note.shelf.label == 'a'"),
    ("Cover", "note.shelf.label == 'a'"), ("Cover", "color == 1 AND note.words.@count > 0"),
  ]

  private static let names = ["Cover", "Note", "Shelf", "Tag", "Word"]

  private struct World {
    var random: SeededRandom

    mutating func letter() -> String? { [nil, "a", "b", "c"].randomElement(using: &random) ?? nil }

    mutating func any(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
      try context.all(entity).sorted { $0.key < $1.key }.randomElement(using: &random)
    }

    mutating func make(_ entity: String, _ context: NSManagedObjectContext) throws {
      try set(context.insert(entity), context)
    }

    /// Gives one object other values and other objects.
    mutating func set(_ object: NSManagedObject, _ context: NSManagedObjectContext) throws {
      func toss() -> Bool { Bool.random(using: &random) }
      switch object.entity.name {
      case "Cover":
        object.setValue(Int.random(in: 0...2, using: &random), forKey: "color")
        if toss() { object.setValue(try any("Note", context), forKey: "note") }
      case "Note":
        if toss() { object.setValue(letter(), forKey: "title") }
        if toss() { object.setValue(Int.random(in: 0...3, using: &random), forKey: "number") }
        if toss() { object.setValue(try any("Shelf", context), forKey: "shelf") }
      case "Shelf": object.setValue(letter(), forKey: "label")
      case "Tag": object.setValue(letter(), forKey: "name")
      default:
        if toss() { object.setValue(letter(), forKey: "term") }
        if toss() { object.setValue(toss() ? try any("Note", context) : nil, forKey: "note") }
        if let tag = try any("Tag", context) {
          let tags = object.mutableSetValue(forKey: "tags")
          if tags.contains(tag) { tags.remove(tag) } else { tags.add(tag) }
        }
      }
    }

    mutating func change(_ context: NSManagedObjectContext) throws {
      let entity = RelatedChangesTests.names.randomElement(using: &random) ?? ""
      guard let object = try any(entity, context) else { return }
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try make(entity, context)
      // An object that a deny rule keeps stays.
      case 1 where entity != "Shelf": context.delete(object)
      // Beside a deletion a refresh brings back references that its rules have cleared, until the save.
      case 2 where object.hasChanges && !object.isInserted && context.deletedObjects.isEmpty:
        context.refresh(object, mergeChanges: false)
      case 3: context.processPendingChanges()
      default: try set(object, context)
      }
    }
  }

  /// The expected result: each object of a context is asked itself.
  private func expected(
    _ context: NSManagedObjectContext, _ entity: String, _ format: String
  ) throws -> Set<NSManagedObject> {
    let predicate = NSPredicate(format: format)
    return Set(try context.all(entity).filter { predicate.evaluate(with: $0) })
  }

  private func compare(_ context: NSManagedObjectContext, _ label: String) throws {
    for (entity, format) in Self.conditions {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: format)
      let found = try context.fetch(request)
      #expect(Set(found) == (try expected(context, entity, format)), "\(label): \(entity) \(format)")
      #expect(Set(found).count == found.count, "\(label): \(entity) \(format)")
      #expect(try context.count(for: request) == found.count, "\(label): \(entity) \(format)")
    }
  }

  @Test(arguments: 0..<4) func everyRowThatUnsavedChangesConcernIsAsked(seed: UInt64) throws {
    let stack = try TestStack(model: AtlasSchema.model())
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    // One thread at a time waits for the queue that uses it.
    nonisolated(unsafe) var world = World(random: SeededRandom(seed: seed))
    try stack.change { context in
      for entity in ["Shelf", "Tag", "Note", "Note", "Cover", "Word", "Word", "Word"] {
        for _ in 0..<4 { try world.make(entity, context) }
      }
    }
    for step in 0..<6 {
      try parent.performAndWait {
        for _ in 0..<3 { try world.change(parent) }
        try compare(parent, "seed \(seed), step \(step), parent")
        // A child does not see objects deleted above; the relationships above still lead there until rules are followed.
        parent.processPendingChanges()
      }
      try child.performAndWait {
        child.reset()
        for _ in 0..<3 { try world.change(child) }
        try compare(child, "seed \(seed), step \(step), child")
        if step % 2 == 0 { try child.save() }
      }
    }
  }

  // Asking each row of a table for a few that changed would freeze a list that an app shows.
  @Test func onlyTheRowsThatUnsavedChangesConcernAreAsked() throws {
    let stack = try TestStack()
    try stack.seed(1...50, words: ["a", "b", "c", "d"])
    let context = stack.context()
    try context.performAndWait {
      func asked(_ format: String, by sort: String? = nil) throws -> (found: Int, asked: Int) {
        // Asked on this context's queue only.
        nonisolated(unsafe) var asked = 0
        let counting = NSPredicate { _, _ in
          asked += 1
          return true
        }
        let request = NSFetchRequest<Word>(entityName: "Word")
        request.predicate = NSCompoundPredicate(
          andPredicateWithSubpredicates: [counting, NSPredicate(format: format)])
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: true)] }
        return (try context.fetch(request).count, asked)
      }
      try context.note(3).number = 100
      #expect(try asked("note.number == 100") == (4, 4))
      #expect(try asked("note.number == 7") == (4, 8))
      #expect(try asked("note.number <= 3 AND term == 'b'") == (2, 3))
      #expect(try asked("term == 'b'", by: "note.number") == (50, 50))
      #expect(try asked("note.words.@count == 4 AND term == 'c' AND note.number < 5") == (3, 4))
    }
  }
}
