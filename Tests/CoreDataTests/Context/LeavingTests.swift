import Foundation
import Testing

@testable import CoreData

/// Objects that leave a context before they were saved, and links to objects that are deleted.
@Suite struct LeavingTests {
  // S2.4: a view may still show a cancelled object.
  @Test func anInsertedObjectCanBeReadAfterARollback() throws {
    let context = try TestStack().context()
    context.performAndWait {
      let note = context.insertNote(1, title: "draft", words: ["a"])
      context.processPendingChanges()
      // Notifications are posted on this thread.
      nonisolated(unsafe) var titles: [String?] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { notification in
        let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
        titles += deleted.compactMap { $0 as? Note }.map(\.title)
      }
      defer { NotificationCenter.default.removeObserver(token) }
      context.rollback()
      #expect(titles == ["draft"])
      #expect(note.title == "draft")
      #expect(note.words == [])
      #expect(note.managedObjectContext == nil)
      #expect(!note.isInserted)
      context.insert(note)
      #expect(note.title == "draft")
    }
  }

  /// Notes inserted and reported, or not; the controller's fetch reports them at the latest.
  @Test(arguments: [true, false], [true, false])
  func aControllerLosesWhatWasInsertedAndDeleted(isReported: Bool, rollsBack: Bool) throws {
    final class Delegate: NSObject, NSFetchedResultsControllerDelegate {}
    let context = try TestStack().context()
    try context.performAndWait {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = Delegate()
      controller.delegate = delegate
      let note = context.insertNote(1)
      if isReported { context.processPendingChanges() }
      try controller.performFetch()
      #expect(controller.fetchedObjects == [note])
      let log = NotificationLog(context)
      context.delete(note)
      if rollsBack { context.rollback() } else { context.processPendingChanges() }
      #expect(controller.fetchedObjects == [])
      #expect(log.take().map(\.kind) == ["changed"])
      withExtendedLifetime(delegate) {}
    }
  }

  // S8.1, S8.3: no key is saved that has no row.
  @Test(arguments: ["note", "words", "tags"]) func aLinkToADeletedObjectIsRefused(key: String) throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    try stack.change { context in
      for word in try context.words() { word.setValue(Set([context.insert("Tag", ["name": "t"])]), forKey: "tags") }
    }
    let context = stack.context()
    try context.performAndWait {
      let (first, second) = (try context.note(1), try context.note(2))
      let word = try #require(second.words.first as? Word)
      let leaving: NSManagedObject
      switch key {
      case "note": leaving = first
      case "words": leaving = try #require(first.words.first as? Word)
      default: leaving = try #require((word.value(forKey: "tags") as? Set<NSManagedObject>)?.first)
      }
      context.delete(leaving)
      context.processPendingChanges()
      let owner = key == "words" ? second : word
      if key == "note" {
        word.note = first
      } else {
        owner.mutableSetValue(forKey: key).add(leaving)
      }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.localizedDescription.contains(".\(key)") == true, "\(error.debugDescription)")
      if key == "note" { word.note = second } else { owner.mutableSetValue(forKey: key).remove(leaving) }
      try context.save()
    }
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)") == ["0"])
  }

  // S4.4: the parent has deleted the target of the child's change.
  @Test func aChildsLinkToWhatItsParentHasDeletedIsDropped() throws {
    let stack = try TestStack()
    try stack.seed(1...2, words: ["a"])
    let parent = stack.context("parent")
    let child = stack.child(of: parent)
    try child.performAndWait {
      let (word, first) = (try #require(try child.note(2).words.first as? Word), try child.note(1))
      _ = (first.title, first.words)
      parent.performAndWait {
        parent.delete(parent.object(with: first.objectID))
        parent.processPendingChanges()
      }
      word.note = first
      try child.save()
    }
    try parent.performAndWait { try parent.save() }
    #expect(try stack.sql("SELECT count(*) FROM ZNOTE") == ["1"])
    #expect(try stack.sql("SELECT count(*) FROM ZWORD WHERE ZNOTE NOT IN (SELECT Z_PK FROM ZNOTE)") == ["0"])
  }

  // S2.6: objects are linked first and inserted later, in any order.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) func linksOfObjectsInsertedLaterAreSaved(order: [Int]) throws {
    let stack = try TestStack(model: Zoo.model())
    let entities = stack.container.managedObjectModel.entitiesByName
    let context = stack.context()
    try context.performAndWait {
      func make(_ name: String) throws -> NSManagedObject {
        NSManagedObject(entity: try #require(entities[name]), insertInto: nil)
      }
      let (keeper, badge, cat) = (try make("Keeper"), try make("Badge"), try make("Cat"))
      badge.setValue(keeper, forKey: "keeper")
      cat.setValue(keeper, forKey: "keeper")
      keeper.setValue(cat, forKey: "favourite")
      let objects = [keeper, badge, cat]
      for index in order { context.insert(objects[index]) }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Cat")
      request.predicate = NSPredicate(format: "keeper == %@", keeper)
      #expect(try context.fetch(request) == [cat])
      try context.save()
    }
    try stack.change { other in
      let keeper = try #require(try other.all("Keeper").first)
      #expect(keeper.object("badge")?.object("keeper") === keeper)
      #expect(keeper.object("favourite")?.object("keeper") === keeper)
      #expect(keeper.objects("animals").count == 1)
    }
  }

  // S2.5: the order that was read or saved last.
  @Test func oldMembersOfAnOrderedRelationshipHaveTheirOrder() throws {
    let stack = try TestStack(model: Library.model())
    let context = stack.context()
    try context.performAndWait {
      let shelf = try context.seedShelf("abc")
      func names(_ values: [String: Any]) -> [String]? {
        (values["books"] as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.string("name") }
      }
      let books = shelf.mutableOrderedSetValue(forKey: "books")
      books.exchangeObject(at: 0, withObjectAt: 2)
      #expect(names(shelf.committedValues(forKeys: ["books"])) == ["a", "b", "c"])
      #expect(names(shelf.changedValuesForCurrentEvent()) == ["a", "b", "c"])
      context.processPendingChanges()
      books.removeObject(at: 1)
      #expect(names(shelf.committedValues(forKeys: ["books"])) == ["a", "b", "c"])
      #expect(names(shelf.changedValuesForCurrentEvent()) == ["c", "b", "a"])
      try context.save()
      #expect(names(shelf.committedValues(forKeys: ["books"])) == ["c", "a"])
    }
  }
}
