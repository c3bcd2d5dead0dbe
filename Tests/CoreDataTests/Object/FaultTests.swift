import CoreData
import SQLite
import Testing

@Suite(.everyStore) struct FaultTests {
  // S2.3
  @Test func aFetchedObjectIsAFaultUntilAPropertyIsRead() throws {
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      #expect(note.isFault)
      _ = (note.objectID, note.entity, note.hasChanges, note.isInserted, note.isDeleted, note.managedObjectContext)
      _ = note.description
      #expect(note.isFault)
      #expect(note.title == "note 1")
      #expect(!note.isFault)
    }
  }

  // S2.3
  @Test func fetchedObjectsComeRealisedWhereTheRequestAsks() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.returnsObjectsAsFaults = false
      let notes = try context.fetch(request)
      #expect(notes.map(\.isFault) == [false, false, false])
    }
  }

  // S2.3: the row cache answers while an object holds the row.
  @Test func aFaultFillsFromTheRowCache() throws {
    let stack = try TestStack(.file)
    let id = try stack.seed(1...1)[0]
    let (holder, reader) = (stack.context(), stack.context())
    let held = try holder.performAndWait { try holder.note(1) }
    holder.performAndWait { _ = held.title }
    try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'behind the stack'")
    reader.performAndWait {
      #expect((reader.object(with: id) as? Note)?.title == "note 1")
    }
    holder.performAndWait { #expect(held.title == "note 1") }
  }

  // S2.3
  @Test func aFaultWhoseRowIsGoneIsDeletedAndEmpty() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    try stack.change { $0.delete(try $0.note(1)) }
    let context = stack.context("inaccessible \(UUID())")
    let faults = context.performAndWait {
      Hooks.faults(in: context) {
        let note = context.object(with: id) as? Note
        #expect(note?.title == nil)
        #expect(note?.number == 0)
        #expect(note?.words.isEmpty == true)
        #expect(note?.isDeleted == true)
      }
    }
    #expect(faults.map(\.property) == ["title"])
    #expect(faults.first?.entity == "Note")
    #expect(faults.first?.id == "\(id)")
  }

  // S2.3
  @Test func aFaultThatIsFilledIsNotReported() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    let context = stack.context("accessible \(UUID())")
    let faults = try context.performAndWait {
      try Hooks.faults(in: context) {
        #expect((context.object(with: id) as? Note)?.title == "note 1")
        _ = try? context.existingObject(with: id)
        try stack.change { $0.delete(try $0.note(1)) }
        // The API returns an error, so nothing is reported.
        context.reset()
        _ = try? context.existingObject(with: id)
      }
    }
    #expect(faults.isEmpty)
  }

  // S2.3: an object that was found gone takes no more changes, and a save has nothing to do with it.
  @Test func anInaccessibleObjectIsNeverSaved() throws {
    let stack = try TestStack()
    let id = try stack.seed(1...1)[0]
    try stack.change { $0.delete(try $0.note(1)) }
    let context = stack.context()
    try context.performAndWait {
      let note = try #require(context.object(with: id) as? Note)
      #expect(note.title == nil)
      note.title = "ghost"
      #expect(!context.hasChanges)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["0"])
  }

  // S2.3, S3.1: a word that is given to a note found gone would point nowhere.
  @Test func aReferenceToAnInaccessibleObjectFailsTheSave() throws {
    let stack = try TestStack()
    let ids = try stack.seed(1...2, words: ["a"])
    try stack.change { $0.delete(try $0.note(1)) }
    let context = stack.context()
    try context.performAndWait {
      let gone = try #require(context.object(with: ids[0]) as? Note)
      let word = try #require(try context.words().first)
      word.note = gone
      #expect(cocoaCode { try context.save() } == NSManagedObjectValidationError)
      word.note = try context.note(2)
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD JOIN ZNOTE ON ZNOTE.Z_PK = ZWORD.ZNOTE") == ["1"])
  }

  // S2.3: the class of the object counts, not that of its entity.
  @Test func aSubclassOfTheEntitysClassIsAwakened() throws {
    final class WakefulNote: NSManagedObject {
      var awakenings = 0
      override func awakeFromFetch() { awakenings += 1 }
    }
    let entity = Notebook.entity("Entry", NSManagedObject.self)
    entity.properties = [Notebook.attribute("text", .stringAttributeType)]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let context = try TestStack(model: model).context()
    try context.performAndWait {
      let note = WakefulNote(entity: entity, insertInto: context)
      note.setValue("a", forKey: "text")
      try context.save()
      context.refresh(note, mergeChanges: false)
      #expect(note.isFault && note.awakenings == 0)
      #expect(note.string("text") == "a" && note.awakenings == 1)
    }
  }

  // S2.3: filled by setting, by asking for an object, and as a cascade follows its relationships.
  @Test(arguments: ["read", "set", "cascade"]) func everyFillingAwakens(how: String) throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a"]) }
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(try context.all("Entry").first as? DiaryEntry)
      switch how {
      case "read": #expect(entry.value(forKey: "text") as? String == "a")
      case "set": entry.setValue("b", forKey: "text")
      default:
        context.delete(entry)
        context.processPendingChanges()
        _ = entry.value(forKey: "text")
      }
      #expect(entry.calls.filter { $0 == "awakeFromFetch" }.count == 1)
    }
  }

  // S2.3
  @Test func theContextMayGoWhileAFaultIsFilled() throws {
    let stack = try TestStack(model: Diary.model())
    try stack.change { $0.insert("Entry", ["text": "a"]) }
    var context: NSManagedObjectContext? = stack.context()
    let entry = try #require(try context?.performAndWait { try context?.all("Entry").first as? DiaryEntry })
    entry.onAwakeFromFetch = { context = nil }
    #expect(entry.value(forKey: "text") as? String == "a" && context == nil && entry.managedObjectContext == nil)
  }

  // S2.3
  @Test func awakeFromFetchComesOncePerFilling() throws {
    let stack = try TestStack(model: Diary.model())
    let context = stack.context()
    try context.performAndWait {
      context.insert("Entry", ["text": "a"])
      try context.save()
    }
    let reader = stack.context()
    try reader.performAndWait {
      let entry = try #require(try reader.all("Entry").first as? DiaryEntry)
      #expect(entry.calls == [])
      _ = entry.string("text")
      _ = entry.string("text")
      #expect(entry.calls == ["awakeFromFetch"])
      reader.refresh(entry, mergeChanges: false)
      #expect(entry.calls == ["awakeFromFetch", "willTurnIntoFault", "didTurnIntoFault"])
      #expect(entry.isFault)
    }
  }
}
