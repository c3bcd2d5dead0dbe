import Scheduling

/// The objects of a context that have unsaved changes, and those with changes not yet processed; keeps them alive.
///
/// An object's own ``ChangeState`` counts; a list may still hold an object that has since left, and is cleaned when it is read.
struct ChangeLists {
  private(set) var inserted: ContiguousArray<NSManagedObject> = []
  private(set) var updated: ContiguousArray<NSManagedObject> = []
  private(set) var deleted: ContiguousArray<NSManagedObject> = []
  var lists: [ContiguousArray<NSManagedObject>] { [inserted, updated, deleted] }
  var all: ContiguousArray<NSManagedObject> { inserted + updated + deleted }
  /// The objects with changes not yet processed, while they are the end of one list and nothing else; as a rule they are.
  private var tail: Tail?
  /// Otherwise they are here.
  private var gathered: ContiguousArray<NSManagedObject> = []
  /// State of pending objects before the event; absent where it is their snapshot and undo does not record.
  private(set) var bases: [ObjectIdentifier: StateBeforeEvent] = [:]
  /// Pending objects with a deletion that was taken back.
  private(set) var revived: Set<ObjectIdentifier> = []
  /// The work that changes of relationships leave to be done (see SideSettling).
  var unsettled = UnsettledSides()

  /// Whether an object may have left the state of its list.
  private(set) var isStale = false
  /// How often updated objects were found to be clean again, or deleted.
  private(set) var leavings = 0
  /// Every object of the lists, as a notification had them; nil where no one notification did.
  private(set) var reported: ObjectSets?

  /// The end of a list, from a place in it on.
  private struct Tail {
    enum List { case inserted, updated, deleted }

    let list: List
    let start: Int
  }

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

  var hasPending: Bool { tail != nil || !gathered.isEmpty }

  /// Whether a pending object was deleted, or its deletion taken back.
  var hasPendingDeletions: Bool {
    if !revived.isEmpty { return true }
    guard let tail else { return gathered.contains { $0.state.contains(.pendingDelete) } }
    return tail.list == .deleted && deleted[tail.start...].contains { $0.state.contains(.pendingDelete) }
  }

  /// In the order of their first change since changes were last processed; an object may be listed twice.
  var pending: ContiguousArray<NSManagedObject> {
    guard let tail else { return gathered }
    let list = list(tail.list)
    return tail.start == 0 ? list : ContiguousArray(list[tail.start...])
  }

  private func list(_ list: Tail.List) -> ContiguousArray<NSManagedObject> {
    switch list {
    case .inserted: inserted
    case .updated: updated
    case .deleted: deleted
    }
  }

  /// Counts the object that is appended to the list next among the tail; false where it has to be gathered instead.
  @inline(__always)
  private mutating func extendTail(of list: Tail.List) -> Bool { tail?.list == list || beginTail(of: list) }

  @inline(never)
  private mutating func beginTail(of list: Tail.List) -> Bool {
    if tail == nil, gathered.isEmpty {
      tail = Tail(list: list, start: self.list(list).count)
      return true
    }
    gather()
    return false
  }

  /// Lists the pending objects by themselves: before a list changes that is not only extended by pending ones.
  private mutating func gather() {
    guard tail != nil else { return }
    gathered = pending
    tail = nil
  }

  /// Notes the sets of the notification that reported the last changes.
  mutating func noteReported(_ sets: ObjectSets) {
    let counts = [sets.inserted.count, sets.updated.count, sets.deleted.count]
    let isAll = counts == [inserted.count, updated.count, deleted.count]
    reported = isAll ? sets : nil
  }

  @inline(__always)
  private mutating func forgetReported() { if reported != nil { reported = nil } }

  mutating func recordInsert(_ object: NSManagedObject) {
    forgetReported()
    if !extendTail(of: .inserted) { gathered.append(object) }
    inserted.append(object)
  }

  /// Lists an updated object that lost its row as inserted again.
  mutating func reinsert(_ object: NSManagedObject) {
    forgetReported()
    gather()
    inserted.append(object)
    isStale = true
  }

  /// Lists an object to be inserted again as updated: its row exists already.
  mutating func becomeUpdated(_ object: NSManagedObject) {
    forgetReported()
    gather()
    updated.append(object)
    isStale = true
  }

  mutating func recordUpdate(_ gained: ChangeState, _ object: NSManagedObject) {
    forgetReported()
    if gained.isSuperset(of: [.updated, .pendingUpdate]), extendTail(of: .updated) { return updated.append(object) }
    gather()
    if gained.contains(.updated) { updated.append(object) }
    if gained.contains(.pendingUpdate) { gathered.append(object) }
  }

  mutating func recordDelete(_ object: NSManagedObject) {
    forgetReported()
    if !extendTail(of: .deleted) { gathered.append(object) }
    deleted.append(object)
    // Else no other list has it.
    if !object.state.isDisjoint(with: [.inserted, .updated]) { isStale = true }
  }

  /// Keeps the state of an object that changes for the first time since changes were last processed.
  mutating func recordBase(of object: NSManagedObject) {
    let identifier = ObjectIdentifier(object)
    if bases[identifier] == nil { bases[identifier] = StateBeforeEvent(object) }
  }

  /// Keeps the state of an object that is about to be deleted or revived.
  mutating func recordBaseUnlessPending(_ object: NSManagedObject) {
    if object.state.isDisjoint(with: .pending) { recordBase(of: object) }
  }

  /// Notes that an object's deletion was taken back; its state says so already.
  ///
  /// - Precondition: the lists were clean while the object was still deleted.
  mutating func recordRevival(_ object: NSManagedObject) {
    forgetReported()
    gather()
    if object.state.contains(.inserted) { inserted.append(object) }
    if object.state.contains(.updated) { updated.append(object) }
    gathered.append(object)
    revived.insert(ObjectIdentifier(object))
    isStale = true
  }

  /// Notes that an object's state changed other than by inserting, updating or deleting it.
  mutating func markStale() {
    forgetReported()
    isStale = true
  }

  /// Removes objects that left the state of their list.
  mutating func clean() {
    guard isStale else { return }
    isStale = false
    gather()
    inserted.removeAll { !$0.state.contains(.inserted) || $0.state.contains(.deleted) }
    let count = updated.count
    updated.removeAll { !$0.state.contains(.updated) || $0.state.contains(.deleted) }
    if updated.count < count { leavings += 1 }
    // Objects that were inserted and deleted stay until their delete rules were followed.
    deleted.removeAll {
      !$0.state.contains(.deleted) || ($0.state.contains(.inserted) && !$0.state.contains(.pendingDelete))
    }
  }

  /// Removes the pending objects, with their state before the event.
  mutating func removePending() -> PendingEvent {
    defer { (tail, gathered, bases, revived) = (nil, [], [:], []) }
    return PendingEvent(objects: pending, bases: bases, revived: revived)
  }

  /// Puts the updated objects in an order that is fast to pass over several times: that of the list where they lie in memory so,
  /// as those of a fetch that were changed in its order; else that of their keys.
  mutating func orderUpdated() {
    // Addresses differ in each process, and a simulation must find the same order again.
    guard updated.count > Self.unsortedMax, Simulation.isCurrent || !liesInOrder else { return }
    sortUpdated()
  }

  /// Whether nearly each object is behind the one listed before it. Looks at no object.
  private var liesInOrder: Bool {
    updated.withUnsafeBufferPointer { objects in
      func place(_ index: Int) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(objects[index]).toOpaque() }
      let steps = objects.indices.dropFirst().count { place($0 - 1) > place($0) }
      return steps < objects.count / 8
    }
  }

  /// Puts the updated objects in the order of their entities and keys, in which their rows lie in the file.
  ///
  /// - Complexity: O(*n* log *n*) for *n* objects; O(*n*) where they are in that order.
  mutating func sortUpdated() {
    var ranked: ContiguousArray<(rank: UInt64, object: Unmanaged<NSManagedObject>)> = []
    ranked.reserveCapacity(updated.count)
    var (last, isSorted) = (UInt64.min, true)
    updated.forEachBorrowed { object in
      let entity = object.layoutReference._withUnsafeGuaranteedRef { $0.number }
      let rank = UInt64(entity) << Self.keyBits ^ UInt64(bitPattern: object.key)
      if rank < last { isSorted = false }
      last = rank
      ranked.append((rank, Unmanaged.passUnretained(object)))
    }
    guard !isSorted else { return }
    // The end of the list is another one afterwards.
    if let tail, tail.start > 0 { gather() }
    ranked.sort { $0.rank < $1.rank }
    updated = ContiguousArray(ranked.map { $0.object.takeUnretainedValue() })
  }

  /// So few fit into the processor's nearest memory whatever their order.
  private static let unsortedMax = 64
  /// Bits of a key; the tag of a store in it may reach further, which only mixes the order.
  private static let keyBits = 48

  mutating func removeAll() { self = ChangeLists() }
}
