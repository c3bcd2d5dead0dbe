import CoreData
import Testing

/// Counts the changes of a controller's list.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
  var changes = 0

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    changes += 1
  }
}

/// Expectations of apps and of libraries' suites beside the large rules.
@Suite struct AppExpectationTests {
  // S7.1
  @Test func sortDescriptorsOfOneKeyAreEqual() {
    let title = NSSortDescriptor(key: "title", ascending: true)
    #expect(title == NSSortDescriptor(key: "title", ascending: true))
    #expect(title.hash == NSSortDescriptor(key: "title", ascending: true).hash)
    #expect(title != NSSortDescriptor(key: "title", ascending: false))
    #expect(title != NSSortDescriptor(key: "number", ascending: true))
    #expect("\(title)".contains("title") && "\(title)".contains("ascending"))
    #expect("\(NSSortDescriptor(key: "title", ascending: false))".contains("descending"))
    let path = NSSortDescriptor(keyPath: \Note.title, ascending: true)
    #expect(path == NSSortDescriptor(keyPath: \Note.title, ascending: true))
    #expect(path != NSSortDescriptor(keyPath: \Note.title, ascending: false))
  }

  // S7.5
  @Test func aControllerNeedsNoOrder() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let context = stack.context()
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = []
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let follower = Follower()
      controller.delegate = follower
      try controller.performFetch()
      #expect(controller.fetchedObjects?.count == 3)
      context.insertNote(4)
      context.delete(try context.note(1))
      context.processPendingChanges()
      #expect(Set(controller.fetchedObjects?.map(\.number) ?? []) == [2, 3, 4])
      #expect(follower.changes == 2)
    }
  }

  // S9.2
  @Test func userInfoBeginsEmpty() {
    #expect(NSEntityDescription().userInfo?.isEmpty == true)
    #expect(NSAttributeDescription().userInfo?.isEmpty == true)
    #expect(NSRelationshipDescription().userInfo?.isEmpty == true)
  }

  // S7.4
  @Test func aBatchDeleteTakesARequestOfAnyResult() throws {
    let stack = try TestStack()
    try stack.seed(1...3)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "number > 1")
    let context = stack.context()
    try context.performAndWait {
      let delete = NSBatchDeleteRequest(fetchRequest: request)
      delete.resultType = .resultTypeCount
      let result = try context.execute(delete) as? NSBatchDeleteResult
      #expect(result?.result as? Int == 2)
      let count = try context.count(for: NSFetchRequest<Note>(entityName: "Note"))
      #expect(count == 1)
    }
  }

  // S2.8
  @Test func aStoredValueHasAnAccessorOfItsOwn() throws {
    let (title, plain) = (_PropertyKey("primitiveTitle"), _PropertyKey("primitiveNumber"))
    let stack = try TestStack()
    try stack.seed(1...1)
    let context = stack.context()
    try context.performAndWait {
      let note = try context.note(1)
      note.willAccessValue(forKey: nil)
      #expect(note._primitive(title, as: String.self) == "note 1")
      #expect(note._primitive(plain, as: Int64.self) == 1)
      note._setPrimitive(title, "primitive")
      note._setPrimitive(plain, 7)
      #expect(note.title == "primitive" && note.number == 7)
      #expect(!note.hasChanges)
      note._setPrimitive(title, nil)
      #expect(note._primitive(title, as: String.self) == nil)
    }
  }

  // S2.8
  @Test func anObjectNeverSavedHasNoCommittedValues() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let note = context.insertNote(1, title: "new")
      #expect(note.committedValues(forKeys: nil).isEmpty)
      #expect(note.committedValues(forKeys: ["title"]).isEmpty)
    }
  }

  // S3.2, S6.3
  @Test func metadataAreSavedWithoutOtherChanges() throws {
    let stack = try TestStack(.file)
    let coordinator = stack.container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    coordinator.setMetadata(["app": "test"], for: store)
    let context = stack.context()
    let log = NotificationLog(context)
    try context.performAndWait { try context.save() }
    #expect(log.takeText() == ["will", "did"])
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: stack.url)
    #expect(metadata["app"] as? String == "test")
  }

  // S3.1
  @Test func severalErrorsNameTheirKeys() throws {
    let model = Notebook.model()
    for name in ["title", "uuid"] {
      model.entitiesByName["Note"]?.attributesByName[name]?.isOptional = false
      model.entitiesByName["Note"]?.attributesByName[name]?.defaultValue = nil
    }
    let context = try TestStack(model: model).context()
    context.performAndWait {
      context.insertNote(1)
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSValidationMultipleErrorsError)
      #expect(error?.localizedDescription.contains("title, uuid") == true)
    }
  }
}
