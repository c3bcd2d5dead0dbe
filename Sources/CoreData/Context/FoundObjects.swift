import RowStore

/// A context's objects for many rows that were found: the identity map is asked and written under one lock each.
struct FoundObjects {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Fewer are looked up one by one.
  private static let leastAtOnce = 8

  /// The registered objects as they are, else faults.
  func objects(
    for references: ContiguousArray<RowReference>, in entity: EntityLayout
  ) -> ContiguousArray<NSManagedObject> {
    guard references.count >= Self.leastAtOnce, let registry = context.registry, let model = registry.layout,
      canListAtOnce
    else {
      return ContiguousArray(references.map { context.object(for: $0, in: entity) })
    }
    let root = Int32(truncatingIfNeeded: entity.rootNumber)
    var layout = entity
    return objects(count: references.count, registry) {
      RowIdentity(key: references[$0].key, rootNumber: root)
    } fits: { object, index in
      let number = Int(references[index].entity)
      return object.layout.number == number || model.entity(number: number)?.isKind(of: object.layout) ?? true
    } make: {
      let reference = references[$0]
      if layout.number != Int(reference.entity) { layout = model.entity(number: Int(reference.entity)) ?? entity }
      return newFault(key: reference.key, layout: layout, registry)
    }
  }

  /// The registered objects as they are, else faults that have the row at hand.
  func objects(of rows: [Row]) -> ContiguousArray<NSManagedObject> {
    guard rows.count >= Self.leastAtOnce, let registry = context.registry, canListAtOnce else {
      return ContiguousArray(rows.map(context.object(of:)))
    }
    let objects = objects(count: rows.count, registry) {
      rows[$0].identity
    } fits: { object, index in
      object.canHold(rows[index])
    } make: {
      let row = rows[$0]
      let object = row.layoutReference._withUnsafeGuaranteedRef { newFault(key: row.key, layout: $0, registry) }
      object.snapshot = row
      return object
    }
    for (index, object) in objects.enumerated() where object.values == nil && object.snapshot !== rows[index] {
      object.adoptSnapshot(rows[index])
    }
    return objects
  }

  /// Whether every object is listed under one key, and nothing else keeps a list of them.
  private var canListAtOnce: Bool { !context.tree.aliases.areKnown && !context.held.retainsRegistered }

  private func newFault(key: Int64, layout: EntityLayout, _ registry: ObjectRegistry) -> NSManagedObject {
    let object = layout.makeObject()
    object.enter(registry)
    object.key = key
    return object
  }

  private func objects(
    count: Int, _ registry: ObjectRegistry, identity: (Int) -> RowIdentity, fits: (NSManagedObject, Int) -> Bool,
    make: (Int) -> NSManagedObject
  ) -> ContiguousArray<NSManagedObject> {
    if count == 0 { return [] }
    let known = registry.objects.objects(count, identity)
    var new: ContiguousArray<Int> = []
    var objects = ContiguousArray<NSManagedObject>(unsafeUninitializedCapacity: count) { objects, filled in
      for index in 0..<count {
        // An object that was found gone is another than the one inserted again under its key.
        if let object = known[index], !object.state.contains(.gone), fits(object, index) {
          objects.initializeElement(at: index, to: object)
        } else {
          if let object = known[index] { GoneObjects(in: context).giveUp(object) }
          objects.initializeElement(at: index, to: make(index))
          new.append(index)
        }
      }
      filled = count
    }
    guard !new.isEmpty else { return objects }
    // A row that was found twice is still one object.
    var twice: [(index: Int, object: NSManagedObject)] = []
    registry.objects.edit { entries in
      entries.reserve(new.count)
      for index in new {
        let identity = identity(index)
        if let listed = entries.object(identity), listed !== known[index] {
          twice.append((index, listed))
        } else {
          Unmanaged.passUnretained(objects[index])._withUnsafeGuaranteedRef { entries.set(identity, $0) }
        }
      }
    }
    for (index, object) in twice { objects[index] = object }
    return objects
  }

  /// The IDs of rows that were found: an object's own where it is registered.
  func ids(of references: ContiguousArray<RowReference>) -> [NSManagedObjectID] {
    guard let registry = context.registry, let layout = registry.layout else { return [] }
    return references.compactMap { reference in
      guard let entity = layout.entity(number: Int(reference.entity)) else { return nil }
      if let object = context.registered(key: reference.key, layout: entity) { return object.objectID }
      return NSManagedObjectID(
        key: reference.key, layout: entity, store: registry.identities.identity(of: reference.key),
        model: registry.model)
    }
  }
}
