import Cells
import CoreData
import Scheduling

/// The objects that a context's notifications have named since it was last asked, and the objects as they were then: a change
/// that no notification names is seen by it.
///
/// Concurrency: asked by one thread at a time, in blocks of the context; notifications may come from any thread.
final class AnythingNotices: @unchecked Sendable {
  // Sendable: the members that notifications write are locked; the rest is touched by one thread at a time.

  /// Objects by the lists of one notification.
  struct Lists: Equatable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
  }

  private struct State {
    var named: Set<ObjectIdentifier> = []
    var saves: [Lists] = []
    var savedIDs: [Lists] = []
    var isReset = false
  }

  private let environment: StrategyEnvironment
  private let state = Locked(State())
  // The tokens are only kept to be handed back; the notification centre locks itself.
  nonisolated(unsafe) private var tokens: [any NSObjectProtocol] = []
  private let picture: ContextPicture
  /// The number of an object that is a fault.
  private let nameOfRow: (NSManagedObjectID) -> Int
  /// Objects that are no faults, as they were when last asked.
  private var shown: [ObjectIdentifier: Shown] = [:]

  init(_ environment: StrategyEnvironment, _ picture: ContextPicture, nameOfRow: @escaping (NSManagedObjectID) -> Int) {
    (self.environment, self.picture, self.nameOfRow) = (environment, picture, nameOfRow)
    let context = picture.context
    let changes = [
      NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
    ]
    tokens = [
      environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context) { [state] notice in
        let named = changes.flatMap { notice.userInfo?[$0] as? Set<NSManagedObject> ?? [] }.map(ObjectIdentifier.init)
        state.withLock {
          $0.named.formUnion(named)
          if notice.userInfo?[NSInvalidatedAllObjectsKey] != nil { $0.isReset = true }
        }
      },
      environment.addObserver(forName: .NSManagedObjectContextDidSave, object: context) { [state] notice in
        func ids(_ key: String) -> Set<NSManagedObjectID> {
          Set((notice.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
        }
        let lists = Lists(
          inserted: ids(NSInsertedObjectsKey), updated: ids(NSUpdatedObjectsKey), deleted: ids(NSDeletedObjectsKey))
        state.withLock { $0.saves.append(lists) }
      },
      environment.addObserver(forName: .NSManagedObjectContextDidSaveObjectIDs, object: context) { [state] notice in
        func ids(_ key: String) -> Set<NSManagedObjectID> {
          notice.userInfo?[key] as? Set<NSManagedObjectID> ?? []
        }
        let lists = Lists(
          inserted: ids(NSInsertedObjectIDsKey), updated: ids(NSUpdatedObjectIDsKey),
          deleted: ids(NSDeletedObjectIDsKey))
        state.withLock { $0.savedIDs.append(lists) }
      },
    ]
  }

  func end() { for token in tokens { environment.removeObserver(token) } }

  /// The saves since it was last asked, as objects and as IDs.
  func drainSaves() -> (objects: [Lists], ids: [Lists]) {
    state.withLock { state in
      defer { (state.saves, state.savedIDs) = ([], []) }
      return (state.saves, state.savedIDs)
    }
  }

  /// The first object that changed since the last call, though no notification has named it since; in a block of the
  /// context, after its changes were processed.
  func drainUnnamed() -> String? {
    let (named, isReset) = state.withLock { state in
      defer { (state.named, state.isReset) = ([], false) }
      return (state.named, state.isReset)
    }
    if isReset { shown = [:] }
    var now: [ObjectIdentifier: Shown] = [:]
    var unnamed: [String] = []
    for object in picture.context.registeredObjects where !object.isFault && !object.isDeleted {
      let id = ObjectIdentifier(object)
      let seen = show(object)
      now[id] = seen
      // Another object may have got the place in memory, or the same one anew.
      guard !named.contains(id), let before = shown[id], before.object === object, let key = before.change(to: seen)
      else { continue }
      unnamed.append("\(key) of \(object.entity.name ?? "") \(seen.name)")
    }
    shown = now
    return unnamed.min()
  }

  /// An object's values in memory; nothing is read for it.
  private func show(_ object: NSManagedObject) -> Shown {
    var shown = Shown(object: object, name: ContextPicture.name(of: object))
    let entity = picture.model.entity(object.entity.name ?? "")
    for attribute in entity.attributes { shown.values[attribute] = picture.value(attribute, of: object) ?? "nil" }
    for key in entity.relationships where !object.hasFault(forRelationshipNamed: key) {
      let objects = picture.objects(key, of: object)
      // A fault without a row of its own says nothing unless it is read.
      if objects.contains(where: { $0.isFault && $0.objectID.isTemporaryID }) { continue }
      let names = objects.map { $0.isFault ? nameOfRow($0.objectID) : ContextPicture.name(of: $0) }
      shown.names[key] = picture.model.relationship(key).isOrdered ? names : names.sorted()
    }
    return shown
  }

  /// An object as it was in memory; relationships that were not read have no entry.
  private struct Shown {
    weak var object: NSManagedObject?
    let name: Int
    var values: [String: String] = [:]
    var names: [String: [Int]] = [:]

    func change(to new: Shown) -> String? {
      values.keys.sorted().first { values[$0] != new.values[$0] }
        ?? names.keys.sorted().first { key in new.names[key].map { $0 != names[key] } ?? false }
    }
  }
}
