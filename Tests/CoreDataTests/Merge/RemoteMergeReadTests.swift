import SQLite
import Scheduling
import Testing

@testable import CoreData
@testable import RowStore

/// A remote merge's reads of the store, and the row cache afterwards. S5.2.
@Suite struct RemoteMergeReadTests {
  private func merge(_ info: [AnyHashable: Any], into context: NSManagedObjectContext) {
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: info, into: [context])
  }

  @Test(arguments: [1, 3]) func objectsOfManyPagesAreMergedInAnyOrder(keyStep: Int) throws {
    let stack = try TestStack(.file)
    let count: Int64 = 1_000
    let ids = try stack.seed(1...count)
    // With steps of 1 the keys are dense, with steps of 3 too far apart for a range.
    let listed = ids.filter { Int($0.primaryKey) % keyStep == 0 }
    let goesAway = Set(listed.filter { $0.primaryKey % 7 == 0 })
    let context = stack.context()
    try context.performAndWait {
      let notes = try context.notes()
      _ = notes.map(\.title)
      try Connection.write(
        stack.url,
        "UPDATE ZNOTE SET ZTITLE = 'new ' || Z_PK, Z_OPT = Z_OPT + 1; DELETE FROM ZNOTE WHERE Z_PK % 7 = 0")
      let updated = listed.filter { !goesAway.contains($0) }.map { $0.uriRepresentation() }
      let deleted = listed.filter(goesAway.contains).map { $0.uriRepresentation() }
      var random = SeededRandom(seed: UInt64(keyStep))
      // Some are listed twice, which changes nothing.
      let shuffled = (updated + updated.prefix(250)).shuffled(using: &random)
      let found = try stack.statements {
        merge([NSUpdatedObjectsKey: shuffled, NSDeletedObjectsKey: deleted], into: context)
      }
      #expect(found == (listed.count + SQLiteStore.keysPerStatement - 1) / SQLiteStore.keysPerStatement)
      let cache = try #require(stack.container.persistentStoreCoordinator.stores.all.first?.sqlite.cache)
      // The notes have their old rows still, which the cache must not hand out.
      #expect(goesAway.allSatisfy { cache.row($0.identity) == nil })
      for note in notes {
        let key = note.objectID.primaryKey
        let isListed = Int(key) % keyStep == 0
        #expect(note.isDeleted == (isListed && key % 7 == 0))
        #expect(note.title == (isListed && key % 7 != 0 ? "new \(key)" : "note \(note.number)"))
      }
    }
  }

  @Test func theRangeOfASaveReadsNoOtherRow() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...20)
    let (reader, context) = (stack.context("reader"), stack.context())
    let held = try reader.performAndWait {
      let notes = try reader.notes()
      _ = notes.map(\.title)
      return notes
    }
    try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'new'")
    let even = ids.filter { $0.primaryKey.isMultiple(of: 2) }
    merge([NSUpdatedObjectsKey: even], into: context)
    let cache = try #require(stack.container.persistentStoreCoordinator.stores.all.first?.sqlite.cache)
    try reader.performAndWait {
      for note in held {
        let isTold = note.objectID.primaryKey.isMultiple(of: 2)
        // An object with the old row of a note keeps it, but the next look for a reported note gets the new one.
        let row = try #require(note.snapshot)
        #expect((cache.row(note.objectID.identity) === row) == !isTold)
      }
    }
    try context.performAndWait {
      let titles = try even.map { try #require(context.object(with: $0) as? Note).title }
      #expect(titles == Array(repeating: "new", count: even.count))
    }
  }

  @Test func aFaultAtTheOtherEndOfARelationshipShowsTheNewRow() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...1, words: ["a"])
    let (reader, context) = (stack.context("reader"), stack.context())
    // An object keeps the old row in the cache.
    let held = try reader.performAndWait { try reader.note(1) }
    reader.performAndWait { _ = held.title }
    try context.performAndWait {
      let word = try #require(try context.words().first)
      let note = try #require(word.note)
      #expect(note.isFault)
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
      let log = NotificationLog(context)
      merge([NSUpdatedObjectsKey: ids.map { $0.uriRepresentation() }], into: context)
      #expect(note.isFault)
      #expect(log.take().isEmpty)
      #expect(note.title == "elsewhere")
    }
  }

  @Test(arguments: [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey])
  func aRowThatWasDeletedAndIsThereAgainIsAnUpdate(_ key: String) throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...1)
    let second = try TestStack(url: stack.url)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      try stack.change { try $0.note(1).title = "second version" }
      merge([NSUpdatedObjectsKey: ids], into: context)
      let row = try Connection(path: stack.url.path, mode: .readOnly).column("SELECT Z_ENT FROM ZNOTE")[0]
      try second.change { $0.delete(try $0.note(1)) }
      try Connection.write(
        stack.url,
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZTITLE) VALUES (\(note.primaryKey), \(row), 1, 1, 'back')")
      merge([key: ids], into: context)
      #expect(!note.isDeleted)
      #expect(note.title == "back")
      note.number = 2
      try context.save()
    }
    #expect(try stack.sql("SELECT ZTITLE || ZNUMBER FROM ZNOTE") == ["back2"])
  }

  @Test func whatCannotBeReadNowIsReadWhenItIsAskedFor() throws {
    let stack = try TestStack(.file)
    let ids = try stack.seed(1...2)
    let (reader, context) = (stack.context("reader"), stack.context())
    let held = try reader.performAndWait { try reader.notes() }
    reader.performAndWait { _ = held.map(\.title) }
    try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
    let store = try #require(stack.container.persistentStoreCoordinator.stores.all.first?.sqlite)
    let plan = FaultPlan { _ in FaultPlan.Failure(.inputOutput) }
    try store.reading { connection, _ in connection.faults = plan }
    merge([NSUpdatedObjectsKey: ids], into: context)
    #expect(plan.failed != nil)
    try store.reading { connection, _ in connection.faults = nil }
    context.performAndWait {
      #expect(ids.map { (context.object(with: $0) as? Note)?.title } == ["elsewhere", "elsewhere"])
    }
    reader.performAndWait { withExtendedLifetime(held) {} }
  }

  @Test func aReadThatBeganBeforeARowWasDroppedDoesNotBringItBack() throws {
    let stack = try TestStack(.file)
    let id = try stack.seed(1...1)[0]
    let context = stack.context()
    let cache = try #require(stack.container.persistentStoreCoordinator.stores.all.first?.sqlite.cache)
    try context.performAndWait {
      let note = try context.note(1)
      _ = note.title
      let row = try #require(note.snapshot)
      cache.reading { start in
        cache.drop([id.key], root: row.layout.root)
        _ = cache.publish(row, readAt: start)
      }
      #expect(cache.row(id.identity) == nil)
      // One that begins afterwards lists it.
      cache.reading { start in _ = cache.publish(row, readAt: start) }
      #expect(cache.row(id.identity) === row)
    }
  }

  /// How an app puts together the saved objects.
  enum Collected: CaseIterable, Sendable {
    case objects, setOfObjects, setOfURIs, mixed, bridged, hashables, listOfHashables, optionals

    func value(_ objects: [NSManagedObject]) -> Any {
      let ids = objects.map(\.objectID)
      let uris = ids.map { $0.uriRepresentation() }
      return switch self {
      case .objects: objects
      case .setOfObjects: Set(objects)
      case .setOfURIs: Set(uris)
      case .mixed: [uris[0], "nonsense", ids[1], 7, objects[2]] as [Any]
      case .bridged: NSSet(array: [uris[0], ids[1], objects[2]])
      case .listOfHashables: [uris[0], ids[1], objects[2]] as [AnyHashable]
      case .optionals: ids.map(Optional.some) + [nil]
      case .hashables: Set<AnyHashable>([uris[0], ids[1], objects[2], "nonsense"])
      }
    }
  }

  @Test(arguments: Collected.allCases) func objectsIDsAndURIsAreTakenHoweverTheyComeTogether(_ form: Collected) throws {
    let stack = try TestStack(.file)
    try stack.seed(1...3)
    let (writer, context) = (stack.context("writer"), stack.context())
    try context.performAndWait {
      let notes = try context.notes()
      _ = notes.map(\.title)
      try Connection.write(stack.url, "UPDATE ZNOTE SET ZTITLE = 'elsewhere', Z_OPT = Z_OPT + 1")
      let info = try writer.performAndWait { [NSUpdatedObjectsKey: form.value(try writer.notes())] }
      merge(info, into: context)
      #expect(notes.map(\.title) == ["elsewhere", "elsewhere", "elsewhere"])
    }
  }
}
