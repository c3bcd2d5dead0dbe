import CoreData
import Foundation
import Testing

/// Tests of a store that expect nothing of it: only the stack's own faults are findings.
@Suite struct StoreTests {
  // Only changed while it is made.
  nonisolated(unsafe) private static let model = {
    let number = NSAttributeDescription()
    number.name = "number"
    number.attributeType = .integer64AttributeType
    number.isOptional = true
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.managedObjectClassName = "NSManagedObject"
    entity.properties = [number]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  /// Adds 1 in two contexts, of which the last one wins.
  private static func add(_ run: ([@Sendable () -> Void]) async -> Void) async throws {
    let container = NSPersistentContainer(name: "Store", managedObjectModel: model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, _ in }
    let first = container.newBackgroundContext()
    let id = try first.performAndWait {
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: first)
      item.setValue(0, forKey: "number")
      try first.save()
      return item.objectID
    }
    await run(
      (0..<2).map { _ in
        let context = container.newBackgroundContext()
        return {
          context.performAndWait {
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let item = context.object(with: id)
            item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
            try? context.save()
          }
        }
      })
  }

  @Test func twoAtOnce() async throws {
    try await Self.add { adding in
      await withTaskGroup(of: Void.self) { group in for add in adding { group.addTask { add() } } }
    }
  }

  /// The test means it, whatever the order: the first context reads before the second one saves.
  @Test func overwrites() async throws {
    let container = NSPersistentContainer(name: "Store", managedObjectModel: Self.model)
    let description = NSPersistentStoreDescription()
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, _ in }
    let one = container.viewContext
    let other = container.newBackgroundContext()
    try await MainActor.run {
      one.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: one)
      item.setValue(0, forKey: "number")
      try one.save()
      let id = item.objectID
      item.setValue(2, forKey: "number")
      try other.performAndWait {
        other.object(with: id).setValue(1, forKey: "number")
        try other.save()
      }
      try one.save()
    }
  }
}
