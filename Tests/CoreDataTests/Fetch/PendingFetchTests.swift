import CoreData
import Scheduling
import Testing

@Suite(.everyStore) struct PendingFetchTests {
  /// The expected result of a fetch, computed from a plain list.
  private struct Model {
    var rows: [Int64: String] = [:]

    func page(_ prefix: String, _ limit: Int, _ offset: Int, ascending: Bool) -> [Int64] {
      var numbers = rows.filter { $0.value.hasPrefix(prefix) }.keys.sorted()
      if !ascending { numbers.reverse() }
      let page = numbers.dropFirst(offset)
      return Array(limit > 0 ? page.prefix(limit) : page)
    }
  }

  private func request(_ prefix: String, _ limit: Int, _ offset: Int, ascending: Bool) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title BEGINSWITH %@", prefix)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: ascending)]
    request.fetchLimit = limit
    request.fetchOffset = offset
    return request
  }

  // S7.3: random unsaved changes × limit × offset, against a plain list; also through a child.
  @Test(arguments: 0..<6) func unsavedChangesArePartOfEveryPage(seed: Int) throws {
    let stack = try TestStack()
    var random = SeededRandom(seed: UInt64(seed))
    let context = stack.context()
    let child = stack.child(of: context)
    var model = Model()
    try context.performAndWait {
      for number in 1...30 {
        model.rows[Int64(number)] = ["a", "b"][number % 2]
        context.insertNote(Int64(number), title: model.rows[Int64(number)])
      }
      try context.save()
      for step in 0..<40 {
        let number = Int64.random(in: 1...30, using: &random)
        let known = try context.notes(NSPredicate(format: "number == %d", number)).first
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          if let known { context.delete(known) }
          model.rows[number] = nil
        case 1:
          if known == nil { context.insertNote(number, title: "a") }
          model.rows[number] = known?.title ?? "a"
        default:
          let title = ["a", "b"].randomElement(using: &random)
          known?.title = title
          if known != nil { model.rows[number] = title }
        }
        let (limit, offset) = (Int.random(in: 0...8, using: &random), Int.random(in: 0...8, using: &random))
        let prefix = ["", "a", "b"].randomElement(using: &random) ?? ""
        let ascending = Bool.random(using: &random)
        let expected = model.page(prefix, limit, offset, ascending: ascending)
        let request = request(prefix, limit, offset, ascending: ascending)
        let found = try context.fetch(request).map(\.number)
        #expect(found == expected, "step \(step)")
        let count = try context.count(for: request)
        #expect(count == expected.count, "step \(step)")
        if step % 8 == 7 {
          let below = try child.performAndWait { try child.fetch(request).map(\.number) }
          #expect(below == expected, "step \(step), in the child")
        }
      }
      try context.save()
      let titles = try context.notes().map(\.title)
      #expect(titles == model.rows.sorted { $0.key < $1.key }.map(\.value))
    }
  }

  // S7.3
  @Test func unsavedChangesStayOutWhereTheRequestSaysSo() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      context.delete(try context.note(1))
      context.insertNote(3)
      let request = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      request.resultType = .managedObjectIDResultType
      request.includesPendingChanges = false
      #expect(try context.count(for: request) == 2)
      request.includesPendingChanges = true
      #expect(try context.count(for: request) == 2)
      let ids = try context.fetch(request)
      #expect(ids.filter(\.isTemporaryID).count == 1)
    }
  }

  // S7.1
  @Test func objectsFoundWithoutUnsavedChangesComeWithValuesWhereTheRequestSaysSo() throws {
    let stack = try TestStack()
    try stack.seed(1...2)
    let context = stack.context()
    try context.performAndWait {
      context.insertNote(3)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate { object, _ in (object as? Note)?.number == 2 }
      request.includesPendingChanges = false
      request.returnsObjectsAsFaults = false
      let found = try context.fetch(request)
      #expect(found.map(\.isFault) == [false])
    }
  }

  // S7.1
  @Test func subEntitiesCountUnlessTheRequestSaysNot() throws {
    let context = try TestStack(model: Zoo.model()).context()
    try context.performAndWait {
      for (entity, name) in [("Bird", "b"), ("Cat", "c"), ("Lion", "l")] { context.insert(entity, ["name": name]) }
      for _ in 0..<2 {
        func names(_ entity: String, subentities: Bool) throws -> [String] {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.includesSubentities = subentities
          request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
          return try context.fetch(request).compactMap { $0.string("name") }
        }
        let found = [
          try names("Animal", subentities: true), try names("Animal", subentities: false),
          try names("Cat", subentities: true), try names("Cat", subentities: false),
        ]
        #expect(found == [["b", "c", "l"], [], ["c", "l"], ["c"]])
        // The second round asks the store.
        try context.save()
      }
    }
  }

  // S7.3: an unsaved note is no reason to judge a clean word by a value that is older than the store's.
  @Test(arguments: [false, true]) func cleanObjectsAreFoundByWhatTheStoreHas(isInChild: Bool) throws {
    let stack = try TestStack()
    try stack.seed(1...3, words: ["a"])
    let parent = stack.context()
    let context = isInChild ? stack.child(of: parent) : parent
    try context.performAndWait {
      for word in try context.words() { _ = word.level }
      try stack.change { for word in try $0.words() where word.note?.number != 3 { word.level = 5 } }
      let predicate = NSPredicate(format: "level == 5 AND note.number < 9")
      #expect(try context.words(predicate).count == 2)
      context.insertNote(4)
      #expect(try context.words(predicate).count == 2)
      // The word of a note that was changed is looked at here.
      try context.note(1).number = 9
      #expect(try context.words(predicate).map { $0.note?.number } == [2])
    }
  }

  // S7.1
  @Test func anUnknownEntityOrKeyIsAnError() throws {
    let context = try TestStack().context()
    context.performAndWait {
      #expect(caught { _ = try context.all("Nothing") } != nil)
      #expect(
        caught { _ = try context.all("Note", where: "nothing", is: 1) }?.localizedDescription.contains("nothing")
          == true)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "nothing", ascending: true)]
      #expect(caught { _ = try context.fetch(request) } != nil)
    }
  }
}
