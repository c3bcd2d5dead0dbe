import CoreData
import Testing

@testable import Trials

/// Pictures of contexts, which the trials of the contract compare.
struct RulePictureTests {
  private func makeContext() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func insert(_ entity: String, _ number: Int, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(number, forKey: RuleModel.number)
    return object
  }

  @Test(arguments: ["value", "canonical form", "order", "member", "object"])
  func whatDiffersIsFound(_ what: String) throws {
    let context = try makeContext()
    try context.performAndWait {
      let (box, item) = (insert("Box", 1, context), insert("Item", 2, context))
      item.setValue("caf\u{e9}", forKey: "name")
      let others = [3, 4].map { insert("Item", $0, context) }
      box.setValue(NSOrderedSet(array: others), forKey: "list")
      let before = try RulePicture(context)
      #expect(try RulePicture(context).difference(from: before) == nil)
      switch what {
      case "value": item.setValue(7, forKey: "rank")
      case "canonical form": item.setValue("cafe\u{301}", forKey: "name")
      case "order": box.setValue(NSOrderedSet(array: others.reversed()), forKey: "list")
      case "member": item.setValue(box, forKey: "box")
      default: context.delete(item)
      }
      context.processPendingChanges()
      let difference = try #require(try RulePicture(context).difference(from: before))
      let subjects = [
        "value": "rank of Item 2", "canonical form": "name of Item 2", "order": "list of Box 1",
        "member": "items of Box 1",
        "object": "object 2",
      ]
      #expect(difference.subject == subjects[what])
    }
  }
}
