import CoreData
import Testing

/// A save calls the methods of its objects' classes.
@Suite(.everyStore) struct SavedSetsTests {
  private final class LoudCat: NSManagedObject {
    // One test has such objects, with one kind of store after the other.
    nonisolated(unsafe) static var calls: [String] = []

    override func willSave() { Self.calls.append("will \(string("name") ?? "")") }
    override func didSave() { Self.calls.append("did \(string("name") ?? "")") }
  }

  // S3.1
  @Test func anObjectOfAnotherClassThanItsEntitysIsCalled() throws {
    let stack = try TestStack(model: Zoo.model())
    let context = stack.context()
    try context.performAndWait {
      _ = context.insert("Cat", ["name": "quiet"])
      try context.save()
      let entity = try #require(stack.container.managedObjectModel.entitiesByName["Cat"])
      LoudCat(entity: entity, insertInto: context).setValue("loud", forKey: "name")
      try context.save()
      #expect(LoudCat.calls.suffix(2) == ["will loud", "did loud"])
    }
  }
}
