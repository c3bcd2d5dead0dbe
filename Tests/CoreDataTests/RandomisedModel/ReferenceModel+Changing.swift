import CoreData
@testable import RowStore

extension ReferenceModel {
  mutating func insert(_ context: Int, _ entity: Int, _ name: Int) {
    noteImage(context, name)
    entityOf[name] = entity
    living.insert(name)
    var thing = Thing(entity: entity, isPermanent: permanent.contains(name))
    thing.values = [Int?](repeating: nil, count: AtlasSchema.entities[entity].properties.count)
    thing.isInserted = true
    for index in AtlasSchema.entities[entity].toManys {
      thing.many[index] = Many(
        members: [], isOrdered: isOrdered(entity, index), isNew: true, order: Order(list: [], stored: []))
    }
    contexts[context].things[name] = thing
    contexts[context].vanished.remove(name)
    contexts[context].departed.remove(name)
    contexts[context].insertions.append(name)
  }

  /// The property counts as set.
  mutating func note(_ context: Int, _ name: Int, _ index: Int) {
    noteImage(context, name)
    guard var thing = contexts[context].things[name] else { return }
    thing.changed.insert(index)
    if !thing.isDirty, !thing.isGone {
      thing.isUpdated = true
      contexts[context].updates.append(name)
    }
    contexts[context].things[name] = thing
  }

  mutating func set(_ context: Int, _ name: Int, _ index: Int, _ value: Int?) {
    realise(context, name)
    note(context, name, index)
    contexts[context].things[name]?.values?[index] = value
  }

  // MARK: Relationships (S2.6)

  mutating func relate(_ context: Int, _ name: Int, _ index: Int, _ target: Int?) {
    realise(context, name)
    guard let thing = contexts[context].things[name] else { return }
    let property = Self.property(thing.entity, index)
    let current = thing.values?[index]
    let old = current.flatMap { isDeparted(context, $0) ? nil : $0 }
    if let target, target != current { readBeforeAdding(context, target, property.inverse, name) }
    set(context, name, index, target)
    guard current != target, mutation != .inversesStay else { return }
    if let old { meetReturned(context, old) }
    if Self.property(property.destination, property.inverse).kind == .toMany {
      if let old { takeOut(context, old, property.inverse, name) }
      if let target { putIn(context, target, property.inverse, name) }
    } else {
      if let old { leave(context, old, property.inverse, partner: name) }
      guard let target else { return }
      realise(context, target)
      if let rival = contexts[context].things[target]?.values?[property.inverse], rival != name,
        !isDeparted(context, rival)
      {
        meetReturned(context, rival)
        leave(context, rival, index, partner: target)
      }
      set(context, target, property.inverse, name)
    }
  }

  /// Whether an object is gone and its row did not come back: it loses nothing, though a fault was made of its ID since.
  private func isDeparted(_ context: Int, _ name: Int) -> Bool {
    let known = contexts[context]
    return (known.vanished.contains(name) || known.departed.contains(name)) && rowAbove(context, name) == nil
  }

  /// A member that was taken out comes back: the members are read while it does not lead there yet.
  private mutating func readBeforeAdding(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    guard let known = contexts[context].things[name]?.many[index], known.members == nil, known.removed.contains(member)
    else { return }
    realiseMany(context, name, index)
  }

  /// The same where a member that was added is taken out.
  private mutating func readBeforeRemoving(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    guard let known = contexts[context].things[name]?.many[index], known.members == nil, known.added.contains(member)
    else { return }
    realiseMany(context, name, index)
  }

  mutating func putIn(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    realise(context, name)
    note(context, name, index)
    let known = contexts[context].things[name]?.many[index]
    if known?.members == nil, known?.removed.contains(member) == true { realiseMany(context, name, index) }
    let many = makeMany(entityOf[name] ?? 0, index)
    let wasDeleted = isDeletionFollowed(context, member)
    contexts[context].things[name]?.many[index, default: many].add(member, wasDeleted: wasDeleted)
    // One that is inserted again is new to the store.
    let isNew = contexts[context].things[member]?.isInserted == true
    if !wasDeleted, !isNew, isLed(context, member, to: name, index) == true {
      contexts[context].things[name]?.many[index]?.dropAddition(of: member)
    }
  }

  /// Whether the row of a saved object makes it a member of the owner; nil where no row tells.
  private func isLed(_ context: Int, _ member: Int, to name: Int, _ index: Int) -> Bool? {
    let property = Self.property(entityOf[name] ?? 0, index)
    guard Self.property(property.destination, property.inverse).kind == .toOne else { return nil }
    return contexts[context].things[member]?.base.map { $0.values[property.inverse] == name }
  }

  mutating func takeOut(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    realise(context, name)
    note(context, name, index)
    let known = contexts[context].things[name]?.many[index]
    if known?.members == nil, known?.added.contains(member) == true { realiseMany(context, name, index) }
    let many = makeMany(entityOf[name] ?? 0, index)
    contexts[context].things[name]?.many[index, default: many].remove(member)
    if isLed(context, member, to: name, index) == false {
      contexts[context].things[name]?.many[index]?.dropChange(of: member)
    }
  }

  mutating func add(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    guard let entity = entityOf[name] else { return }
    realise(context, name)
    let property = Self.property(entity, index)
    if Self.property(property.destination, property.inverse).kind == .toMany {
      realiseMany(context, name, index)
      guard !members(context, name, index).contains(member) else { return note(context, name, index) }
      readBeforeAdding(context, member, property.inverse, name)
      putIn(context, name, index, member)
      putIn(context, member, property.inverse, name)
    } else {
      realise(context, member)
      guard contexts[context].things[member]?.values?[property.inverse] != name else {
        return note(context, name, index)
      }
      relate(context, member, property.inverse, name)
    }
  }

  mutating func remove(_ context: Int, _ name: Int, _ index: Int, _ member: Int) {
    guard let entity = entityOf[name] else { return }
    realise(context, name)
    let property = Self.property(entity, index)
    if Self.property(property.destination, property.inverse).kind == .toMany {
      realiseMany(context, name, index)
      guard members(context, name, index).contains(member) else { return note(context, name, index) }
      readBeforeRemoving(context, member, property.inverse, name)
      takeOut(context, name, index, member)
      takeOut(context, member, property.inverse, name)
    } else {
      realise(context, member)
      guard contexts[context].things[member]?.values?[property.inverse] == name else {
        return note(context, name, index)
      }
      // Where the members are read now, the object still counts among them.
      takeOut(context, name, index, member)
      set(context, member, property.inverse, nil)
    }
  }

  // MARK: Deleting (S8.1)

  mutating func delete(_ context: Int, _ name: Int) {
    register(context, name)
    guard usable(context, name) else { return }
    noteImage(context, name)
    contexts[context].things[name]?.isDeleted = true
    contexts[context].things[name]?.isDeletionPending = true
    contexts[context].things[name]?.isUpdated = false
    contexts[context].updates.removeAll { $0 == name }
    contexts[context].deletions.append(name)
  }

  /// Follows delete rules; objects that were inserted and deleted vanish.
  mutating func process(_ context: Int, isSaving: Bool = false) {
    // A child follows them when it saves.
    if isSaving || contexts[context].parent == nil { followOvertaken(context) }
    followPending(context)
    let event = contexts[context].undoes ? takeEvent(context) : Event()
    dropVanished(context)
    record(context, event)
  }

  /// Follows the rules of objects deleted since changes were last processed.
  mutating func followPending(_ context: Int) {
    var (next, read) = (0, 0)
    var faults: Set<Int> = []
    while next < contexts[context].deletions.count {
      if next == read {
        read = contexts[context].deletions.count
        faults = Set(contexts[context].deletions[next..<read].filter { contexts[context].things[$0]?.values == nil })
        readReach(context, contexts[context].deletions[next..<read])
      }
      let name = contexts[context].deletions[next]
      next += 1
      guard contexts[context].things[name]?.isDeletionPending == true else { continue }
      contexts[context].things[name]?.isDeletionPending = false
      if faults.contains(name) { renewDeleted(context, name) }
      propagate(context, name)
    }
  }

  /// A fault is deleted in the newest version that was read, by following the rules of others as well.
  private mutating func renewDeleted(_ context: Int, _ name: Int) {
    guard contexts[context].parent == nil, contexts[context].things[name]?.values != nil,
      let row = rowAbove(context, name)
    else { return }
    contexts[context].things[name]?.base = row
    contexts[context].things[name]?.values = row.values
  }

  /// Removes objects that were inserted and deleted.
  mutating func dropVanished(_ context: Int) {
    for name in contexts[context].deletions where contexts[context].things[name]?.isInserted == true {
      forgetLists(context, name)
      contexts[context].things[name] = nil
      contexts[context].vanished.insert(name)
    }
  }

  /// Reads objects that are deleted together before any delete rule is followed.
  private mutating func readReach(_ context: Int, _ deletions: ArraySlice<Int>) {
    guard deletions.count > 1 else { return }
    let pending = deletions.filter { contexts[context].things[$0]?.isDeletionPending == true }
    let isRoot = contexts[context].parent == nil
    let owners = pending.filter {
      contexts[context].things[$0]?.values != nil || isRoot && rowAbove(context, $0) != nil
    }
    // All of it is read before a fault takes its row: the newest that a read has brought.
    for name in owners where isRoot {
      for index in AtlasSchema.entities[entityOf[name] ?? 0].toManys
      where contexts[context].things[name]?.many[index]?.members == nil {
        noteRead(context, membersAbove(context, name, index), fromStore: true)
      }
    }
    for (number, entity) in AtlasSchema.entities.enumerated() {
      for index in entity.toManys {
        for name in owners where entityOf[name] == number { realiseMany(context, name, index) }
      }
    }
  }

  private mutating func propagate(_ context: Int, _ name: Int) {
    guard let thing = contexts[context].things[name] else { return }
    if thing.values == nil {
      // A fault is deleted in the version its row has now; where that is gone, nothing is left to do.
      guard let row = rowAbove(context, name) else {
        contexts[context].things[name]?.base = nil
        return
      }
      // It may have come back since it was found gone.
      contexts[context].vanished.remove(name)
      contexts[context].departed.remove(name)
      contexts[context].things[name]?.base = row
      contexts[context].things[name]?.values = row.values
    }
    for index in AtlasSchema.entities[thing.entity].relationships {
      if Self.property(thing.entity, index).kind == .toMany { realiseMany(context, name, index) }
      for target in targets(context, name, index) { reach(context, name, index, target) }
      reachStored(context, name, index)
    }
  }

  /// Applies a delete rule, that of the relationship if none is given, to one object on the other side.
  mutating func reach(_ context: Int, _ name: Int, _ index: Int, _ target: Int, by rule: NSDeleteRule? = nil) {
    let property = Self.property(entityOf[name] ?? 0, index)
    let inverse = Self.property(property.destination, property.inverse)
    if property.kind == .toOne { meetReturned(context, target) }
    register(context, target)
    guard usable(context, target) else { return }
    switch rule ?? property.rule {
    case .cascadeDeleteRule where mutation != .cascadeNullifies:
      // A gone object is out of reach.
      if contexts[context].things[target]?.values != nil || rowAbove(context, target) != nil {
        realise(context, target)
        delete(context, target)
      }
    case .nullifyDeleteRule, .cascadeDeleteRule:
      if inverse.kind == .toMany {
        guard contexts[context].things[target]?.many[property.inverse]?.removed.contains(name) != true else { return }
        takeOut(context, target, property.inverse, name)
      } else {
        realise(context, target)
        let other = contexts[context].things[target]
        // Its row may be older than the one that leads to it.
        if other?.isReallyChanged(property.inverse) == false, other?.values?[property.inverse] != name {
          guard meetPartner(context, target) else { return }
        }
        leave(context, target, property.inverse, partner: name)
        if contexts[context].things[target]?.isReallyChanged(property.inverse) == false, meetPartner(context, target) {
          leave(context, target, property.inverse, partner: name)
        }
      }
    case .denyDeleteRule: deny(context, name, index)
    default: break
    }
  }

  /// A deny rule forbids the deletion, as long as something is in the way.
  mutating func deny(_ context: Int, _ name: Int, _ index: Int) {
    if !contexts[context].denials.contains(where: { $0 == (name, index) }) {
      contexts[context].denials.append((name, index))
    }
  }

  func targets(_ context: Int, _ name: Int, _ index: Int) -> [Int] {
    guard let thing = contexts[context].things[name] else { return [] }
    if Self.property(thing.entity, index).kind == .toMany {
      let members = members(context, name, index)
      let list = thing.many[index]?.order.list?.filter(members.contains) ?? []
      return list + members.subtracting(list).sorted()
    }
    return thing.values?[index].map { [$0] } ?? []
  }

  // MARK: Giving up

  mutating func rollback(_ context: Int) {
    let (inserted, others) = (
      contexts[context].insertions, contexts[context].updates + contexts[context].deletions
    )
    for name in inserted where mutation != .rollbackKeepsInserts { contexts[context].things[name] = nil }
    for name in others {
      guard var thing = contexts[context].things[name], !thing.isInserted else {
        contexts[context].things[name] = nil
        continue
      }
      if thing.values != nil { thing.values = thing.base?.values }
      thing.changed = []
      thing.many = [:]
      (thing.isUpdated, thing.isDeleted, thing.isDeletionPending) = (false, false, false)
      contexts[context].things[name] = thing
    }
    dropLists(context)
    contexts[context].history = History()
  }

  mutating func reset(_ context: Int) {
    contexts[context].things = [:]
    contexts[context].vanished = []
    dropLists(context)
    contexts[context].history = History()
  }

  mutating func dropLists(_ context: Int) {
    contexts[context].insertions = []
    contexts[context].updates = []
    contexts[context].deletions = []
    contexts[context].denials = []
    contexts[context].unsettled = Unsettled()
  }

  mutating func refresh(_ context: Int, _ name: Int, merging: Bool) {
    contexts[context].history.isDisturbed = true
    guard var thing = contexts[context].things[name], thing.base != nil || thing.values == nil else { return }
    if merging {
      if thing.values != nil, let row = rowAbove(context, name) {
        take(context, name, row, dropping: mutation == .refreshDropsChanges)
        settleMovedPartners(context)
      } else if !thing.isDirty {
        // Its row is gone: the next read learns that.
        (thing.values, thing.base, thing.many) = (nil, nil, [:])
        contexts[context].things[name] = thing
      }
    } else {
      if thing.isUpdated { contexts[context].updates.removeAll { $0 == name } }
      thing.isUpdated = false
      thing.values = nil
      thing.changed = []
      thing.many = [:]
      contexts[context].things[name] = thing
    }
  }
}

extension ReferenceModel.Thing {
  /// Drops values set to those that the row has anyway: they are no change beside a newer row.
  mutating func dropEqualChanges() {
    guard base != nil, values != nil, !isDeletedWithoutRow else { return }
    for index in changed
    where ReferenceModel.property(entity, index).kind != .toMany && !isReallyChanged(index) {
      changed.remove(index)
    }
  }

  /// A newer row under the unsaved changes.
  mutating func take(_ row: ReferenceModel.Row, dropping: Bool = false) {
    if isDeletedWithoutRow { return }
    defer { base = row }
    guard let old = values else { return }
    var new = row.values
    if !dropping { for index in changed { new[index] = old[index] } }
    values = new
    for index in many.keys { many[index]?.forgetUnchanged() }
  }
}
