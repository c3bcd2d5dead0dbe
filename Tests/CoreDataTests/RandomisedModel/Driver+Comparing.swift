@testable import CoreData
@testable import RowStore

extension Driver {
  /// Takes over into `model` which faults fired and which objects came and went unasked, then compares a context.
  func compare(_ number: Int, _ model: inout ReferenceModel) throws {
    let context = contexts[number]
    try context.performAndWait {
      do {
        try context.verifyInvariants()
        try context.persistentStoreCoordinator?.verifyInvariants()
      } catch { throw Difference("c\(number): \(error)") }
      try adopt(number, &model)
      try compareSets(number, model)
      for name in model.contexts[number].things.keys.sorted() {
        guard let thing = model.contexts[number].things[name], let object = objects[number][name] else { continue }
        do { try compare(object, thing) { model.isNobody(number, $0) } } catch let difference as Difference {
          throw Difference("c\(number) #\(name) (\(object.layout.name)): \(difference)")
        }
      }
    }
  }

  // MARK: The stack's own affair

  private func adopt(_ number: Int, _ model: inout ReferenceModel) throws {
    let context = contexts[number]
    for object in context.registry?.objects.objects ?? [] {
      let name = try name(of: object)
      learn(object, name)
      // It was not held: it may have left the context and come back as a fault.
      if objects[number][name] == nil, object.values == nil, model.contexts[number].things[name]?.isDirty == false {
        model.contexts[number].things[name] = nil
      }
      try hold(object, name, number)
      // An object that was found gone is another one than the one that is there since.
      if object.state.isDisjoint(with: .gone) { model.forgetGone(number, name) }
      if model.contexts[number].things[name] == nil { model.register(number, name) }
    }
    for (name, thing) in model.contexts[number].things {
      guard let object = objects[number][name], object.registry != nil,
        context.registry?.objects.object(object.identity) === object
      else {
        // Delete rules on an object that another coordinator deleted are not specified either.
        if thing.isDirty, model.isGhost(number, name) {
          model.forgetLists(number, name)
        } else if thing.isDirty {
          throw Difference("c\(number) #\(name) has unsaved changes, and is not registered")
        }
        if let held = objects[number][name], !thing.isGone, !held.state.contains(.gone) {
          throw Difference("c\(number) #\(name) is held, and is not registered")
        }
        model.contexts[number].things[name] = nil
        continue
      }
      if thing.isPermanent == nil { model.contexts[number].things[name]?.isPermanent = object.key > 0 }
      if object.values != nil {
        model.realise(number, name, version: object.snapshot.map { Int($0.version) })
        if thing.values == nil { try checkDerived(object, name, number, model) }
      }
      for property in object.layout.relationships where property.relation.isToMany {
        let isKnown = object.knownToMany(property)?.members != nil
        let expected = model.contexts[number].things[name]?.many[property.index]?.members != nil
        if isKnown, !expected { model.realiseMany(number, name, property.index) }
        if !isKnown, expected {
          model.contexts[number].things[name]?.many[property.index]?.forget()
          model.contexts[number].things[name]?.many[property.index]?.order.isUnsure = world.isOrdered
        }
        try adoptOrder(object, property, number, name, &model)
      }
    }
    for (name, object) in objects[number] where model.contexts[number].things[name] == nil {
      if object.registry != nil, object.state.isDisjoint(with: .gone) {
        throw Difference("c\(number) #\(name) is still in the context")
      }
      objects[number][name] = nil
    }
  }

  /// A fault that fired has the derived value that the file has: the only coordinator knows of every change.
  private func checkDerived(
    _ object: NSManagedObject, _ name: Int, _ number: Int, _ model: ReferenceModel
  ) throws {
    guard world.coordinators == 1, world.members[number].parent == nil, let values = object.values,
      let row = model.store[name], object.snapshot?.version == Int64(row.version)
    else { return }
    for index in AtlasSchema.entities[row.entity].derived {
      let found = try value(values[index], object.layout.properties[index])
      if found != model.wordCount(name) {
        throw Difference(
          "c\(number) #\(name): a fault fired with \(Self.text(found)) words, not \(model.wordCount(name))")
      }
    }
  }

  /// Takes over which rows the coordinators list.
  func observeCaches(_ model: inout ReferenceModel) throws {
    guard world.coordinators > 1 else { return }
    for (number, stack) in stacks.enumerated() {
      for name in model.living {
        guard let identity = identities[name] else { continue }
        let row = stack.container.persistentStoreCoordinator.cachedRow(identity)
        guard model.observe(number, name, version: row.map { Int($0.version) }) else {
          throw Difference(
            "coordinator \(number) lists version \(row?.version ?? 0) of #\(name), the store has "
              + "\(Self.text(model.store[name]?.version)), known was \(Self.text(model.caches[number].rows[name]?.version))"
          )
        }
      }
    }
  }

  /// Removes objects from `model` that a child's reading put into its parent, and that were not kept alive there.
  func dropReleased(_ model: inout ReferenceModel) {
    for (number, held) in objects.enumerated() {
      for (name, thing) in model.contexts[number].things where held[name] == nil && !thing.isDirty {
        model.contexts[number].things[name] = nil
      }
    }
  }

  // MARK: The contract

  private func compareSets(_ number: Int, _ model: ReferenceModel) throws {
    let context = contexts[number]
    let things = model.contexts[number].things
    func check(_ what: String, _ real: Set<NSManagedObject>, _ isExpected: (ReferenceModel.Thing) -> Bool) throws {
      let found = Set(try real.map(name))
      let expected = Set(things.filter { isExpected($0.value) }.keys)
      if found != expected {
        throw Difference("c\(number): \(what) are \(found.sorted()), expected \(expected.sorted())")
      }
    }
    try check("insertedObjects", context.insertedObjects) { $0.isInserted && !$0.isDeleted }
    try check("updatedObjects", context.updatedObjects) { $0.isUpdated && !$0.isDeleted }
    // Without those that a merge has deleted: nothing of them is to be saved.
    try check("deletedObjects", context.deletedObjects.filter(\.hasChanges)) { $0.isDeleted && !$0.isInserted }
    let hasChanges = things.contains { $0.value.isDirty }
    if context.hasChanges != hasChanges { throw Difference("c\(number): hasChanges is \(!hasChanges)") }
    let history = model.contexts[number].history
    if let manager = context.undoManager,
      (manager.undoCount, manager.redoCount) != (history.undoable.count, history.redoable.count)
    {
      throw Difference(
        "c\(number): \(manager.undoCount) events can be undone and \(manager.redoCount) redone, expected "
          + "\(history.undoable.count) and \(history.redoable.count)")
    }
  }

  private func compare(
    _ object: NSManagedObject, _ thing: ReferenceModel.Thing, isNobody: (Int) -> Bool
  ) throws {
    if object.isDeleted != (thing.isDeleted || thing.isGone) { throw Difference("isDeleted is \(object.isDeleted)") }
    if thing.isGone { return }
    if object.isInserted != thing.isInserted { throw Difference("isInserted is \(object.isInserted)") }
    if object.objectID.isTemporaryID == thing.isPermanent { throw Difference("its ID is \(object.objectID)") }
    guard let expected = thing.values else { return }
    guard let values = object.values else { throw Difference("is a fault, expected \(expected)") }
    // The relationships of an object that is being deleted do not matter any more.
    for index in AtlasSchema.entities[thing.entity].settable {
      let property = object.layout.properties[index]
      if property.relation != nil, thing.isDeleted { continue }
      if AtlasSchema.entities[thing.entity].properties[index].kind == .toMany {
        guard let members = thing.many[index]?.members, let real = object.knownToMany(property)?.members else {
          continue
        }
        // Whether an object that is gone is still in a list is not specified.
        let gone = Set(try real.objects.filter { $0.state.contains(.gone) }.map(name))
        let found = Set(try real.objects.map(name)).subtracting(gone)
        let wanted = members.filter { !isNobody($0) && !gone.contains($0) }
        if found != wanted { throw Difference("\(property.name) is \(found.sorted()), expected \(wanted.sorted())") }
        guard let list = thing.many[index]?.order.list, property.relation.isOrdered else { continue }
        let order = try real.objects.map(name).filter(found.contains)
        if order != list.filter(found.contains) {
          throw Difference("\(property.name) is in the order \(order), expected \(list.filter(found.contains))")
        }
        continue
      }
      let found = try value(values[index], property)
      // Nor is a reference to a gone object.
      if property.relation != nil, found.map(isNobody) ?? true, expected[index].map(isNobody) ?? true { continue }
      if found != expected[index] {
        throw Difference("\(property.name) is \(Self.text(found)), expected \(Self.text(expected[index]))")
      }
      if property.relation != nil, property.relation.position < object.relations.count,
        case .one(let target) = object.relations[property.relation.position], try name(of: target) != expected[index]
      {
        throw Difference("\(property.name) leads to #\(try name(of: target)), expected \(Self.text(expected[index]))")
      }
    }
    let toOnes = AtlasSchema.entities[thing.entity].toOnes
    for property in object.layout.relationships {
      let changes = object.knownToMany(property)
      let others = (changes?.additions ?? []) + (changes?.removed.objects ?? [])
      if others.contains(where: { $0.state.contains(.gone) }) { return }
    }
    for row in [values, object.snapshot] {
      for index in toOnes {
        guard let row, let name = try value(row[index], object.layout.properties[index]), isNobody(name) else {
          continue
        }
        return
      }
    }
    if object.hasPersistentChangedValues
      != (thing.isInserted || thing.isDeleted || thing.changed.contains(where: thing.isReallyChanged))
    {
      throw Difference("hasPersistentChangedValues is \(object.hasPersistentChangedValues)")
    }
  }

  static func text(_ value: Int?) -> String { value.map { "\($0)" } ?? "nil" }

  /// A slot as the model has it.
  private func value(_ slot: Slot, _ property: PropertyLayout) throws -> Int? {
    switch slot {
    case .null: return nil
    case .integer(let value): return Int(value)
    case .string(let value): return Int(value)
    case .reference(let reference):
      guard let name = names[RowIdentity(key: reference.key, layout: property.relation.destination)] else {
        throw Difference("\(property.name) leads to an unknown key \(reference.key)")
      }
      return name
    default: throw Difference("\(property.name) is \(slot)")
    }
  }

  // MARK: The store

  /// Compares the store, read by a context of its own.
  func compareStore(_ model: inout ReferenceModel) throws {
    try compareStore(in: reader.context("reader"), &model)
  }

  /// The rows as a context reads them.
  func compareStore(in reader: NSManagedObjectContext, _ model: inout ReferenceModel) throws {
    try reader.performAndWait {
      var found: Set<Int> = []
      var joins: Set<ReferenceModel.Join> = []
      for entity in AtlasSchema.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name)
        request.returnsObjectsAsFaults = false
        for object in try reader.fetch(request) {
          let name = try name(of: object)
          found.insert(name)
          try compareRow(object, name, model)
          try compareStoredOrders(object, name, &model)
          guard entity.name == "Tag" else { continue }
          for word in object.members(object.layout.properties[1]).objects {
            joins.insert(ReferenceModel.Join(word: try self.name(of: word), tag: name))
          }
        }
      }
      let expected = Set(model.store.keys)
      if found != expected { throw Difference("store: rows are \(found.sorted()), expected \(expected.sorted())") }
      if let difference = model.partnersAtOdds { throw Difference(difference) }
      if joins != model.joins { throw Difference("store: joins are \(joins), expected \(model.joins)") }
    }
  }

  /// An object with the row's values, beside the model's.
  func compareRow(_ object: NSManagedObject, _ name: Int, _ model: ReferenceModel) throws {
    let entity = AtlasSchema.entities[model.entityOf[name] ?? 0]
    guard let row = model.store[name], let values = object.values else {
      throw Difference("store: #\(name) (\(entity.name)) is there")
    }
    if object.snapshot?.version != Int64(row.version) {
      throw Difference("store: #\(name) has version \(object.snapshot?.version ?? 0), expected \(row.version)")
    }
    for index in entity.attributes + entity.toOnes {
      let value = try value(values[index], object.layout.properties[index])
      if value != row.values[index] {
        throw Difference(
          "store: #\(name).\(entity.properties[index].name) is \(Self.text(value)), "
            + "expected \(Self.text(row.values[index]))"
        )
      }
    }
    for index in entity.derived {
      let value = try value(values[index], object.layout.properties[index])
      if value != model.wordCount(name) {
        throw Difference(
          "store: #\(name).\(entity.properties[index].name) is \(Self.text(value)), "
            + "expected \(model.wordCount(name))")
      }
    }
  }
}
