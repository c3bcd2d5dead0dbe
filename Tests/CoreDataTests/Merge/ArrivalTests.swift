import Testing

@testable import CoreData

/// An item that does something as it is deleted.
final class WatchedItem: NSManagedObject {
  var onDelete: (() -> Void)?

  override func prepareForDeletion() { onDelete?() }
}

/// When saves of others are merged by themselves, and from which contexts.
@Suite struct ArrivalTests {
  private static func model() -> NSManagedObjectModel {
    let (box, item) = (Notebook.entity("Box", NSManagedObject.self), Notebook.entity("Item", WatchedItem.self))
    let items = Notebook.relationship("items", to: item, maxCount: 0, rule: .cascadeDeleteRule)
    let place = Notebook.relationship("box", to: box, maxCount: 1)
    (items.inverseRelationship, place.inverseRelationship) = (place, items)
    box.properties = [items]
    item.properties = [Notebook.attribute("name", .stringAttributeType), place]
    let model = NSManagedObjectModel()
    model.entities = [box, item]
    return model
  }

  // S5.6: a save that arrives while deletions are followed is merged after them.
  @Test func nothingIsMergedWhileChangesAreProcessed() throws {
    let stack = try TestStack(model: Self.model())
    let (context, other) = (stack.context("context"), stack.context("other"))
    let (box, items, free) = try context.performAndWait {
      context.automaticallyMergesChangesFromParent = true
      let box = context.insert("Box", [:])
      let items = ["a", "b", "c"].map { context.insert("Item", ["name": $0, "box": box]) }
      let free = context.insert("Item", ["name": "free"])
      try context.save()
      return (box, items.compactMap { $0 as? WatchedItem }, free)
    }
    // On the queue and outside of blocks, as the main thread is with a main queue context.
    try context.queue.sync {
      var seen: [String?] = []
      for item in items {
        item.onDelete = {
          do {
            try other.performAndWait {
              other.object(with: free.objectID).setValue("changed", forKey: "name")
              for item in items where item !== items[0] { other.delete(other.object(with: item.objectID)) }
              try other.save()
            }
          } catch {
            Issue.record(error)
          }
          item.onDelete = nil
          for item in items { item.onDelete = nil }
          context.performAndWait {}
          seen.append(free.value(forKey: "name") as? String)
        }
      }
      context.delete(box)
      context.processPendingChanges()
      #expect(seen == ["free"])
      #expect(context.deletedObjects.count == 4)
      context.performAndWait {}
      #expect(free.value(forKey: "name") as? String == "changed")
      context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
      try context.save()
    }
    #expect(try stack.sql("SELECT ZNAME FROM ZITEM") == ["changed"])
  }

  // S5.5: a save of a context that is gone is no save of the one that was made at its address.
  @Test func aContextIsNotTakenForOneThatIsGone() throws {
    let stack = try TestStack()
    var numbers: Set<UInt64> = []
    for round in 1...100 {
      let (number, notification) = try savedByAContextThatIsGone(stack, Int64(round))
      numbers.insert(number)
      // Has the address of the one that is gone, as a rule.
      let context = stack.context("context")
      #expect(numbers.insert(context.identity.number).inserted)
      let log = NotificationLog(context)
      context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
      #expect(log.takeText().count == 1, "round \(round)")
    }
  }

  private func savedByAContextThatIsGone(_ stack: TestStack, _ number: Int64) throws -> (UInt64, Notification) {
    let context = stack.context("saver")
    let log = NotificationLog(context)
    try context.performAndWait {
      context.insertNote(number)
      try context.save()
    }
    let saved = try #require(log.didSaves.last)
    return (context.identity.number, Notification(name: saved.name, object: nil, userInfo: saved.userInfo))
  }
}
