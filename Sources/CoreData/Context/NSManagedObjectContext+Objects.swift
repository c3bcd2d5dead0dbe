import CRuntime
import Scheduling
import RowStore

extension NSManagedObjectContext {
  // MARK: By ID

  /// The object with that ID: the registered one, or a fault made without asking the store, even for an ID that no row
  /// has.
  public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    touch("object(with:)")
    if let object = registered(objectID) { return object }
    let permanent = objectID.key < 0 ? aliases.permanent(for: objectID.key) : nil
    if objectID.key < 0, permanent == nil { ContextHooks.tellUnknown(objectID, asked: self, "object(with:)") }
    let object = requireEntity(objectID)._withUnsafeGuaranteedRef {
      makeFault(key: permanent ?? objectID.key, layout: $0, row: nil)
    }
    if permanent == nil { object.adopt(objectID) }
    return object
  }

  /// The object with that ID, realised: the registered one as it is, else read from the store or the parent.
  ///
  /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) when there is no such row.
  public final func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    touch("existingObject(with:)")
    var known = registered(objectID)
    if let object = known {
      if object.state.contains(.gone) {
        registry?.objects.remove(object.identity, ifItIs: object)
        forgetGoneMembers()
        known = nil
      } else if object.values != nil {
        return object
      }
    }
    let object = object(with: objectID)
    countFault()
    guard let row = try row(for: object) else {
      // A fault that may be referenced stays the one object of its ID.
      if known == nil {
        registry?.objects.remove(object.identity, ifItIs: object)
      }
      throw NSError.coreData(
        NSManagedObjectReferentialIntegrityError,
        "There is no row for \(objectID); the object was deleted or never saved.",
        userInfo: [NSAffectedObjectsErrorKey: [objectID]])
    }
    object.fill(row)
    return object
  }

  /// The object with that ID if this context has it in memory.
  public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    touch("registeredObject(for:)")
    if let object = registered(objectID) { return object }
    if objectID.key < 0 { ContextHooks.tellUnknown(objectID, asked: self, "registeredObject(for:)") }
    return nil
  }

  @inline(__always)
  private final func registered(_ objectID: NSManagedObjectID) -> NSManagedObject? {
    if let object = listed(objectID.identity) { return object }
    return aliases.areKnown ? registered(key: objectID.key, layout: objectID.layout) : nil
  }

  /// The object that the identity map lists.
  @inline(__always)
  private final func listed(_ identity: RowIdentity) -> NSManagedObject? {
    registryReference?._withUnsafeGuaranteedRef {
      $0.objects.object(identity) { contextbench_prefetch($0.valuesReference?.toOpaque(), 2) }
    }
  }

  /// The object of this context under that key, or under the other key that it has in the family of contexts.
  final func registered(key: Int64, layout: EntityLayout) -> NSManagedObject? {
    let identity = RowIdentity(key: key, layout: layout)
    if let object = listed(identity) { return object }
    guard let other = key < 0 ? aliases.permanent(for: key) : aliases.temporary(for: identity) else { return nil }
    return listed(RowIdentity(key: other, layout: layout))
  }

  @inline(__always)
  private final func requireEntity(_ objectID: NSManagedObjectID) -> Unmanaged<EntityLayout> {
    let model = registryReference?._withUnsafeGuaranteedRef { $0.modelIdentifier }
    let own = objectID.layoutReference
    return own._withUnsafeGuaranteedRef { $0.modelIdentifier } == model ? own : entityOfThatName(objectID)
  }

  @inline(never)
  private final func entityOfThatName(_ objectID: NSManagedObjectID) -> Unmanaged<EntityLayout> {
    guard let layout = registry?.layout?.entitiesByName[objectID.layout.name] else {
      preconditionFailure("\(objectID) names an entity that \(label)'s model does not have")
    }
    return .passUnretained(layout)
  }

  // MARK: Identity map

  /// The object a row's reference leads to, as a fault where it is not registered.
  final func object(for reference: RowReference, in destination: EntityLayout) -> NSManagedObject {
    let layout = registry?.layout?.entity(number: Int(reference.entity)) ?? destination
    if let object = registered(key: reference.key, layout: layout) {
      return object.layout === layout || object.layout.isKind(of: destination) ? object : makeGone(reference, layout)
    }
    return makeFault(key: aliases.canonical(reference).key, layout: layout, row: nil)
  }

  /// An object that is gone, for a reference with the ID of another entity's object, as only a broken file has it.
  private final func makeGone(_ reference: RowReference, _ layout: EntityLayout) -> NSManagedObject {
    let object = layout.makeObject()
    object.enter(registry)
    object.key = reference.key
    object.state = .gone
    return object
  }

  /// The object of a row that was read: the registered one as it is, else a fault that has the row at hand.
  final func object(of row: Row) -> NSManagedObject { object(key: row.key, layout: row.layout, row: row) }

  /// The object under that key; where it is a fault, it has `row` at hand afterwards.
  final func object(key: Int64, layout: EntityLayout, row: Row) -> NSManagedObject {
    // An object that was found gone is another than the one inserted again under its key.
    if let object = registered(key: key, layout: layout) {
      if !object.state.contains(.gone), object.canHold(row) {
        if object.values == nil { object.adoptSnapshot(row) }
        return object
      }
      giveUp(object)
    }
    return makeFault(key: key, layout: row.layout, row: row)
  }

  /// Makes room for another object: this one was found gone, or its ID has a row of another entity.
  final func giveUp(_ object: NSManagedObject) {
    if !object.state.contains(.gone) { lose(object) }
    // The other one may be listed under the other key of the two that both have.
    registry?.objects.remove(object.identity, ifItIs: object)
    forgetGoneMembers()
  }

  /// The object under the ID of an object that is gone, where the row came back: another object. References to the gone one
  /// lead there.
  ///
  /// The store, or the parent, is asked.
  final func returned(_ gone: NSManagedObject) -> NSManagedObject? {
    let (key, layout) = (gone.key, gone.layout)
    if let other = successor(of: gone) { return other }
    guard registry != nil, let permanent = key > 0 ? key : aliases.permanent(for: key) else { return nil }
    do {
      let row =
        if let parentContext {
          try parentContext.serve(self) { try $0.row(key: key, layout: layout) }
        } else {
          try reader?.row(RowIdentity(key: permanent, layout: layout), layout: layout)
        }
      return row.map { object(key: key, layout: layout, row: $0) }
    } catch {
      recordUnreadable(error)
      return nil
    }
  }

  /// The object registered under the ID of an object that is gone. A fault without a row at hand is none: it was made of the ID
  /// alone, and it is not known yet whether a row came back.
  final func successor(of gone: NSManagedObject) -> NSManagedObject? {
    guard let other = registered(key: gone.key, layout: gone.layout), !other.state.contains(.gone),
      other.values != nil || other.snapshot != nil
    else { return nil }
    return other
  }

  /// A new object of the identity map that has no values yet.
  final func makeFault(key: Int64, layout: EntityLayout, row: Row?) -> NSManagedObject {
    guard let registryReference else {
      preconditionFailure("\(label) has neither a coordinator nor a parent, so no objects")
    }
    let object = layout.makeObject()
    registryReference._withUnsafeGuaranteedRef { registry in
      object.enter(registry)
      object.key = key
      object.snapshot = row
      register(object, in: registry)
    }
    return object
  }

  /// Gives the objects permanent IDs now; they are saved like any other inserted object later.
  ///
  /// In a child the ancestors that have the objects already take the same IDs.
  /// - Throws: when the store cannot be written.
  public final func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    touch("obtainPermanentIDs(for:)")
    let temporary = ContiguousArray(objects.lazy.filter { $0.key < 0 && $0.registry === self.registry })
    guard !temporary.isEmpty else { return }
    let keys = try allotKeys(temporary.map { ($0.key, $0.layout) })
    makePermanent(temporary, isAliased: true) { keys[$0] }
    tellTrackersOfNewIDs()
  }

  /// The permanent keys that objects with these temporary ones have got already, else new ones from the store.
  final func allotKeys(_ wanted: [(key: Int64, layout: EntityLayout)]) throws -> [Int64] {
    var keys = aliases.permanent(for: wanted.map(\.key)).map { $0 ?? 0 }
    let missing = keys.indices.filter { keys[$0] == 0 }
    guard !missing.isEmpty else { return keys }
    let allotted: [Int64] =
      if let parentContext {
        try parentContext.queue.sync { try ParentAnswers(of: parentContext).permanentKeys(missing.map { wanted[$0] }) }
      } else {
        try coordinator?.allotKeys(missing.map { wanted[$0] }, for: self) ?? []
      }
    for (index, key) in zip(missing, allotted) { keys[index] = key }
    return keys
  }

  /// Objects with temporary keys have permanent ones from now on.
  ///
  /// - Parameters:
  ///   - isAliased: whether others may still use the temporary ones: a descendant, or a row of this context.
  ///   - key: gives the permanent key of the object at a place.
  final func makePermanent(
    _ objects: ContiguousArray<NSManagedObject>, isAliased: Bool, _ key: (Int) -> Int64
  ) {
    guard let registry, !objects.isEmpty else { return }
    if assignments.isUsed { assignments.forget(objects.map(\.key)) }
    var pairs: ContiguousArray<KeyAliases.Pair> = []
    if isAliased { pairs.reserveCapacity(objects.count) }
    registry.objects.edit { entries in
      var index = 0
      objects.forEachBorrowed { object in
        let temporary = object.key
        let permanent = key(index)
        index += 1
        guard temporary < 0 else { return }
        entries.remove(object.identity, ifItIs: object)
        object.key = permanent
        entries.set(object.identity, object)
        if isAliased { pairs.append((temporary, object.identity)) }
      }
    }
    if isAliased { aliases.note(pairs) }
  }
}
