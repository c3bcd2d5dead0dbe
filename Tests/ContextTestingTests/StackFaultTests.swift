import ContextTesting
import CoreData
import Foundation
import Scheduling
import Testing

/// Faults that the stack shows are findings of tests that record and expect nothing.
@Suite(.serialized) struct StackFaultTests {
  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  // Only changed while it is made.
  nonisolated(unsafe) private static let model = {
    let entity = NSEntityDescription()
    entity.name = "Item"
    entity.managedObjectClassName = "NSManagedObject"
    let owner = NSRelationshipDescription()
    owner.name = "owner"
    owner.destinationEntity = entity
    owner.maxCount = 1
    owner.isOptional = true
    let data = attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    entity.properties = [
      attribute("number", .integer64AttributeType), attribute("name", .stringAttributeType),
      attribute("date", .dateAttributeType), data, owner,
    ]
    let tag = NSEntityDescription()
    tag.name = "Tag"
    tag.managedObjectClassName = "NSManagedObject"
    tag.properties = [attribute("name", .stringAttributeType), attribute("number", .integer64AttributeType)]
    tag.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [entity, tag]
    return model
  }()

  /// Two contexts that have read the same object.
  private final class Stage: @unchecked Sendable {
    // Sendable: used by one task.
    let container: NSPersistentContainer
    let one: NSManagedObjectContext
    let other: NSManagedObjectContext
    let id: NSManagedObjectID

    init() throws {
      container = NSPersistentContainer(name: "Faults", managedObjectModel: StackFaultTests.model)
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: temporaryStore())]
      container.loadPersistentStores { _, _ in }
      let maker = container.newBackgroundContext()
      id = try maker.performAndWait {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: maker)
        item.setValue(0, forKey: "number")
        item.setValue("old", forKey: "name")
        try maker.save()
        return item.objectID
      }
      one = container.newBackgroundContext()
      other = container.newBackgroundContext()
      one.name = "one"
      other.name = "other"
      for context in [one, other] {
        read(context)
      }
    }

    /// The context has the object, and keeps it.
    func read(_ context: NSManagedObjectContext) {
      context.performAndWait {
        context.retainsRegisteredObjects = true
        _ = context.object(with: id).value(forKey: "number")
      }
    }

    func save(_ context: NSManagedObjectContext, _ change: (NSManagedObject) -> Void) throws {
      try context.performAndWait {
        change(context.object(with: id))
        try context.save()
      }
    }
  }

  /// The failure of an order of the body; nil where it passes.
  private func finding(
    _ faults: Set<StackFault> = .errors, test: String = #function,
    _ body: @escaping @Sendable (Stage) async throws -> Void
  ) async -> String? {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).swift").path
    do {
      try await explore(schedules: 20, seconds: 60, faults: faults, file: path, test: test) {
        try await body(try Stage())
      }
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func add(_ item: NSManagedObject) {
    item.setValue((item.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
  }

  @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback])
  func aSumOverANewerOneIsALostUpdate(policy: NSMergePolicy) async throws {
    let found = try #require(
      await finding { stage in
        stage.one.performAndWait { stage.one.mergePolicy = policy }
        try stage.save(stage.other, Self.add)
        try stage.save(stage.one, Self.add)
      })
    #expect(found.hasPrefix("lost-update: one saved 1 as Item 1.number, which it knew as 0; other had saved 1 since"))
    #expect(found.contains("\n  saved at StackFaultTests.swift:"), "\(found)")
    #expect(found.contains("\n  saved before at StackFaultTests.swift:"), "\(found)")
  }

  @Test func whatTheContextsDoNotShareIsNotLost() async {
    #expect(
      await finding { stage in
        stage.one.performAndWait { stage.one.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        try stage.save(stage.other) { $0.setValue("new", forKey: "name") }
        try stage.save(stage.one, Self.add)
      } == nil)
  }

  @Test func theOverwritePolicyLosesWhatItsContextHadNotChanged() async throws {
    let found = try #require(
      await finding { stage in
        stage.one.performAndWait { stage.one.mergePolicy = NSMergePolicy.overwrite }
        try stage.save(stage.other) { $0.setValue("new", forKey: "name") }
        try stage.save(stage.one, Self.add)
      })
    #expect(found.hasPrefix("lost-update: one saved \"old\" as Item 1.name, which it had not changed"))
  }

  /// No lost updates: equal values, later dates, and values that were read before.
  @Test func whatIsMeantIsNotLost() async {
    #expect(
      await finding { stage in
        stage.one.performAndWait { stage.one.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
        try stage.save(stage.other) { item in
          item.setValue("same", forKey: "name")
          item.setValue(Date(timeIntervalSince1970: 1), forKey: "date")
        }
        try stage.save(stage.one) { item in
          item.setValue("same", forKey: "name")
          item.setValue(Date(timeIntervalSince1970: 2), forKey: "date")
        }
        stage.other.performAndWait { stage.other.refreshAllObjects() }
        try stage.save(stage.other, Self.add)
        try stage.one.performAndWait {
          let item = stage.one.object(with: stage.id)
          Self.add(item)
          stage.one.refresh(item, mergeChanges: true)
          let last = item.committedValues(forKeys: ["number"])["number"] as? Int ?? 0
          item.setValue(last + 1, forKey: "number")
          try stage.one.save()
          if item.value(forKey: "number") as? Int != 2 { throw CocoaError(.featureUnsupported) }
        }
      } == nil)
  }

  // Sendable: it has no state of its own.
  private final class Summing: NSMergePolicy, @unchecked Sendable {
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
      for conflict in list {
        let stored = conflict.cachedSnapshot ?? conflict.persistedSnapshot ?? [:]
        conflict.sourceObject.setValue((stored["number"] as? Int ?? 0) + 1, forKey: "number")
      }
      try super.resolve(optimisticLockingConflicts: list)
    }
  }

  @Test func aPolicyOfTheProgramIsShownWhatItWritesOver() async {
    #expect(
      await finding { stage in
        stage.one.performAndWait { stage.one.mergePolicy = Summing(merge: .mergeByPropertyObjectTrumpMergePolicyType) }
        try stage.save(stage.other, Self.add)
        try stage.save(stage.one, Self.add)
      } == nil)
  }

  @Test func aNewObjectInPlaceOfAnEqualOneIsNotLost() async {
    #expect(
      await finding { stage in
        for (number, context) in [stage.one, stage.other].enumerated() {
          try context.performAndWait {
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("same", forKey: "name")
            tag.setValue(number, forKey: "number")
            try context.save()
          }
        }
      } == nil)
  }

  @Test func aSumBeneathWhichAnotherOneWasMergedIsLost() async throws {
    let found = try #require(
      await finding { stage in
        stage.one.performAndWait { stage.one.automaticallyMergesChangesFromParent = true }
        stage.one.performAndWait { Self.add(stage.one.object(with: stage.id)) }
        try stage.save(stage.other, Self.add)
        try stage.one.performAndWait { try stage.one.save() }
      })
    #expect(found.hasPrefix("lost-update: one saved 1 as Item 1.number, which it knew as 0"))
  }

  @Test func aChildsSumOverItsParentsIsLost() async throws {
    let found = try #require(
      await finding { stage in
        let children = (0..<2).map { _ in
          let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          child.parent = stage.one
          stage.read(child)
          return child
        }
        for child in children { try stage.save(child, Self.add) }
        try stage.one.performAndWait { try stage.one.save() }
      })
    #expect(found.contains("lost-update: private queue context saved 1 as Item 1.number, which it knew as 0"))
  }

  @Test func aDeletionThatUndoTakesBackIsNoResurrection() async {
    #expect(
      await finding { stage in
        try stage.one.performAndWait {
          stage.one.undoManager = UndoManager()
          stage.one.delete(stage.one.object(with: stage.id))
          try stage.one.save()
          stage.one.undoManager?.undo()
          try stage.one.save()
        }
      } == nil)
  }

  @Test func aReferenceToWhatABatchDeletesIsDangling() async throws {
    let found = try #require(
      await finding { stage in
        try stage.one.performAndWait {
          let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: stage.one)
          item.setValue(stage.one.object(with: stage.id), forKey: "owner")
          try stage.one.save()
          try stage.one.execute(NSBatchDeleteRequest(objectIDs: [stage.id]))
        }
      })
    #expect(found.hasPrefix("dangling-reference: Item 2.owner leads to Item 1, which a batch request deleted"))
  }

  @Test func aWarningIsAFindingWhereItIsAskedFor() async throws {
    @Sendable func drop(_ stage: Stage) {
      stage.one.performAndWait {
        Self.add(stage.one.object(with: stage.id))
        stage.one.rollback()
      }
    }
    #expect(await finding { drop($0) } == nil)
    let found = try #require(await finding(.all) { drop($0) })
    #expect(found.hasPrefix("unsaved-changes-lost: one dropped unsaved changes of Item 1 by rollback()"))
  }

  @Test func anObserverThatStaysIsALeak() async throws {
    @Sendable func observe(removing: Bool) async -> String? {
      await finding([.observerLeak]) { stage in
        let observer = NotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextDidSave, object: stage.one, queue: nil
        ) { _ in }
        try stage.save(stage.one) { $0.setValue(1, forKey: "number") }
        if removing { NotificationCenter.default.removeObserver(observer) }
      }
    }
    let found = try #require(await observe(removing: false))
    #expect(found.hasPrefix("observer-leak: an observer of NSManagingContextDidSaveChangesNotification"), "\(found)")
    #expect(await observe(removing: true) == nil)
  }

  @Test func anObjectOfAnotherContextEndsTheOrder() async throws {
    for member in ["delete(_:)", "refresh(_:mergeChanges:)", "Item.owner"] {
      let found = try #require(
        await finding { stage in
          // Used by this task alone.
          nonisolated(unsafe) let item = stage.one.performAndWait { Lent(stage.one.object(with: stage.id)) }.object
          stage.other.performAndWait {
            switch member {
            case "delete(_:)": stage.other.delete(item)
            case "Item.owner": stage.other.object(with: stage.id).setValue(item, forKey: "owner")
            default: stage.other.refresh(item, mergeChanges: false)
            }
          }
        })
      #expect(found.hasPrefix("cross-context-object: an object of one was used in other, by \(member)"), "\(found)")
    }
  }

  @Test func theTestsOwnHandlerOfUsesOffTheQueueIsCalled() async throws {
    let found = try #require(
      await finding { stage in
        let seen = Locked(0)
        ConcurrencyDebugging.setHandler { _ in seen.withLock { $0 += 1 } }
        defer { ConcurrencyDebugging.setHandler(nil) }
        // Another name in each order.
        stage.one.name = "one \(UUID())"
        _ = stage.one.hasChanges
        #expect(seen.current == 1)
      })
    #expect(found.hasPrefix("context-off-queue: one "), "\(found)")
  }

  @Test func theFileOfALargeValueGoesWithItsLastHolder() async {
    let found = await finding { stage in
      let store = try #require(stage.container.persistentStoreCoordinator.persistentStores.first?.url)
      let folder = store.deletingLastPathComponent().appendingPathComponent(".store_SUPPORT/_EXTERNAL_DATA")
      func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: folder.path).count }
      try stage.save(stage.one) { $0.setValue(Data(repeating: 1, count: 200_000), forKey: "data") }
      #expect(try count() == 1)
      try stage.save(stage.one) { stage.one.delete($0) }
      #expect(try count() == 0)
    }
    #expect(found == nil)
  }

  // Sendable: used by one task.
  private struct Lent: @unchecked Sendable {
    let object: NSManagedObject
    init(_ object: NSManagedObject) { self.object = object }
  }
}
