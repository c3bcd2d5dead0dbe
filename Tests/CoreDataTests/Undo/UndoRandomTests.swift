import CoreData
import Scheduling
import Testing

/// S2.4: whatever was done, taking all of it back gives every state that was there before, and doing it again every
/// state after.
@Suite struct UndoRandomTests {
  /// The objects of one context, by number, and the changes of them.
  private final class Workshop {
    let context: NSManagedObjectContext
    var objects: [NSManagedObject] = []
    var random: SeededRandom

    init(_ context: NSManagedObjectContext, seed: UInt64) {
      self.context = context
      random = SeededRandom(seed: seed)
    }

    private func present<T: NSManagedObject>(_ type: T.Type, _ entity: String) -> T? {
      objects.filter { $0.entity.name == entity && $0.managedObjectContext != nil && !$0.isDeleted }
        .compactMap { $0 as? T }.randomElement(using: &random)
    }

    func step() {
      let (note, word) = (present(Note.self, "Note"), present(Word.self, "Word"))
      let tag = present(NSManagedObject.self, "Tag")
      switch Int.random(in: 0..<12, using: &random) {
      case 0: objects.append(context.insertNote(Int64(objects.count)))
      case 1: objects.append(context.insert("Word", ["term": "\(objects.count)"]))
      case 2: objects.append(context.insert("Tag", ["name": "\(objects.count)"]))
      case 3: note?.title = "title \(Int.random(in: 0..<3, using: &random))"
      case 4: word?.level = Int64.random(in: 0..<4, using: &random)
      case 5: word?.note = note
      case 6: word?.note = nil
      case 7: if let note, let word { note.addToWords(word) }
      case 8: if let tag, let word { word.tags = Set(word.tags).union([tag]) }
      case 9: if let tag, let word { word.tags = Set(word.tags).subtracting([tag]) }
      case 10: if let word { tag?.setValue(Set<NSManagedObject>([word]), forKey: "words") }
      default:
        if let object = [note, word, tag].compactMap({ $0 }).randomElement(using: &random) { context.delete(object) }
      }
    }

    private func number(_ object: NSManagedObject?) -> String {
      object.map { object in objects.firstIndex { $0 === object }.map(String.init) ?? "unknown" } ?? "none"
    }

    /// Everything that can be seen, a line an object.
    var state: [String] {
      objects.enumerated().map { number, object in
        guard object.managedObjectContext != nil, !object.isDeleted else { return "\(number) -" }
        let values = object.entity.propertiesByName.keys.sorted().map { key -> String in
          switch object.value(forKey: key) {
          case let set as Set<NSManagedObject>: "\(key)=\(set.map { self.number($0) }.sorted())"
          case let other as NSManagedObject: "\(key)=\(self.number(other))"
          case let value: "\(key)=\(value ?? "nil")"
          }
        }
        return "\(number) \(values.joined(separator: " "))"
      }
    }
  }

  @Test(arguments: [false, true], 1...UInt64(12)) func everyStateComesBack(_ saves: Bool, _ seed: UInt64) throws {
    let context = try TestStack().context()
    let manager = UndoManager()
    context.undoManager = manager
    try context.performAndWait {
      let workshop = Workshop(context, seed: seed)
      var states = [workshop.state]
      var undoable = 0
      for _ in 0..<40 {
        for _ in 0..<Int.random(in: 1...4, using: &workshop.random) { workshop.step() }
        context.processPendingChanges()
        if manager.undoCount > undoable { states.append(workshop.state) }
        undoable = manager.undoCount
        if saves, Int.random(in: 0..<4, using: &workshop.random) == 0 { try context.save() }
      }
      #expect(states.count == manager.undoCount + 1)
      let last = states.count - 1
      func padded(_ state: [String]) -> [String] {
        state + (state.count..<workshop.objects.count).map { "\($0) -" }
      }
      for round in 0..<2 {
        for index in (0..<last).reversed() {
          context.undo()
          try #require(workshop.state == padded(states[index]), "undo \(index) of round \(round), seed \(seed)")
        }
        #expect(!manager.canUndo)
        #expect(saves || !context.hasChanges, "without a save there is nothing left")
        if saves { try context.save() }
        for index in 1...last {
          context.redo()
          try #require(workshop.state == padded(states[index]), "redo \(index) of round \(round), seed \(seed)")
          if saves, index % 5 == 0 { try context.save() }
        }
        #expect(!manager.canRedo)
      }
      // The saved state in the end is the one that is seen.
      try context.save()
      let seen = workshop.state.filter { !$0.hasSuffix(" -") }.count
      let stored = try ["Note", "Word", "Tag"].reduce(0) {
        $0 + (try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $1)))
      }
      #expect(stored == seen)
    }
  }
}
