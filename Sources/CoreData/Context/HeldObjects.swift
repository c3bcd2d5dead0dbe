import RowStore

/// Objects that are not kept alive; references to dead ones are dropped once there are many.
struct WeakObjects {
  private struct Reference {
    weak var object: NSManagedObject?
  }

  /// Fewer references than this are not worth a search for dead ones.
  private static let leastPruned = 64

  private var references: [Reference] = []
  /// Number of references at which dead ones are next looked for.
  private var pruneAt = leastPruned

  /// How many references there are, also to dead objects.
  var count: Int { references.count }

  var living: [NSManagedObject] { references.compactMap(\.object) }

  /// Complexity: O(1) amortised.
  mutating func add(_ object: NSManagedObject) {
    references.append(Reference(object: object))
    guard references.count >= pruneAt else { return }
    references.removeAll { $0.object == nil }
    pruneAt = max(Self.leastPruned, references.count * 2)
  }
}

/// Objects that a context knows for other reasons than their changes.
struct HeldObjects {
  /// Every registered object, by address; nil unless the context retains them.
  private var registered: [ObjectIdentifier: NSManagedObject]?
  /// Unchanged objects that the next save checks for a newer version.
  private(set) var locked: ContiguousArray<NSManagedObject> = []
  /// The object in its `prepareForDeletion()`; the caller of that method holds it.
  private var preparing: Unmanaged<NSManagedObject>?
  /// The objects around it: the method of each has deleted the next one.
  private var preparingAround: ContiguousArray<Unmanaged<NSManagedObject>> = []
  /// Objects found gone that may still be referenced; the identity map no longer lists them.
  private var gone = WeakObjects()
  /// The objects among them that a merge has deleted since the last save.
  private var mergedDeletions = WeakObjects()
  /// The rows of objects that were never saved and are faults, by address; until they are asked for.
  private var setAside: [ObjectIdentifier: (object: NSManagedObject, row: Row)] = [:]
  /// Whether relationships may lead to objects that were found gone.
  var isGoneListed = false

  @inline(__always)
  var retainsRegistered: Bool { registered != nil }

  /// Keeps these objects and those to come; with nil, none.
  mutating func retainRegistered(_ objects: [NSManagedObject]?) {
    registered = objects.map { objects in
      Dictionary(objects.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  mutating func add(_ object: NSManagedObject) { registered?[ObjectIdentifier(object)] = object }

  /// Forgets an object that left the context.
  mutating func remove(_ object: NSManagedObject) {
    registered?[ObjectIdentifier(object)] = nil
    if !locked.isEmpty { locked.removeAll { $0 === object } }
  }

  mutating func lock(_ object: NSManagedObject) {
    if !locked.contains(where: { $0 === object }) { locked.append(object) }
  }

  /// Forgets the objects kept for a save, which is over.
  mutating func endSave() {
    locked = []
    mergedDeletions = WeakObjects()
  }

  /// Complexity: O(1) amortised.
  mutating func addGone(_ object: NSManagedObject) {
    gone.add(object)
    isGoneListed = true
  }

  /// Complexity: O(1) amortised.
  mutating func addMergedDeletion(_ object: NSManagedObject) { mergedDeletions.add(object) }

  /// Objects that a merge has deleted since the last save, as far as they are still referenced,
  /// and not inserted again by undo.
  var livingMergedDeletions: [NSManagedObject] {
    mergedDeletions.living.filter { $0.state.contains(.gone) }
  }

  /// Keeps the values of an object that was never saved.
  mutating func setAside(_ row: Row, of object: NSManagedObject) { setAside[ObjectIdentifier(object)] = (object, row) }

  /// The row that was kept of the object.
  @inline(__always)
  mutating func returned(_ object: NSManagedObject) -> Row? {
    setAside.isEmpty ? nil : setAside.removeValue(forKey: ObjectIdentifier(object))?.row
  }

  /// Objects that were never saved have their values again.
  @inline(__always)
  mutating func returnAll() {
    if setAside.isEmpty { return }
    for (object, row) in setAside.values { object.values = row }
    setAside = [:]
  }

  /// The objects found gone that are still referenced.
  var livingGone: [NSManagedObject] { gone.living }

  /// Whether the object's `prepareForDeletion()` runs, which may delete others that delete it.
  @inline(__always)
  func isPreparing(_ object: NSManagedObject) -> Bool {
    guard let preparing else { return false }
    let own = Unmanaged.passUnretained(object).toOpaque()
    return preparing.toOpaque() == own || preparingAround.contains { $0.toOpaque() == own }
  }

  @inline(__always)
  mutating func beginPreparing(_ object: NSManagedObject) {
    if let preparing { preparingAround.append(preparing) }
    preparing = .passUnretained(object)
  }

  @inline(__always)
  mutating func endPreparing() { preparing = preparingAround.isEmpty ? nil : preparingAround.removeLast() }

  /// Forgets everything; the living objects that were gone.
  mutating func removeAll() -> [NSManagedObject] {
    let living = livingGone
    gone = WeakObjects()
    endSave()
    setAside = [:]
    if registered != nil { registered = [:] }
    return living
  }
}

extension NSManagedObjectContext {
  /// Lists an object in the identity map.
  @inline(__always)
  final func register(_ object: NSManagedObject, in registry: ObjectRegistry) {
    registry.objects.set(object.identity, object)
    if held.retainsRegistered { held.add(object) }
  }
}
