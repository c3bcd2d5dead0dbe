import CoreData
import Foundation

/// How the code of a race is written.
public enum Care: Sendable {
  /// As people write it, and see it fail now and then.
  case careless
  /// The right way.
  case mended
  /// A mend in use that hides the mistake most of the time.
  case hidden
}

/// A test that depends on an order.
public struct Race: Sendable {
  public let name: String
  /// The fault of the stack's that it is; nil where the test itself fails.
  public var fault: String?
  public let body: @Sendable (_ store: URL, _ care: Care) async throws -> Void
  /// Whether there is a mend that only hides it.
  public var hasHidden = false

  /// Every race.
  public static let all: [Race] = [
    markedAsRead, listBehindCallback, wrongThread, leftOver, twoPosts, actorIsFree, twoActors, oldImport, decision,
    madeTwice, otherSave, delayedSave,
    counter, mergeBeneath, siblings, soldOut, deletedAndBack, leadsNowhere, shortOfMemory, borrowedObject,
    askedElsewhere, twoContexts, temporaryID, mainWaits, keptContext, keptObserver,
    olderAnswer, loadedTwice, partsAddUp, halfSaved, resumedEarly, lateSubscriber, oneRetry, pauseForWork,
    noSignal, mainAndBack, twoOrders, enteredLate, noDependency, onceTwice, orderOfIDs, handledElsewhere,
    goneByThen, toldLater, unique, bothDeleted, parentLater, emptyRow, deafController, openedLater, sameNumber,
    turnedOver, overdrawn,
    yields, cancelledEarly, swallowed, bufferAhead, forgotten, nothingToResume, lateDeadline, completionLater,
    noBarrier,
  ]
}

/// A value that a test expected and did not see.
public struct Unexpected: Error, CustomStringConvertible {
  public let description: String
}

func expect(_ condition: Bool, _ message: String) throws {
  if !condition { throw Unexpected(description: message) }
}

/// A value behind a lock.
final class Shared<Value>: @unchecked Sendable {
  // Sendable: the value is touched under the lock only.
  private let lock = NSLock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}

/// Given once, and waited for with a deadline.
final class Signal: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func give() { semaphore.signal() }

  func wait() throws { try expect(semaphore.wait(timeout: .now() + 30) == .success, "no signal within 30 s") }
}

/// Runs what waits for threads on one of Dispatch's, so that no task is blocked.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
  }
}

enum Stack {
  private static func entity(_ name: String, _ attributes: [(String, NSAttributeType)]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = "NSManagedObject"
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      return attribute
    }
    return entity
  }

  /// Items with a name, a number, a flag and a date; links that refer to an item by name, or lead to one.
  nonisolated(unsafe) static let model: NSManagedObjectModel = {
    let model = NSManagedObjectModel()
    model.entities = [
      entity(
        "Item",
        [
          ("name", .stringAttributeType), ("note", .stringAttributeType), ("number", .integer64AttributeType),
          ("flag", .booleanAttributeType), ("date", .dateAttributeType),
        ]),
      entity("Link", [("target", .stringAttributeType), ("number", .integer64AttributeType)]),
      entity("Tag", [("name", .stringAttributeType)]),
    ]
    model.entities[2].uniquenessConstraints = [["name"]]
    let owner = NSRelationshipDescription()
    owner.name = "owner"
    owner.destinationEntity = model.entities[0]
    owner.maxCount = 1
    owner.isOptional = true
    model.entities[1].properties.append(owner)
    return model
  }()

  static func container(_ store: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Races", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: store)
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  /// A saved item.
  static func item(_ container: NSPersistentContainer, _ values: [String: any Sendable]) async throws
    -> NSManagedObjectID
  {
    let context = container.newBackgroundContext()
    return try await context.perform {
      let item = context.make(values)
      try context.save()
      return item.objectID
    }
  }

  static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    return child
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func make(_ values: [String: Any], of entity: String = "Item") -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// Enqueues a block and returns, in a function that could wait for it as well.
  func send(_ block: @escaping @Sendable () -> Void) { perform(block) }

  func all(_ entity: String = "Item", where format: String? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    if let format { request.predicate = NSPredicate(format: format) }
    return try fetch(request)
  }
}
