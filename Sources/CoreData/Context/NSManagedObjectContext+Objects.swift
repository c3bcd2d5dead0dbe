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
    let permanent = objectID.key < 0 ? tree.aliases.permanent(for: objectID.key) : nil
    if objectID.key < 0, permanent == nil { ContextHooks.tellUnknown(objectID, asked: self, "object(with:)") }
    let object = objectID.entity(in: self)._withUnsafeGuaranteedRef {
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
        GoneObjects(in: self).forgetMembers()
        known = nil
      } else if object.values != nil {
        return object
      } else if let row = held.returned(object) {
        object.values = row
        return object
      }
    }
    let object = object(with: objectID)
    use.faults.add()
    guard let row = try row(for: object) else {
      // A fault that may be referenced stays the one object of its ID.
      if known == nil { registry?.objects.remove(object.identity, ifItIs: object) }
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
    return tree.aliases.areKnown ? registered(key: objectID.key, layout: objectID.layout) : nil
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
    guard let other = key < 0 ? tree.aliases.permanent(for: key) : tree.aliases.temporary(for: identity) else {
      return nil
    }
    return listed(RowIdentity(key: other, layout: layout))
  }

  // MARK: Identity map

  /// The object a row's reference leads to, as a fault where it is not registered.
  final func object(for reference: RowReference, in destination: EntityLayout) -> NSManagedObject {
    let layout = registry?.layout?.entity(number: Int(reference.entity)) ?? destination
    if let object = registered(key: reference.key, layout: layout) {
      return object.layout === layout || object.layout.isKind(of: destination)
        ? object : GoneObjects(in: self).make(reference, layout)
    }
    return makeFault(key: tree.aliases.canonical(reference).key, layout: layout, row: nil)
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
      GoneObjects(in: self).giveUp(object)
    }
    return makeFault(key: key, layout: row.layout, row: row)
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
    var temporary = ContiguousArray(objects.lazy.filter { $0.key < 0 && $0.registry === self.registry })
    guard !temporary.isEmpty else { return }
    temporary.sortAsMade()
    let keys = try KeyAllotment(in: self).keys(
      ContiguousArray(temporary.map { WantedKey(key: $0.key, layoutReference: $0.layoutReference) }))
    KeyAllotment(in: self).makePermanent(temporary, isAliased: true) { keys[$0] }
    trackers.tellOfNewIDs()
  }
}

extension ContiguousArray where Element == NSManagedObject {
  /// Puts new objects into the order in which they came into their contexts: their rows are appended by a save then. A set of
  /// them has no order.
  fileprivate mutating func sortAsMade() {
    var places = ContiguousArray<PrefixOrder.Place>(
      enumerated().map { PrefixOrder.Place(prefix: UInt64(bitPattern: ~$1.key), index: $0) })
    guard PrefixOrder.sort(&places, { $0.index < $1.index }) else { return }
    let unsorted = self
    for (position, place) in places.enumerated() { self[position] = unsorted[place.index] }
  }
}

extension NSManagedObjectID {
  /// The ID's entity, or the one of its name in the model of a context.
  @inline(__always)
  fileprivate final func entity(in context: NSManagedObjectContext) -> Unmanaged<EntityLayout> {
    let model = context.registryReference?._withUnsafeGuaranteedRef { $0.modelIdentifier }
    let own = layoutReference
    return own._withUnsafeGuaranteedRef { $0.modelIdentifier } == model ? own : entityOfThatName(in: context)
  }

  @inline(never)
  private final func entityOfThatName(in context: NSManagedObjectContext) -> Unmanaged<EntityLayout> {
    guard let found = context.registry?.layout?.entitiesByName[layout.name] else {
      preconditionFailure("\(self) names an entity that \(context.label)'s model does not have")
    }
    return .passUnretained(found)
  }
}
