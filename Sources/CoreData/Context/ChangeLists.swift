/// The objects of a context that have unsaved changes, and those with changes not yet processed; keeps them alive.
///
/// An object's own ``ChangeState`` says what it is; a list may still hold an object that has since left, and is
/// cleaned when it is read.
struct ChangeLists {
  private(set) var inserted: ContiguousArray<NSManagedObject> = []
  private(set) var updated: ContiguousArray<NSManagedObject> = []
  private(set) var deleted: ContiguousArray<NSManagedObject> = []
  /// In the order of their first change since changes were last processed; an object may be listed twice.
  private(set) var pending: ContiguousArray<NSManagedObject> = []
  /// What pending objects were before the event, unless that is their snapshot and undo does not record.
  private(set) var bases: [ObjectIdentifier: EventBase] = [:]
  /// Pending objects whose deletion was taken back.
  private(set) var revived: Set<ObjectIdentifier> = []

  /// Whether an object may have become something else than its list says.
  private(set) var isStale = false

  init() {}

  /// Part of the changes of a context, to be written to one store.
  init(
    inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
    deleted: ContiguousArray<NSManagedObject>
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  mutating func recordInsert(_ object: NSManagedObject) {
    inserted.append(object)
    pending.append(object)
  }

  /// An updated object whose row is gone is inserted again.
  mutating func reinsert(_ object: NSManagedObject) {
    inserted.append(object)
    isStale = true
  }

  /// An object to be inserted again is there already.
  mutating func becomeUpdated(_ object: NSManagedObject) {
    updated.append(object)
    isStale = true
  }

  mutating func recordUpdate(_ gained: ChangeState, _ object: NSManagedObject) {
    if gained.contains(.updated) { updated.append(object) }
    if gained.contains(.pendingUpdate) { pending.append(object) }
  }

  mutating func recordDelete(_ object: NSManagedObject) {
    deleted.append(object)
    pending.append(object)
    isStale = true
  }

  /// An object is about to change for the first time since changes were last processed.
  mutating func recordBase(of object: NSManagedObject) {
    let identifier = ObjectIdentifier(object)
    if bases[identifier] == nil { bases[identifier] = EventBase(object) }
  }

  /// An object's deletion was taken back; its state says so already.
  ///
  /// - Precondition: the lists were clean while the object was still deleted.
  mutating func recordRevival(_ object: NSManagedObject) {
    if object.state.contains(.inserted) { inserted.append(object) }
    if object.state.contains(.updated) { updated.append(object) }
    pending.append(object)
    revived.insert(ObjectIdentifier(object))
    isStale = true
  }

  /// An object's state changed other than by inserting, updating or deleting it.
  mutating func markStale() { isStale = true }

  /// Takes out objects that no longer are what their list says.
  mutating func clean() {
    guard isStale else { return }
    isStale = false
    inserted.removeAll { !$0.state.contains(.inserted) || $0.state.contains(.deleted) }
    updated.removeAll { !$0.state.contains(.updated) || $0.state.contains(.deleted) }
    // What was inserted and deleted stays until its delete rules were followed.
    deleted.removeAll {
      !$0.state.contains(.deleted) || ($0.state.contains(.inserted) && !$0.state.contains(.pendingDelete))
    }
  }

  /// Takes the pending objects, and what is known of them before the event.
  mutating func removePending() -> PendingEvent {
    defer { (pending, bases, revived) = ([], [:], []) }
    return PendingEvent(objects: pending, bases: bases, revived: revived)
  }

  mutating func removeAll() { self = ChangeLists() }
}
