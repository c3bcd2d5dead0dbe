import CRuntime

/// The state of one relationship of an object.
enum Relation {
  /// Not looked at yet: for a to-one the key is in the row.
  case unknown
  /// To-one, without a partner.
  case none
  case one(NSManagedObject)
  case many(ToMany)
}

/// The other side of a to-many relationship: the members once they were read, and the changes since the last save.
final class ToMany {
  // Not checked for exclusivity at run time, as the objects that own it.

  /// The members as they are now; nil until they are read.
  @exclusivity(unchecked)
  var members: ObjectList?
  /// Added since the last save, so that they can be laid over the store's members.
  @exclusivity(unchecked)
  var added = ObjectList()
  /// Removed since the last save.
  @exclusivity(unchecked)
  var removed = ObjectList()

  /// False for an object never saved: all its members are additions.
  @exclusivity(unchecked)
  private(set) var tracksChanges: Bool
  /// The order of an ordered relationship; nil for a set.
  let order: MemberOrder?

  /// Whether unsaved changes of others were forgotten, and have to be looked for when the members are next read.
  private(set) var hasForgottenChanges = false

  /// The relationship of a stored object, before it is read.
  ///
  /// - Parameter hasForgottenChanges: whether unsaved changes of the relationship are known only to the other side.
  convenience init(isOrdered: Bool, hasForgottenChanges: Bool = false) {
    self.init(tracksChanges: true, order: isOrdered ? MemberOrder() : nil)
    self.hasForgottenChanges = hasForgottenChanges
  }

  /// A relationship of an object never saved: empty.
  convenience init(ofNewObject: Void, isOrdered: Bool) {
    self.init(tracksChanges: false, order: isOrdered ? MemberOrder() : nil)
    members = ObjectList()
  }

  private init(tracksChanges: Bool, order: MemberOrder?) {
    self.tracksChanges = tracksChanges
    self.order = order
  }

  /// The same knowledge, to be changed independently.
  func copy() -> ToMany {
    let copy = ToMany(tracksChanges: tracksChanges, order: order?.copy())
    (copy.members, copy.added, copy.removed) = (members, added, removed)
    copy.hasForgottenChanges = hasForgottenChanges
    return copy
  }

  var hasChanges: Bool {
    guard tracksChanges else { return members?.isEmpty == false }
    return !added.isEmpty || !removed.isEmpty || order?.differs(from: &members) ?? false
  }

  /// The members to add to those of the store, or the parent.
  var additions: ContiguousArray<NSManagedObject> { tracksChanges ? added.objects : members?.objects ?? [] }

  /// - Precondition: the members are known.
  func isMember(_ object: NSManagedObject) -> Bool { members?.contains(object) ?? false }

  func isAdded(_ object: NSManagedObject) -> Bool { !added.isEmpty && added.contains(object) }

  func isRemoved(_ object: NSManagedObject) -> Bool { !removed.isEmpty && removed.contains(object) }

  /// The unsaved change of one member.
  func change(of object: NSManagedObject) -> MemberChange {
    if tracksChanges ? isAdded(object) : isMember(object) { return .added }
    return isRemoved(object) ? .removed : .none
  }

  func add(_ object: NSManagedObject) {
    // The two sides may come from different reads: the member may be here already.
    if !tracksChanges || members?.contains(object) != true {
      members?.append(object)
      order?.recordAdded(object)
    }
    guard tracksChanges else { return }
    // One that its deletion took out counts as added, so that it differs from one that the store has got meanwhile.
    if removed.remove(object), !object.isDeletionFollowed {
      order?.isArranged = true
    } else if !added.contains(object) {
      added.append(object)
      keepPlace(of: object)
    }
  }

  /// Saves an addition that is a member already, with others behind it, with its place.
  private func keepPlace(of object: NSManagedObject) {
    if let order, let last = members?.objects.last, last !== object { order.recordArranged() }
  }

  func remove(_ object: NSManagedObject) {
    members?.remove(object, keepingOrder: order != nil)
    order?.recordRemoved(object)
    guard tracksChanges else { return }
    if !added.remove(object, keepingOrder: order != nil), !removed.contains(object) { removed.append(object) }
  }

  /// Drops changes that the store has as well in the meantime: taking one back has to be a change. An object that is deleted
  /// here stays removed, whatever comes back in the store.
  ///
  /// - Returns: the members that had such a change.
  func dropChanges(madeIn stored: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
    guard tracksChanges, !added.isEmpty || !removed.isEmpty else { return [] }
    var stored = ObjectList(stored)
    var done = ContiguousArray(added.objects.filter { stored.contains($0) })
    done += removed.objects.filter { !stored.contains($0) && !$0.state.contains(.deleted) }
    for object in done { dropChange(of: object) }
    return done
  }

  /// Drops the object's addition or removal; it is a member, or none, as it was.
  func dropChange(of object: NSManagedObject) {
    guard tracksChanges else { return }
    added.remove(object, keepingOrder: order != nil)
    removed.remove(object)
  }

  /// Drops the addition of an object that the store has already, perhaps at another place.
  func dropAddition(of object: NSManagedObject) {
    if added.remove(object, keepingOrder: order != nil) { order?.recordArranged() }
  }

  /// Notes that a member here is none any more in the store.
  func recordLostInStore(_ object: NSManagedObject) {
    guard tracksChanges, !added.contains(object) else { return }
    if members?.contains(object) == false { members?.append(object) }
    removed.remove(object)
    added.append(object)
    keepPlace(of: object)
  }

  /// Notes unsaved changes of others that lead here, and that this side does not list.
  func markForgottenChanges() { hasForgottenChanges = tracksChanges }

  /// Takes the store's members and lays the unsaved changes over them.
  ///
  /// - Parameter current: the same with the unsaved changes of the other side.
  func realise(_ stored: ContiguousArray<NSManagedObject>, current: ContiguousArray<NSManagedObject>) -> ObjectList {
    if let order {
      order.recordStored(stored)
      let list = ObjectList(order.realise(current, added: added.objects, removed: removed.objects))
      members = list
      return list
    }
    var list = ObjectList(current)
    for object in removed.objects { list.remove(object) }
    for object in added.objects where !list.contains(object) { list.append(object) }
    members = list
    return list
  }

  /// Forgets the members; the next access asks the store again, where the store knows the object.
  func forgetMembers() {
    guard tracksChanges else { return }
    order?.forget(members, hasAdded: !added.isEmpty)
    members = nil
  }

  /// Marks the changes as saved.
  func commit() {
    order?.commit(members)
    tracksChanges = true
    hasForgottenChanges = false
    guard hasChanges else { return }
    added = ObjectList()
    removed = ObjectList()
  }
}

/// The unsaved change of one member of a to-many relationship.
enum MemberChange {
  case none, added, removed
}

/// Objects in the order they came, by identity; small lists are searched, large ones get an index at the first search.
struct ObjectList {
  /// Up to this many objects a search from the end beats a dictionary.
  private static let largestSearched = 16

  private(set) var objects: ContiguousArray<NSManagedObject>
  /// Of each object a place near its own: as far off as others came or left before it since, where the order is kept.
  private var positions: [ObjectIdentifier: Int]?

  init() { objects = [] }

  /// - Precondition: no object is listed twice.
  init(_ objects: ContiguousArray<NSManagedObject>) { self.objects = objects }

  var isEmpty: Bool { objects.isEmpty }
  var count: Int { objects.count }

  /// - Precondition: the object is not in the list.
  mutating func append(_ object: NSManagedObject) {
    positions?[ObjectIdentifier(object)] = objects.count
    objects.append(object)
  }

  mutating func contains(_ object: NSManagedObject) -> Bool {
    if let positions, objects.count > Self.largestSearched { return positions[ObjectIdentifier(object)] != nil }
    return position(of: object) != nil
  }

  /// Takes the object out; the last one takes its place unless the order is kept. False when it was not there.
  @discardableResult
  mutating func remove(_ object: NSManagedObject, keepingOrder: Bool = false) -> Bool {
    guard let position = position(of: object) else { return false }
    positions?[ObjectIdentifier(object)] = nil
    if keepingOrder {
      objects.remove(at: position)
      return true
    }
    let last = objects.removeLast()
    if position < objects.count {
      objects[position] = last
      positions?[ObjectIdentifier(last)] = position
    }
    return true
  }

  /// Takes objects out and puts them together, in their order, at the place that the first of them is to have.
  ///
  /// Complexity: O(*n*) for *n* objects from the first place that changes to the last.
  mutating func move(from indexes: IndexSet, to target: Int) {
    guard let first = indexes.first, let last = indexes.last else { return }
    precondition(
      first >= 0 && last < objects.count && target >= 0 && target <= objects.count - indexes.count,
      "members are moved to places that there are")
    if indexes.count == 1 { return move(from: first, to: target) }
    let start = min(first, target)
    let changed = start...max(last, target + indexes.count - 1)
    let moved = indexes.map { objects[$0] }
    var others = changed.filter { !indexes.contains($0) }.map { objects[$0] }
    others.insert(contentsOf: moved, at: target - start)
    objects.replaceSubrange(changed, with: others)
    for (offset, object) in moved.enumerated() { positions?[ObjectIdentifier(object)] = target + offset }
  }

  private mutating func move(from source: Int, to target: Int) {
    objects.withUnsafeMutableBufferPointer { objects in
      guard let start = objects.baseAddress else { return }
      let object = (start + source).move()
      if source < target {
        (start + source).moveInitialize(from: start + source + 1, count: target - source)
      } else {
        (start + target + 1).moveInitialize(from: start + target, count: source - target)
      }
      (start + target).initialize(to: object)
    }
    positions?[ObjectIdentifier(objects[target])] = target
  }

  /// Exchanges the places of two objects.
  mutating func exchange(_ first: Int, _ second: Int) {
    objects.swapAt(first, second)
    for position in [first, second] { positions?[ObjectIdentifier(objects[position])] = position }
  }

  /// Where an object is; nil where it is not in the list.
  ///
  /// Complexity: O(1), after the first search, for an object that others did not move.
  mutating func position(of object: NSManagedObject) -> Int? {
    if objects.count <= Self.largestSearched { return objects.lastIndex { $0 === object } }
    if positions == nil {
      positions = Dictionary(uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    }
    guard let near = positions?[ObjectIdentifier(object)] else { return nil }
    if near < objects.count, objects[near] === object { return near }
    let found = search(object, around: near)
    positions?[ObjectIdentifier(object)] = found
    return found
  }

  private func search(_ object: NSManagedObject, around near: Int) -> Int {
    var (below, above) = (min(near, objects.count) - 1, near + 1)
    while below >= 0 || above < objects.count {
      if below >= 0, objects[below] === object { return below }
      if above < objects.count, objects[above] === object { return above }
      below -= 1
      above += 1
    }
    preconditionFailure("an object that has a place is in the list")
  }
}

extension Set where Element == NSManagedObject {
  /// A set of distinct objects.
  ///
  /// With room for twice as many, so that an insertion rarely has to compare two objects.
  /// - Parameter isElement: whether an object is to be in it.
  @inline(__always)
  init(distinct objects: ContiguousArray<NSManagedObject>, where isElement: (NSManagedObject) -> Bool = { _ in true }) {
    self.init(minimumCapacity: objects.count * 2)
    objects.forEachBorrowed { if isElement($0) { update(with: $0) } }
  }
}

extension UnsafeBufferPointer where Element: AnyObject {
  /// Calls `body` for each object without counting a reference to it.
  @inline(__always)
  func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
    guard let first = baseAddress, count > 0 else { return }
    let last = first + (count - 1)
    var next = first
    while next <= last {
      let ahead = next + Int(CONTEXTBENCH_PREFETCH_DISTANCE)
      if ahead <= last { contextbench_prefetch(Unmanaged.passUnretained(ahead.pointee).toOpaque(), 2) }
      try Unmanaged.passUnretained(next.pointee)._withUnsafeGuaranteedRef(body)
      next += 1
    }
  }
}

extension ContiguousArray where Element == NSManagedObject {
  /// The objects that have a place in an order: one found gone has none, and its ID may be another object's by now.
  var placed: ContiguousArray { filter { !$0.state.contains(.gone) } }

  /// Calls `body` for each object without counting a reference to it: the array keeps them all.
  ///
  /// - Parameter body: must not release the last reference to the array's storage.
  @inline(__always)
  func forEachBorrowed(_ body: (NSManagedObject) throws -> Void) rethrows {
    try withUnsafeBufferPointer { try $0.forEachBorrowed(body) }
  }

  /// The first place from `start` on of an object that `isMatch` says so of, without a reference counted.
  @inline(__always)
  func firstIndexBorrowed(from start: Int, where isMatch: (NSManagedObject) -> Bool) -> Int? {
    withUnsafeBufferPointer { objects in
      var index = start
      while index < objects.count {
        if Unmanaged.passUnretained(objects[index])._withUnsafeGuaranteedRef(isMatch) { return index }
        index += 1
      }
      return nil
    }
  }
}
