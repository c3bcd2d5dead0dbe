/// What an object knows of one of its relationships.
enum Relation {
  /// Not looked at yet: for a to-one the key is in the row.
  case unknown
  /// To-one, and nobody there.
  case none
  case one(NSManagedObject)
  case many(ToMany)
}

/// The other side of a to-many relationship: the members once they were read, and what changed since the last save.
final class ToMany {
  // Not checked for exclusivity at run time, as the objects that own it.

  /// The members as they are now; nil until somebody reads them.
  @exclusivity(unchecked)
  var members: ObjectList?
  /// Added since the last save, so that they can be laid over what the store says.
  @exclusivity(unchecked)
  var added = ObjectList()
  /// Removed since the last save.
  @exclusivity(unchecked)
  var removed = ObjectList()

  /// False for an object never saved: all its members are additions.
  @exclusivity(unchecked)
  private var tracksChanges: Bool

  /// What is known of an object of the store.
  init() { tracksChanges = true }

  /// A relationship of an object never saved: nobody yet.
  init(ofNewObject: Void) {
    members = ObjectList()
    tracksChanges = false
  }

  /// The same knowledge, to be changed independently.
  func copy() -> ToMany {
    let copy = ToMany()
    (copy.members, copy.added, copy.removed, copy.tracksChanges) = (members, added, removed, tracksChanges)
    return copy
  }

  var hasChanges: Bool { tracksChanges ? !added.isEmpty || !removed.isEmpty : members?.isEmpty == false }

  /// Who has to be added to what the store, or the parent, has.
  var additions: ContiguousArray<NSManagedObject> {
    tracksChanges ? added.objects : members?.objects ?? []
  }

  func add(_ object: NSManagedObject) {
    members?.append(object)
    guard tracksChanges else { return }
    if !removed.remove(object) { added.append(object) }
  }

  func remove(_ object: NSManagedObject) {
    members?.remove(object)
    guard tracksChanges else { return }
    if !added.remove(object) { removed.append(object) }
  }

  /// Takes what the store says and lays the unsaved changes over it.
  func realise(_ stored: ContiguousArray<NSManagedObject>) -> ObjectList {
    var list = ObjectList(stored)
    for object in removed.objects { list.remove(object) }
    for object in added.objects where !list.contains(object) { list.append(object) }
    members = list
    return list
  }

  /// The next access asks the store again, where the store knows the object.
  func forgetMembers() {
    if tracksChanges { members = nil }
  }

  /// The changes are saved.
  func commit() {
    tracksChanges = true
    guard hasChanges else { return }
    added = ObjectList()
    removed = ObjectList()
  }
}

/// Objects in the order they came, by identity; small lists are searched, large ones get an index at the first search.
struct ObjectList {
  /// Up to this many objects a search from the end beats a dictionary.
  private static let largestSearched = 16

  private(set) var objects: ContiguousArray<NSManagedObject>
  private var positions: [ObjectIdentifier: Int]?

  init() { objects = [] }

  /// - Precondition: no object stands twice.
  init(_ objects: ContiguousArray<NSManagedObject>) { self.objects = objects }

  var isEmpty: Bool { objects.isEmpty }
  var count: Int { objects.count }

  /// - Precondition: the object is not in the list.
  mutating func append(_ object: NSManagedObject) {
    positions?[ObjectIdentifier(object)] = objects.count
    objects.append(object)
  }

  mutating func contains(_ object: NSManagedObject) -> Bool { position(of: object) != nil }

  /// Takes the object out; the last one takes its place. False when it was not there.
  @discardableResult
  mutating func remove(_ object: NSManagedObject) -> Bool {
    guard let position = position(of: object) else { return false }
    positions?[ObjectIdentifier(object)] = nil
    let last = objects.removeLast()
    if position < objects.count {
      objects[position] = last
      positions?[ObjectIdentifier(last)] = position
    }
    return true
  }

  private mutating func position(of object: NSManagedObject) -> Int? {
    if objects.count <= Self.largestSearched { return objects.lastIndex { $0 === object } }
    if positions == nil {
      positions = Dictionary(
        uniqueKeysWithValues: objects.enumerated().map { (ObjectIdentifier($1), $0) })
    }
    return positions?[ObjectIdentifier(object)]
  }
}
