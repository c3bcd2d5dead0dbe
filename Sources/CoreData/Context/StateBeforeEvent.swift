import RowStore

/// The state of a pending object before the event, to find what the event changed.
///
/// The values are kept by reference: they are frozen, and the first change copies them, as with a row from the store.
struct StateBeforeEvent {
  /// The values; nil for a fault.
  let row: Row?
  /// Unsaved changes of its to-many relationships, by position; absent where there were none.
  private var members: [Int: MembershipChange<NSManagedObject>] = [:]
  /// The members of its ordered relationships, by position, where they were known, or the order that was wanted of them.
  private var orders: [Int: ContiguousArray<NSManagedObject>] = [:]

  init(_ object: NSManagedObject) {
    object.values?.freeze()
    row = object.values
    for (position, relation) in object.relations.enumerated() {
      guard case .many(let toMany) = relation else { continue }
      if let order = toMany.order, let members = toMany.members?.objects ?? order.wanted { orders[position] = members }
      if toMany.hasChanges { members[position] = toMany.unsavedChange }
    }
  }

  /// The objects that came to a to-many relationship since, and those that left.
  func change(of property: PropertyLayout, now object: NSManagedObject) -> MembershipChange<NSManagedObject> {
    let before = members[property.relation.position] ?? MembershipChange()
    return (object.knownToMany(property)?.unsavedChange ?? MembershipChange()).since(before)
  }

  /// The members of an ordered relationship in their old order, if that differs now.
  func order(of property: PropertyLayout, now object: NSManagedObject) -> ContiguousArray<NSManagedObject>? {
    guard property.relation.isOrdered, let known = object.knownToMany(property), let now = known.members,
      let before = orders[property.relation.position] ?? known.order?.stored.map({ unread($0, property) })
    else { return nil }
    return before.elementsEqual(now.objects, by: ===) ? nil : before
  }

  /// The members of a list not read before the event: the stored ones without those that had left, then those that had come.
  private func unread(
    _ stored: ContiguousArray<NSManagedObject>, _ property: PropertyLayout
  ) -> ContiguousArray<NSManagedObject> {
    guard let change = members[property.relation.position] else { return stored }
    let moved = Set(change.removed + change.added)
    return stored.filter { !moved.contains($0) } + change.added
  }
}

extension ToMany {
  /// Added and removed since the last save.
  var unsavedChange: MembershipChange<NSManagedObject> { MembershipChange(added: additions, removed: removed.objects) }
}

/// The changes since changes were last processed.
struct PendingEvent {
  /// An object may be listed twice.
  let objects: ContiguousArray<NSManagedObject>
  let bases: [ObjectIdentifier: StateBeforeEvent]
  let revived: Set<ObjectIdentifier>

  func isRevived(_ object: NSManagedObject) -> Bool { !revived.isEmpty && revived.contains(ObjectIdentifier(object)) }

  /// Notes that the objects are reported from now on, where the state of all is the same: inserted, updated or deleted, and
  /// nothing else, as in most saves. A set of them, made while each is at hand; nil where there is another state, and nothing
  /// is noted.
  ///
  /// Complexity: O(*n*).
  func processIfAlike() -> (objects: Set<NSManagedObject>, state: ChangeState)? {
    guard revived.isEmpty, let state = objects.first?.state,
      [[.inserted, .pendingInsert], [.updated, .pendingUpdate], [.deleted, .pendingDelete]].contains(state)
    else { return nil }
    var processed = state
    processed.process()
    var isOnly = true
    let set = Set(distinct: objects) { object in
      // An object may be listed twice.
      guard isOnly, object.state != processed else { return false }
      isOnly = object.state == state
      if isOnly { object.state = processed }
      return isOnly
    }
    if isOnly { return (set, state) }
    for object in set { object.state = state }
    return nil
  }
}

/// An event while its notification is posted.
struct ReportedEvent {
  let sets: ObjectSets
  let bases: [ObjectIdentifier: StateBeforeEvent]
}

/// A context's state for undo.
struct Undoing {
  /// Whether the context itself was given a manager; false where a subclass gives one.
  var hasManager = false
  /// The observation of the manager's checkpoints.
  private var observation: (any NSObjectProtocol)?
  /// The event that `ObjectsDidChange` reports, while it is posted.
  var reported: ReportedEvent?

  /// Has a context process its changes at the checkpoints of a manager, and of no other.
  mutating func observe(_ manager: UndoManager?, for context: NSManagedObjectContext) {
    stopObserving()
    observation = manager.map { manager in
      NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) {
        [weak context] checkpoint in
        guard let context, context.queue.isHeld else { return }
        // An undo takes deletions back that would wait for the save, and not the event before them.
        let isAtUndo = (checkpoint.object as? UndoManager)?.isAtUndo ?? false
        _ = try? ChangeProcessing(of: context).run(followsDeletions: isAtUndo)
      }
    }
  }

  func stopObserving() {
    if let observation { NotificationCenter.default.removeObserver(observation) }
  }
}
