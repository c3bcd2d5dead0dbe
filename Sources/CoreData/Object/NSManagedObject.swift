import Scheduling
import Synchronization
import RowStore

/// An object of a context: the values of one row, its relationships, and its changes.
///
/// Belongs to its context's queue; only ``objectID``, ``entity`` and ``managedObjectContext`` may be read elsewhere.
/// - SeeAlso: Apple, "NSManagedObject".
open nonisolated class NSManagedObject: NSObject {
  // Accesses to the members below are not checked for exclusivity at run time: one queue at a time uses an object, no access
  // spans a call that could come back to it, and the checks cost more than the accesses.

  /// The entity as the stack works with it; kept alive by the model, so that a use costs no reference counting.
  final let layoutReference: Unmanaged<EntityLayout>
  @inline(__always)
  final var layout: EntityLayout { layoutReference.takeUnretainedValue() }
  @inline(__always)
  final var rootNumber: Int32 { layoutReference._withUnsafeGuaranteedRef { Int32(truncatingIfNeeded: $0.rootNumber) } }
  @exclusivity(unchecked)
  final var state: ChangeState = []
  /// For an object made in a simulation, one more than the number of objects made before it, in so many bits; else 0.
  private final let simulatedNumber: UInt16
  /// For a child's object, the number of saves of the parent that its row has seen.
  @exclusivity(unchecked)
  private final var seenSaves: UInt32 = 0
  /// The values as they are now; nil while the object is a fault. The members read most are in the object's first cache line.
  @exclusivity(unchecked)
  final var values: Row?
  /// The values as last read or saved; nil for an object never saved. The same row as ``values`` while nothing changed
  /// and no transient property has a value.
  @exclusivity(unchecked)
  final var snapshot: Row?
  @exclusivity(unchecked)
  final var home = ObjectOwner.none

  /// The identity map that lists the object; nil without a context.
  @inline(__always)
  final var registry: ObjectRegistry? { home.registry }

  /// ``registry`` without a reference counted.
  @inline(__always)
  final var registryReference: Unmanaged<ObjectRegistry>? { home.registry.map { .passUnretained($0) } }

  /// Sets the identity map that lists the object from now on.
  @inline(__always)
  final func enter(_ registry: consuming ObjectRegistry?) {
    if let registry = consume registry { home = .context(registry) } else { home = .none }
  }

  /// Takes the identity map from the object; it only makes the ID from now on.
  @inline(__always)
  final func loseRegistry() {
    guard case .context = home else { return }
    var old = ObjectOwner.none
    swap(&old, &home)
    if case .context(let registry) = consume old { home = .former(registry) }
  }

  /// Keeps the model of an object that was in no context as long as the object. Not when it is made, which faults are as well.
  final func keepModel() { if case .none = home { home = .model(layout.entity.managedObjectModel) } }

  /// Primary key: positive in the store, negative while temporary, 0 before the object came into a context and while its
  /// ID was not asked for.
  final var key: Int64 {
    get { keyStorage.load(ordering: .relaxed) }
    set { keyStorage.store(newValue, ordering: .relaxed) }
  }

  final let keyStorage = Atomic<Int64>(0)
  /// The ID, made on demand; retained.
  final let identifier = Atomic<UInt>(0)

  @exclusivity(unchecked)
  final var relations = Relations.unread
  @exclusivity(unchecked)
  final var changed = ChangedProperties()

  /// Notes that the row is as new as the parent's.
  @inline(__always)
  final func markSeenSaves() { if let registry { seenSaves = registry.seenSaves } }

  /// Whether the row is at least as new as that save of the parent.
  final func hasSeen(_ save: UInt32) -> Bool { Int32(bitPattern: seenSaves &- save) >= 0 }

  /// Makes an object of `entity` and, with a context, inserts it there; on the context's queue.
  ///
  /// Without a context the object has values but no life of its own until `insert(_:)`.
  /// - Precondition: the entity's model is in use and the entity is not abstract.
  public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    guard let layout = entity.layoutReference else {
      preconditionFailure("\(entity.name ?? "the entity") belongs to no model that a coordinator uses")
    }
    layoutReference = layout
    simulatedNumber = Simulation.nextObjectNumber()
    super.init()
    adoptClass(of: layout)
    if let context = context.map({ Unmanaged.passUnretained($0) }) {
      precondition(
        !layout._withUnsafeGuaranteedRef { $0.isAbstract },
        "\(self.layout.name) is abstract: insert an object of one of its sub-entities")
      context._withUnsafeGuaranteedRef { $0.insert(self) }
    }
  }

  /// The one entity with this class, in the models that coordinators use.
  ///
  /// Inside a block of a context that is an entity of the context's model, where that has one; else, of several models
  /// that have one, the entity of the model that came into use last, with Apple's warning on standard error. Where there is
  /// none, or a model has several, that is said as well, and the description has no name.
  open class func entity() -> NSEntityDescription { ModelsInUse.entity(of: self) }

  /// A request for the objects of the one entity with this class.
  ///
  /// The entity is found when the request is carried out; a fetch fails where several entities have the class.
  // Where a model class has its own of the class's type, as Xcode generates them, a call without a type means that one.
  @_disfavoredOverload
  open class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(objectsOf: self) }

  deinit {
    registryReference?._withUnsafeGuaranteedRef { $0.objects.remove(identity, ifItIs: self) }
    if !relations.isEmpty { RelationRelease.release(&relations) }
    if let raw = UnsafeRawPointer(bitPattern: identifier.load(ordering: .relaxed)) {
      Unmanaged<NSManagedObjectID>.fromOpaque(raw).release()
    }
  }

  @inline(__always)
  final var identity: RowIdentity { RowIdentity(key: key, rootNumber: rootNumber) }

  /// An object is equal only to itself.
  // An address differs in each process, and with it the order of a set, which a simulation must find again.
  public final override var hash: Int {
    simulatedNumber == 0 ? Int(bitPattern: Unmanaged.passUnretained(self).toOpaque()) >> 4 : Int(simulatedNumber)
  }

  /// The object's ID: temporary until it is saved or `obtainPermanentIDs(for:)` was called, also before the object is
  /// inserted. Any thread.
  open var objectID: NSManagedObjectID {
    if let raw = UnsafeRawPointer(bitPattern: identifier.load(ordering: .acquiring)) {
      let id = Unmanaged<NSManagedObjectID>.fromOpaque(raw).takeUnretainedValue()
      if id.key == key { return id }
    }
    return makeIdentifier()
  }

  /// The object's entity. Any thread.
  open var entity: NSEntityDescription { layout.entity }

  /// The context the object belongs to; nil after its deletion was saved, after `reset()`, or when the context is gone.
  /// Any thread.
  open var managedObjectContext: NSManagedObjectContext? { registry?.context }

  // MARK: State

  /// Whether the object was inserted and not saved yet.
  open var isInserted: Bool {
    touch("isInserted")
    return state.contains(.inserted)
  }

  /// Whether the object has unsaved changes.
  open var isUpdated: Bool {
    touch("isUpdated")
    return state.contains(.updated)
  }

  /// Whether the object will be deleted by the next save, or was deleted by a save of another context, merged here.
  open var isDeleted: Bool {
    touch("isDeleted")
    return state.contains(.deleted) || (state.contains(.gone) && registry != nil)
  }

  /// Whether the object's values were not read yet. Reading this, or ``objectID`` and the like, does not read them.
  open var isFault: Bool {
    touch("isFault")
    return values == nil
  }

  /// Whether the object was inserted, changed or deleted since the last save.
  open var hasChanges: Bool {
    touch("hasChanges")
    return state.isDirty
  }

  /// Whether a save would write other values than the store has; setting an equal value does not count.
  open var hasPersistentChangedValues: Bool {
    touch("hasPersistentChangedValues")
    guard state.isDirty else { return false }
    return state.contains(.inserted) || state.contains(.deleted) || layout.properties.contains(where: isReallyChanged)
  }

  /// Whether the relationship was not read yet; for a fault, whether its row would have to be read.
  open func hasFault(forRelationshipNamed key: String) -> Bool {
    touch(key)
    guard let property = layout.propertiesByName[key], let relation = property.relation else { return false }
    guard let values else { return true }
    // A row without a key says that there is no object.
    if !relation.isToMany, values[property.index].isNull { return false }
    guard relation.position < relations.count else { return true }
    switch relations[relation.position] {
    case .unknown: return true
    case .many(let toMany): return toMany.members == nil
    case .none, .one: return false
    }
  }

  /// Whether the property's value differs from the one last read or saved.
  final func isReallyChanged(_ property: PropertyLayout) -> Bool {
    guard changed.contains(property.index), !property.isTransient else { return false }
    guard let values, let snapshot else { return true }
    if case .toMany = property.kind {
      guard property.relation.position < relations.count,
        case .many(let toMany) = relations[property.relation.position]
      else { return false }
      return toMany.hasChanges
    }
    let (now, before) = (values[property.index], snapshot[property.index])
    if now == before { return false }
    // An object may be known here by its temporary and there by its permanent key.
    guard case .toOne = property.kind, let aliases = registry?.contextOnQueue?.tree.aliases else { return true }
    return now.canonical(aliases) != before.canonical(aliases)
  }

  // MARK: For subclasses

  /// Called once, when the object is inserted; changes made here are part of the insertion.
  open func awakeFromInsert() {}

  /// Called each time the object's values were read; properties set here, relationships excepted, are no change.
  open func awakeFromFetch() {}

  /// Called when the object's values were replaced by those last read or saved, for the reasons given; properties set
  /// here, relationships excepted, are no change.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}

  /// Called by each save before it looks at the changes; changes made here are saved.
  open func willSave() {}

  /// Called after each save that included the object.
  open func didSave() {}

  /// Called inside `delete(_:)`.
  open func prepareForDeletion() {}

  /// Called before the object becomes a fault.
  open func willTurnIntoFault() {}

  /// Called after the object became a fault.
  open func didTurnIntoFault() {}

  // MARK: Key-value coding (see +KeyValueCoding)

  /// The value of the property: an attribute's value (numbers as `NSNumber`), an object, or a `Set<NSManagedObject>`; nil
  /// for null.
  ///
  /// ``value(forUndefinedKey:)`` answers for keys that the entity does not have.
  open func value(forKey key: String) -> Any? { keyedValue(key) }

  /// Sets the property; numbers are converted where nothing is lost, nil and `NSNull` are null.
  ///
  /// - Precondition: the value is of the property's type.
  open func setValue(_ value: Any?, forKey key: String) { setKeyedValue(value, key) }

  /// The value of a key that the entity does not have; by default, none is allowed and the process ends.
  open func value(forUndefinedKey key: String) -> Any? { refuseUndefinedKey(key) }

  /// Sets a key that the entity does not have; by default, none is allowed and the process ends.
  open func setValue(_ value: Any?, forUndefinedKey key: String) { refuseUndefinedKey(key) }

  /// The value at the end of a path such as `note.title`; nil as soon as a to-one relationship leads nowhere.
  ///
  /// From a to-many relationship on, the values of all its objects: a set without nils, or the result of a collection
  /// operator: `words.@count`, `words.@max.level`. Operators: `@count`, `@sum`, `@avg`, `@min`, `@max`, and
  /// `@unionOf`, `@distinctUnionOf` with `Objects`, `Arrays`, `Sets`.
  open func value(forKeyPath keyPath: String) -> Any? { KeyValuePath.value(self, keyPath[...]) }

  /// Sets the last key of the path on the object at the path before it; nothing happens where that is nil.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) { KeyValuePath.set(value, self, keyPath) }

  /// The values of these keys, nil as `NSNull`.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets each key to its value, `NSNull` as nil.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
  }

  /// The objects of a to-many relationship as a set that stays up to date; to change it is to change the object.
  /// - Precondition: the entity has a to-many relationship of that name.
  open func mutableSetValue(forKey key: String) -> NSMutableSet { relationshipSet(key, isTracked: true) }

  /// The set of the last key of the path, as ``mutableSetValue(forKey:)`` gives it.
  /// - Precondition: the path before it leads to an object.
  open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet { relationshipSet(atPath: keyPath) }

  /// The IDs of the objects of a relationship, which stay faults.
  open func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] { relatedObjectIDs(key) }

  // MARK: For accessors written by hand (see +KeyValueCodingPrimitives)

  /// The value as it is stored in the object, without notification of the access; nil while the object is a fault.
  ///
  /// A to-many relationship gives an `NSMutableSet`, an ordered one an `NSMutableOrderedSet`; changing it is no change of the
  /// object until ``didChangeValue(forKey:)``.
  open func primitiveValue(forKey key: String) -> Any? { storedValue(key) }

  /// Stores the value in the object. That is no change: a save writes the value only together with a change of the object.
  ///
  /// The inverse of a relationship is left alone, unless the call is between `willChangeValue(forKey:)` and
  /// `didChangeValue(forKey:)`.
  open func setPrimitiveValue(_ value: Any?, forKey key: String) { storeValue(value, key) }

  /// To be called before a primitive value is read: fills the object where it is a fault. Nil means all properties.
  open func willAccessValue(forKey key: String?) { announceAccess(key) }

  /// To be called after a primitive value was read.
  open func didAccessValue(forKey key: String?) { touch(key ?? "didAccessValue") }

  /// To be called before a primitive value is set: the property counts as changed, and its old value is kept for undo.
  open func willChangeValue(forKey key: String) { announceChange(key) }

  /// To be called after a primitive value was set: the inverses of a relationship are set.
  open func didChangeValue(forKey key: String) { finishChange(key) }

  /// To be called before the set of a to-many relationship is changed, which counts as changed from then on.
  open func willChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    announceChange(inKey)
  }

  /// To be called after the set of a to-many relationship was changed: inverses are set.
  open func didChangeValue(
    forKey inKey: String, withSetMutation inMutationKind: NSKeyValueSetMutationKind, using inObjects: Set<AnyHashable>
  ) {
    finishChange(inKey)
  }

  // MARK: Changes

  /// The persistent properties that differ from those last read or saved, with their values now; nil as `NSNull`.
  open func changedValues() -> [String: Any] { currentChanges() }

  /// The persistent values as last read or saved, nil as `NSNull`; all of them with nil, but for to-many relationships
  /// that were not read yet.
  open func committedValues(forKeys keys: [String]?) -> [String: Any] { lastValues(keys) }

  /// Zero while the object's values are there; another number while it is a fault.
  open var faultingState: Int { isFault ? 1 : 0 }

  // MARK: Validation (see Validation/)

  /// Checks one value as the model asks: presence, type, predicates, counts; called for each property before a save.
  ///
  /// A subclass may put another value in the place of the one given, which is then set and saved.
  /// - Throws: an error of 1550–1690 with the object, the key and the value.
  open func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    try checkValue(value.pointee, key)
    try layout.objects.keyed?.validators[key]?.validate(self, value)
  }

  /// Checks an object that a save is about to insert; a subclass calls `super`, which checks each property.
  /// - Throws: an error of 1550–1690; 1560 for several, which are under `NSDetailedErrorsKey`.
  open func validateForInsert() throws { try checkProperties() }

  /// Checks an object that a save is about to update; a subclass calls `super`, which checks each property.
  /// - Throws: as ``validateForInsert()``.
  open func validateForUpdate() throws { try checkProperties() }

  /// Checks an object that a save is about to delete; a subclass calls `super`, which asks the deny rules.
  /// - Throws: 1600 when the deny rule of one relationship prevents it; 1560 for several.
  open func validateForDelete() throws { try checkDeletion() }

  /// The class, the ID and, on the context's queue, the values; of a fault and a relationship that was not read, that it is one.
  open override var description: String { descriptionText }
}
