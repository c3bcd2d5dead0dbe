import Testing

@testable import CoreData

/// Contexts that read one state of the store while others write.
@Suite("S6.17 Query generations") struct QueryGenerationTests {
  private let stack: TestStack
  private let context: NSManagedObjectContext

  init() throws {
    stack = try TestStack(.file)
    try stack.seed(1...3)
    context = stack.context()
  }

  /// The titles that the context reads, of new objects each time.
  private func titles() throws -> [String?] {
    try context.performAndWait {
      context.refreshAllObjects()
      return try context.notes().map(\.title)
    }
  }

  /// Another context changes a title, deletes a note and inserts one.
  private func change() throws {
    try stack.change { other in
      try other.note(1).title = "changed"
      other.delete(try other.note(2))
      other.insertNote(4, title: "note 4")
    }
  }

  private let old = ["note 1", "note 2", "note 3"]
  private let new = ["changed", "note 3", "note 4"]

  @Test func fetchesCountsAndFaultsAreOfOneState() throws {
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    #expect(try titles() == old)
    try change()
    #expect(try titles() == old)
    try context.performAndWait {
      let note = try context.note(2)
      #expect(note.title == "note 2" && note.words.isEmpty)
      #expect(try context.count(for: NSFetchRequest<Note>(entityName: "Note")) == 3)
      context.refresh(note, mergeChanges: false)
      #expect(note.title == "note 2")
      #expect(try context.existingObject(with: note.objectID) === note)
      try context.setQueryGenerationFrom(nil)
    }
    #expect(try titles() == new)
  }

  // S6.5: a large value that was replaced since is still there, and goes with the state.
  @Test func aStateKeepsTheFilesOfItsLargeValues() throws {
    let stack = try Album.stack()
    try stack.change { $0.insert("Picture", ["name": "a", "data": Album.value(1)]) }
    let context = stack.context()
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Picture")) == 1)
    }
    try stack.change { try #require(try $0.all("Picture").first).setValue(Album.value(2), forKey: "data") }
    try context.performAndWait {
      #expect(try context.all("Picture").map { $0.value(forKey: "data") as? Data } == [Album.value(1)])
      try context.setQueryGenerationFrom(nil)
      context.reset()
    }
    try stack.expectFilesAreThoseOfRows(1)
  }

  @Test func theStateIsThatOfTheFirstRead() throws {
    try context.performAndWait {
      #expect(context.queryGenerationToken == nil)
      try context.setQueryGenerationFrom(.current)
      #expect(context.queryGenerationToken == .current)
    }
    try change()
    #expect(try titles() == new)
    context.performAndWait {
      #expect(context.queryGenerationToken != .current && context.queryGenerationToken != nil)
    }
  }

  @Test func aTokenGivesItsStateToAnotherContext() throws {
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    #expect(try titles() == old)
    let token = try context.performAndWait { try #require(context.queryGenerationToken) }
    try change()
    let other = stack.context()
    try other.performAndWait { () throws in
      #expect(try other.notes().map(\.title) == new)
      try other.setQueryGenerationFrom(token)
      other.refreshAllObjects()
      #expect(try other.notes(NSPredicate(format: "number == 2")).count == 1)
      #expect(other.queryGenerationToken == token)
    }
  }

  @Test("saving, resetting and merging move the state", arguments: ["save", "reset", "merge", "current"])
  func movesTheState(by what: String) throws {
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    #expect(try titles() == old)
    try change()
    try context.performAndWait {
      switch what {
      case "save":
        context.insertNote(9, title: "note 9")
        try context.save()
      case "reset": context.reset()
      case "merge":
        context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave, userInfo: [:]))
      default: try context.setQueryGenerationFrom(.current)
      }
      #expect(context.queryGenerationToken == .current)
    }
    #expect(try titles() == new + (what == "save" ? ["note 9"] : []))
  }

  @Test func aSaveFindsWhatOthersHaveChangedSince() throws {
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      try context.note(1).title = "mine"
    }
    try change()
    context.performAndWait {
      #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
      #expect(context.queryGenerationToken != .current)
    }
  }

  @Test func childrenReadWhatTheirParentReads() throws {
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    #expect(try titles() == old)
    try change()
    let child = stack.child(of: context)
    try child.performAndWait { () throws in
      #expect(try child.notes().map(\.title) == old)
      #expect(child.queryGenerationToken == nil)
    }
  }

  @Test(arguments: [TestStack.Place.memory, .devNull])
  func aStoreInMemoryHasNone(place: TestStack.Place) throws {
    let stack = try TestStack(place)
    let context = stack.context()
    context.performAndWait {
      #expect(
        cocoaCode { try context.setQueryGenerationFrom(.current) } == NSPersistentStoreUnsupportedRequestTypeError)
    }
  }

  // S6.3, S6.12
  @Test func aRemovedStoreIsReadNoMore() throws {
    let coordinator = stack.container.persistentStoreCoordinator
    let other = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: stack.folder.appendingPathComponent("other.sqlite"))
    try context.performAndWait {
      try context.setQueryGenerationFrom(.current)
      let id = try context.note(1).objectID
      try coordinator.remove(coordinator.persistentStores[0])
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
      }
      #expect(!open.contains { $0.hasPrefix(stack.url.path) })
      #expect(try context.notes().isEmpty)
      #expect(caught { _ = try context.existingObject(with: id) }?.code == NSPersistentStoreOperationError)
      try coordinator.remove(other)
      #expect(caught { _ = try context.notes() }?.code == NSPersistentStoreOpenError)
    }
  }

  @Test func aStateThatWasGivenUpHoldsNoLog() throws {
    for _ in 1...20 {
      try context.performAndWait { try context.setQueryGenerationFrom(.current) }
      _ = try titles()
      try change()
      try stack.change { other in
        other.delete(try other.note(4))
        other.insertNote(2, title: "note 2")
      }
    }
    try context.performAndWait { try context.setQueryGenerationFrom(nil) }
    let coordinator = stack.container.persistentStoreCoordinator
    #expect(throws: Never.self) { try coordinator.remove(coordinator.persistentStores[0]) }
    let log = try? FileManager.default.attributesOfItem(atPath: stack.url.path + "-wal")
    #expect(log?[.size] as? Int ?? 0 == 0)
  }
}
