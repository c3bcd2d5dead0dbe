import Checking
import CoreData
import Scheduling

/// Records every DidSave notification of a context on a coordinator, for the check `notifications`.
///
/// Saves of child contexts make no difference to the store and are left out. Of every save, a child's as well, it checks
/// whether the objects are the context's own, and whether their IDs are notified next.
final class NotificationRecorder: @unchecked Sendable {
  // Sendable: the entities' numbers and the weak reference are only read; the history is behind a lock; the observers
  // are touched on the main thread.

  private var observers: [any NSObjectProtocol] = []
  private let history: Locked<HistoryWriter>
  /// Not held, since contexts that outlive the cell's end are leaks.
  private weak var environment: StrategyEnvironment?
  private let numbers: [String: UInt16]
  /// By context: the IDs that its DidSave has named, until DidSaveObjectIDs names them too.
  private let named = Locked<[ObjectIdentifier: NamedIDs]>([:])
  /// Contexts that save and have not posted DidSave yet: a notification posted without a save has no IDs.
  private let saving = Locked<Set<ObjectIdentifier>>([])

  /// The objects that a save inserted, updated and deleted.
  private struct NamedIDs {
    let context: String
    let sets: [Set<NSManagedObjectID>]
  }

  /// Records from now on; the session keeps the recorder to its end.
  static func start(_ session: CellSession, _ layout: StoreLayout) throws {
    precondition(session.notifications == nil, "notifications are recorded by one recorder")
    let recorder = NotificationRecorder(try session.makeRecorder().history, session.environment, layout)
    let names: [Notification.Name] = [
      .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
    ]
    for name in names {
      recorder.observers.append(
        NotificationCenter.default.addObserver(
          forName: name, object: nil, queue: nil,
          using: SimulatedProcess.only { [weak recorder] in recorder?.record($0) }))
    }
    session.notifications = recorder
  }

  /// Records no more; on the main thread.
  func stop() {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    observers = []
    for ids in named.withLock({ $0.values }) { reportMissing(ids) }
  }

  private init(_ history: HistoryWriter, _ environment: StrategyEnvironment, _ layout: StoreLayout) {
    self.history = Locked(history)
    self.environment = environment
    numbers = Dictionary(uniqueKeysWithValues: layout.entities.map { ($0.name, $0.number) })
  }

  /// Records a notification; on the queue of the context that saves.
  private func record(_ notification: Notification) {
    guard let context = notification.object as? NSManagedObjectContext else { return }
    switch notification.name {
    case .NSManagedObjectContextDidSave:
      lookForStrangers(in: notification, of: context)
      expectIDs(of: notification, context)
    case .NSManagedObjectContextDidSaveObjectIDs: return compareIDs(with: notification, context)
    default:
      saving.withLock { _ = $0.insert(ObjectIdentifier(context)) }
      if let ids = named.withLock({ $0.removeValue(forKey: ObjectIdentifier(context)) }) { reportMissing(ids) }
    }
    guard context.parent == nil else { return }
    let number = environment?.number(of: context) ?? 0
    let identity = Int64(Int(bitPattern: Unmanaged.passUnretained(context).toOpaque()))
    guard notification.name == .NSManagedObjectContextDidSave else {
      history.withLock { _ = $0.record(.info, .willSave, key: identity, context: number) }
      return
    }
    let changes = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
      keys(of: notification.userInfo?[key] as? Set<NSManagedObject> ?? [])
    }
    history.withLock { history in
      history.record(.info, .didSave, key: identity, context: number)
      for (index, rows) in changes.enumerated() {
        for (entity, keys) in rows {
          for run in Self.runs(keys) {
            history.record(
              .info, .notified, entity: entity, key: run.lowerBound, count: Int64(run.count), value: Int64(index + 1),
              context: number)
          }
        }
      }
    }
  }

  /// Reports saved objects that are not those which their context has under their IDs.
  private func lookForStrangers(in notification: Notification, of context: NSManagedObjectContext) {
    for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey] {
      for object in Self.strangers(among: notification.userInfo?[key] as? Set<NSManagedObject> ?? [], in: context) {
        CellReports.report(
          Violation(
            kind: .wrongNotification, subject: "\(object.entity.name ?? "") in \(context.name ?? "a context")",
            expected: "a context has one object of each row, and a notification names it",
            seen: "the context has another object of \(ObjectSnapshot.name(of: object.objectID)), or none"))
      }
    }
  }

  /// Objects that are not those which a context has under their IDs: it would have two of one row. On the context's queue.
  static func strangers(among objects: Set<NSManagedObject>, in context: NSManagedObjectContext) -> [NSManagedObject] {
    objects.filter { context.registeredObject(for: $0.objectID) !== $0 }
  }

  // MARK: IDs

  private func expectIDs(of notification: Notification, _ context: NSManagedObjectContext) {
    let ids = NamedIDs(
      context: context.name ?? "a context",
      sets: [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
        Set((notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
      })
    guard saving.withLock({ $0.remove(ObjectIdentifier(context)) }) != nil else { return }
    // A save without changes names nothing.
    guard ids.sets.contains(where: { !$0.isEmpty }) else { return }
    named.withLock { $0[ObjectIdentifier(context)] = ids }
  }

  /// Checks that the notification of a save's IDs follows that of its objects, and names the same.
  private func compareIDs(with notification: Notification, _ context: NSManagedObjectContext) {
    let sets = [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey].map { key in
      notification.userInfo?[key] as? Set<NSManagedObjectID> ?? []
    }
    let expected = named.withLock { $0.removeValue(forKey: ObjectIdentifier(context)) }
    // A merge policy may have left nothing of a save.
    if sets == expected?.sets ?? [[], [], []] { return }
    func counts(_ sets: [Set<NSManagedObjectID>]) -> String {
      "\(sets[0].count) inserted, \(sets[1].count) updated, \(sets[2].count) deleted"
    }
    CellReports.report(
      Violation(
        kind: .wrongNotification, subject: context.name ?? "a context",
        expected: "the IDs of a save are those of its objects: \(expected.map { counts($0.sets) } ?? "no save")",
        seen: "other IDs: \(counts(sets))"))
  }

  private func reportMissing(_ ids: NamedIDs) {
    CellReports.report(
      Violation(
        kind: .missedNotification, subject: ids.context, expected: "a save is notified with its objects' IDs as well",
        seen: "no such notification came after a save"))
  }

  // MARK: History

  /// The objects' primary keys, by entity in the order of their numbers.
  private func keys(of objects: Set<NSManagedObject>) -> [(UInt16, [Int64])] {
    var rows: [UInt16: [Int64]] = [:]
    for object in objects {
      let id = object.objectID
      rows[numbers[id.entity.name ?? ""] ?? 0, default: []].append(id.primaryKey)
    }
    return rows.sorted { $0.key < $1.key }.map { ($0.key, $0.value.sorted()) }
  }

  /// Ascending keys as runs without gaps.
  private static func runs(_ keys: [Int64]) -> [Range<Int64>] {
    var runs: [Range<Int64>] = []
    for key in keys {
      if let last = runs.last, last.upperBound == key {
        runs[runs.count - 1] = last.lowerBound..<key + 1
      } else {
        runs.append(key..<key + 1)
      }
    }
    return runs
  }
}
