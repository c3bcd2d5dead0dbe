import Cells
import CoreData
import Scheduling

/// The notifications of a context, in the order in which they were posted.
final class NoticeLog: Sendable {
  struct Notice: Sendable {
    let name: String
    /// Whether it was posted in the thread that asks for it.
    var isOfThread: Bool { thread == pthread_self() }
    let lists: NoticeLists
    /// The objects' IDs, or those that it has itself, by list.
    let ids: [String: Set<NSManagedObjectID>]
    fileprivate let thread: pthread_t

    /// The IDs of the lists that a save has.
    var idsOfObjects: [String: Set<NSManagedObjectID>] {
      ids.filter { ["inserted", "updated", "deleted"].contains($0.key) }
    }
  }

  private static let names: [(Notification.Name, String)] = [
    (.NSManagedObjectContextObjectsDidChange, "did-change"), (.NSManagedObjectContextWillSave, "will-save"),
    (.NSManagedObjectContextDidSave, "did-save"), (.NSManagedObjectContextDidSaveObjectIDs, "did-save IDs"),
  ]
  private static let lists = [
    (NSInsertedObjectsKey, "inserted"), (NSUpdatedObjectsKey, "updated"), (NSDeletedObjectsKey, "deleted"),
    (NSRefreshedObjectsKey, "refreshed"), ("NSObjectsChangedByMergeChangesKey", "merged"),
  ]
  private static let idLists = [
    (NSInsertedObjectIDsKey, "inserted"), (NSUpdatedObjectIDsKey, "updated"), (NSDeletedObjectIDsKey, "deleted"),
  ]

  private let environment: StrategyEnvironment
  private let notices = Locked<[Notice]>([])
  // Tokens are only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private let tokens: [any NSObjectProtocol]

  init(_ environment: StrategyEnvironment, _ context: NSManagedObjectContext) {
    self.environment = environment
    tokens = Self.names.map { [notices] name, text in
      environment.addObserver(forName: name, object: context) { notification in
        let notice = NoticeLog.notice(text, notification)
        notices.withLock { $0.append(notice) }
      }
    }
  }

  private static func notice(_ name: String, _ notification: Notification) -> Notice {
    func objects(_ key: String) -> Set<NSManagedObject> { notification.userInfo?[key] as? Set<NSManagedObject> ?? [] }
    func identities(_ key: String) -> Set<ObjectIdentifier> { Set(objects(key).map { ObjectIdentifier($0) }) }
    var ids: [String: Set<NSManagedObjectID>] = [:]
    for (key, text) in lists where !objects(key).isEmpty { ids[text] = Set(objects(key).map(\.objectID)) }
    for (key, text) in idLists {
      if let own = notification.userInfo?[key] as? Set<NSManagedObjectID> { ids[text] = own }
    }
    if let all = notification.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] { ids["all"] = Set(all) }
    return Notice(
      name: name,
      lists: NoticeLists(
        inserted: identities(NSInsertedObjectsKey), updated: identities(NSUpdatedObjectsKey),
        deleted: identities(NSDeletedObjectsKey)), ids: ids, thread: pthread_self())
  }

  /// The IDs of all objects that were named as changed since the last question.
  func removeNamed() -> Set<NSManagedObjectID> {
    removeAll().filter { $0.name == "did-change" }.reduce(into: []) { $0.formUnion($1.ids.values.flatMap { $0 }) }
  }

  /// The notifications since the last question.
  func removeAll() -> [Notice] {
    notices.withLock { notices in
      defer { notices = [] }
      return notices
    }
  }

  func end() { for token in tokens { environment.removeObserver(token) } }
}

/// The objects of three lists.
struct NoticeLists: Equatable, CustomStringConvertible {
  var inserted: Set<ObjectIdentifier> = []
  var updated: Set<ObjectIdentifier> = []
  var deleted: Set<ObjectIdentifier> = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  var description: String { "\(inserted.count) inserted, \(updated.count) updated, \(deleted.count) deleted" }

  mutating func add(_ other: NoticeLists?) {
    guard let other else { return }
    inserted.formUnion(other.inserted)
    updated.formUnion(other.updated)
    deleted.formUnion(other.deleted)
  }
}
