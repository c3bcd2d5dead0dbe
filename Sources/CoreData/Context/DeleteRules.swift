import RowStore

/// A deletion that a deny rule forbids.
struct DeniedDelete {
  let object: NSManagedObject
  let relationship: PropertyLayout
  /// Empty where all that was in the way has gone since.
  let obstacles: [NSManagedObject]
}

/// The delete rules of a context's deletions: which objects go too, which lead nowhere, and which forbid a deletion.
struct DeleteRules {
  private let context: NSManagedObjectContext

  init(in context: NSManagedObjectContext) { self.context = context }

  /// Follows the delete rules of every object with an unprocessed deletion: cascades recursively, nullifies inverses, and notes
  /// deletions that a deny rule forbids.
  ///
  /// - Throws: when the store cannot be read; the deletions that were not followed yet stay pending.
  /// - Complexity: O(*n*) for *n* objects deleted and touched; each deleted object's relationships are read once.
  func follow() throws {
    var next = 0
    var read = 0
    var lastDeleted: NSManagedObject?
    // The list grows while cascades delete.
    while next < context.changes.deleted.count {
      if next == read {
        read = context.changes.deleted.count
        try readReach(of: next..<read)
      }
      let object = context.changes.deleted[next]
      next += 1
      guard object.state.contains(.pendingDelete) else { continue }
      try adoptNewestRow(object)
      try object.layoutReference._withUnsafeGuaranteedRef { layout in
        try layout.relationships.withUnsafeBufferPointer {
          try $0.forEachBorrowed { property in
            if !leadsToDeleted(object, property, &lastDeleted) { try propagate(object, property) }
          }
        }
      }
    }
    try recheckDenials()
  }

  /// Follows the rules of processed deletions again where newer rows may lead to the objects.
  ///
  /// - Throws: when the store cannot be read; all of them stay to be followed.
  func followOvertaken() throws {
    var next = 0
    // Reading the objects that they reach may bring the newer row of another one.
    while next < context.changes.unsettled.overtakenDeletions.count {
      let object = context.changes.unsettled.overtakenDeletions[next]
      next += 1
      if object.isDeletionFollowed { try followAgain(object) }
    }
    context.changes.unsettled.overtakenDeletions = []
  }

  /// Follows the rules of deletions by a merge policy inside a save; an object that was never saved leaves the context.
  ///
  /// - Throws: when the store cannot be read.
  func followNew() throws {
    precondition(context.saves.isUnderWay, "a merge policy decides inside a save")
    try followOvertaken()
    try follow()
    for object in context.changes.deleted {
      if object.state.isVanishing { object.leaveUnsaved() }
      // No rule is followed twice: an object that came unsaved, and was taken out, would be lost as if a row had named it.
      object.state.remove(.pendingDelete)
    }
    context.changes.markStale()
    context.changes.clean()
  }

  /// Reads what the deletion of these objects will need, some hundred objects in a statement: their rows where they are faults,
  /// and the members of their relationships.
  private func readReach(of deleted: Range<Int>) throws {
    guard deleted.count > 1 else { return }
    let all = context.changes.deleted
    let first = all.firstIndexBorrowed(from: deleted.lowerBound) { object in
      let isUnread = object.values == nil && object.snapshot == nil
      return isUnread || object.layoutReference._withUnsafeGuaranteedRef { $0.hasToMany }
    }
    if first == nil, context.parentContext == nil {
      // All that is read is at hand.
      return try all.withUnsafeBufferPointer { all in
        try UnsafeBufferPointer(rebasing: all[deleted]).forEachBorrowed { object in
          if object.state.contains(.pendingDelete) { try adoptNewestRow(object) }
        }
      }
    }
    var objects: ContiguousArray<NSManagedObject> = []
    objects.reserveCapacity(deleted.count)
    for index in deleted where context.changes.deleted[index].state.contains(.pendingDelete) {
      objects.append(context.changes.deleted[index])
    }
    if context.parentContext == nil {
      try Prefetching(in: context).readRows(of: objects)
      for object in objects { try adoptNewestRow(object) }
    }
    // A child's fault asks the parent for its row first, where it may be deleted.
    let owners = objects.filter { object in
      object.layoutReference._withUnsafeGuaranteedRef { $0.hasToMany }
        && (object.values != nil || (context.parentContext == nil && object.snapshot != nil))
    }
    let groups = Dictionary(grouping: owners) { $0.layout.number }.sorted { $0.key < $1.key }
    for (_, group) in groups {
      for property in group[0].layout.relationships
      where property.relation.isToMany && property.isStored && property.relation.deleteRule != .noAction {
        try Prefetching(in: context).readMembers(
          property, of: ContiguousArray(group), areLast: property.relation.deleteRule == .cascade)
      }
    }
  }

  /// Gives a fault its newest row, to be deleted in that version; where the row is gone, nothing is left to delete.
  @inline(__always)
  private func adoptNewestRow(_ object: NSManagedObject) throws {
    guard object.values == nil else { return }
    guard context.parentContext == nil else {
      // The parent's, as for any other reader.
      if try !object.isFilled(in: context) { object.snapshot = nil }
      return
    }
    guard object.key > 0 else { return }
    if context.hasNewestRow(object), !object.state.contains(.gone) { return }
    object.snapshot = try context.row(for: object)
  }

  /// The rule for the object's deletion: an object that was never saved is denied nothing, and leaves to-many relationships. A
  /// to-one relationship still leads to it, so that the save is refused.
  @inline(__always)
  private func rule(of property: PropertyLayout, for object: NSManagedObject) -> DeleteRule {
    let rule = property.relation.deleteRule
    guard rule == .deny, object.state.isVanishing, property.relation.inverse?.relation.isToMany == true else {
      return rule
    }
    return .nullify
  }

  private func propagate(_ object: NSManagedObject, _ property: PropertyLayout) throws {
    let rule = rule(of: property, for: object)
    // An object that is gone leads nowhere, which is no error here.
    guard rule != .noAction, try object.isFilled(in: context) else { return }
    if rule == .deny { return try recordDenial(of: object, property) }
    if property.relation.isToMany {
      try object.loadMembers(property).objects.forEachBorrowed { try reach($0, from: object, property) }
    } else if let target = object.lastToOne(property) {
      try reach(target, from: object, property)
    }
    try reachNewestTarget(of: object, property)
  }

  /// Takes the deleted object out of one that has it by a newer row alone, which does not go with it: the unsaved move counts.
  private func reachNewestTarget(of object: NSManagedObject, _ property: PropertyLayout) throws {
    guard let target = try newestTarget(of: object, property) else { return }
    try reach(target, from: object, property, by: .nullify)
  }

  /// The object that the row leads to, which may be newer, where a to-one relationship was changed here; nil where that is the
  /// same object, or one that does not lead back.
  private func newestTarget(of object: NSManagedObject, _ property: PropertyLayout) throws -> NSManagedObject? {
    guard object.changed.contains(property.index), !property.relation.isToMany, let inverse = property.relation.inverse,
      let slot = object.snapshot?[property.index]
    else { return nil }
    // A target known here is not read again for it, which would bring a newer row past the merge policy.
    if let known = context.known(slot, property), known === object.toOne(property) { return nil }
    guard let target = try SideSettling(in: context).storedTarget(of: object, property),
      try leads(target, back: inverse, to: object)
    else {
      return nil
    }
    return target
  }

  /// Whether the other side of a to-one relationship is known to be deleted: no rule has anything to do then, as for the
  /// members that went with their owner.
  ///
  /// - Parameter last: the object that the last one led to, which the next member of the same owner leads to as well.
  @inline(__always)
  private func leadsToDeleted(
    _ object: NSManagedObject, _ property: PropertyLayout, _ last: inout NSManagedObject?
  ) -> Bool {
    guard object.relations.isEmpty, let reference = object.reference(at: property.index) else { return false }
    func isDeleted(_ known: NSManagedObject) -> Bool? {
      let number = known.layoutReference._withUnsafeGuaranteedRef { $0.number }
      return known.key == reference.key && number == Int(reference.entity) ? known.state.contains(.deleted) : nil
    }
    let answer = last.map { Unmanaged.passUnretained($0) }?._withUnsafeGuaranteedRef(isDeleted)
    if let answer { return answer }
    return lookUp(reference, &last)?.state.contains(.deleted) ?? false
  }

  @inline(never)
  private func lookUp(_ reference: RowReference, _ last: inout NSManagedObject?) -> NSManagedObject? {
    guard let registry = context.registry, let layout = registry.layout?.entity(number: Int(reference.entity)) else {
      return nil
    }
    last = registry.objects.object(RowIdentity(key: reference.key, layout: layout))
    // An object of another entity, as only a broken file has it.
    if last?.layout !== layout { last = nil }
    return last
  }

  /// Follows the rules of a deletion that was followed already: objects that it had cleared may lead to it again, and others
  /// may have come.
  func followAgain(_ object: NSManagedObject) throws {
    for property in object.layout.relationships where property.relation.deleteRule != .noAction {
      guard let targets = try reachableTargets(object, property) else { return }
      if property.relation.deleteRule == .deny {
        try recordDenial(of: object, property)
      } else {
        let inverse = property.relation.inverse
        for target in targets {
          if let inverse, try !leads(target, back: inverse, to: object) { continue }
          try reach(target, from: object, property)
        }
        try reachNewestTarget(of: object, property)
      }
    }
  }

  /// Whether the other side of a relationship still leads to a deleted object: it may have been given to another one here, or
  /// taken away. Where it was not, and has an older row, the newest row tells.
  private func leads(
    _ target: NSManagedObject, back inverse: PropertyLayout, to object: NSManagedObject
  ) throws -> Bool {
    guard try target.isFilled(in: context) else { return false }
    if inverse.relation.isToMany { return counts(object, in: target, inverse) }
    if target.toOne(inverse) === object { return true }
    guard !target.isReallyChanged(inverse), try SideSettling(in: context).isStored(target) else { return false }
    return target.toOne(inverse) === object
  }

  /// Whether a deleted object is still to be taken out of the members. One that came unsaved was taken out when the deletion
  /// was first followed, and no row leads here.
  private func counts(_ object: NSManagedObject, in owner: NSManagedObject, _ members: PropertyLayout) -> Bool {
    let change = owner.knownToMany(members)?.change(of: object) ?? .none
    guard change == .none, let property = members.relation.inverse, !property.relation.isToMany else {
      return change != .removed
    }
    return object.snapshot.map { context.known($0[property.index], property) === owner } ?? false
  }

  @inline(never)
  private func recordDenial(of object: NSManagedObject, _ property: PropertyLayout) throws {
    guard !context.changes.unsettled.denied.contains(where: { $0.object === object && $0.relationship === property })
    else {
      return
    }
    if let denied = try denial(of: object, property) { context.changes.unsettled.denied.append(denied) }
  }

  /// Applies a rule, that of the relationship if none is given, to one object on the other side.
  private func reach(
    _ target: NSManagedObject, from object: NSManagedObject, _ property: PropertyLayout, by given: DeleteRule? = nil
  ) throws {
    if target.state.contains(.gone), !property.relation.isToMany, let target = GoneObjects(in: context).returned(target)
    {
      return try reach(target, from: object, property, by: given)
    }
    let reference = property.relation.inverseReference
    let inverseKind = reference?._withUnsafeGuaranteedRef { DeleteEffect.Inverse($0) } ?? DeleteEffect.Inverse(nil)
    let rule = given ?? rule(of: property, for: object)
    let effect = DeleteEffect(rule, target: target.state, inverseKind)
    guard effect != .nothing else { return }
    guard try target.isFilled(in: context) else {
      // It is out of reach, and where it was to change it is found gone.
      if effect != .delete, !target.state.contains(.gone) { FaultWithoutRow(target, nil, in: context).fillUnasked() }
      return
    }
    if effect == .delete { return context.delete(target) }
    switch (effect, property.relation.inverse) {
    case (.leaveMembers, let inverse?):
      // A deletion may be followed again, after an error or a merge policy's step.
      if !(target.knownToMany(inverse)?.isRemoved(object) ?? false) { target.removeMember(inverse, object) }
    case (.clear, let inverse?):
      // A target with an older row than the reference to it does not lead back yet.
      if !target.isReallyChanged(inverse), target.toOne(inverse) !== object {
        guard try SideSettling(in: context).isStored(target) else { return }
      }
      target.leave(inverse, object)
      // A target that is unchanged by that may lead elsewhere in a newer row, perhaps to another deleted object, or back here.
      if !target.isReallyChanged(inverse), try SideSettling(in: context).isStored(target),
        target.toOne(inverse) === object
      {
        target.assignToOne(inverse, nil)
      }
    default: break
    }
  }

  /// The objects on the other side; nil when the object's own row is gone already, which is no error here.
  private func reachableTargets(
    _ object: NSManagedObject, _ property: PropertyLayout
  ) throws -> ContiguousArray<NSManagedObject>? {
    guard try object.isFilled(in: context) else { return nil }
    if property.relation.isToMany { return try object.loadMembers(property).objects }
    // An object that came back under the ID of one that is gone takes its place.
    let target = object.toOne(property).map {
      $0.state.contains(.gone) ? GoneObjects(in: context).returned($0) ?? $0 : $0
    }
    return target.map { [$0] } ?? []
  }

  /// Obstacles may have been deleted meanwhile, or have left the relationship; a merge may bring new ones. So denials stay as
  /// long as their objects are deleted.
  func recheckDenials() throws {
    guard !context.changes.unsettled.denied.isEmpty else { return }
    context.changes.unsettled.denied = try context.changes.unsettled.denied.compactMap { denied in
      guard denied.object.state.contains(.deleted) else { return nil }
      return DeniedDelete(
        object: denied.object, relationship: denied.relationship,
        obstacles: try obstacles(to: denied.object, denied.relationship))
    }
  }

  /// The denied deletion with its obstacles, for a relationship with the deny rule; nil without obstacles.
  func denial(of object: NSManagedObject, _ relationship: PropertyLayout) throws -> DeniedDelete? {
    let obstacles = try obstacles(to: object, relationship)
    return obstacles.isEmpty ? nil : DeniedDelete(object: object, relationship: relationship, obstacles: obstacles)
  }

  private func obstacles(to object: NSManagedObject, _ relationship: PropertyLayout) throws -> [NSManagedObject] {
    let targets = try reachableTargets(object, relationship) ?? []
    return try targets.filter { target in
      guard DeleteEffect(.deny, target: target.state, .none) == .deny else { return false }
      // A fault that was made of a key alone may have no row.
      return try target.values != nil || context.row(for: target) != nil
    }
  }
}

extension NSManagedObject {
  /// Fills the object where it is a fault; false when there is no row.
  final func isFilled(in context: NSManagedObjectContext) throws -> Bool {
    if values != nil || context.realisesAtOnce(self) { return true }
    guard let row = try context.row(for: self) else { return false }
    context.use.faults.add()
    fill(row)
    return true
  }

  /// Whether the object is to be deleted by the next save, and its delete rules were followed.
  final var isDeletionFollowed: Bool {
    state.contains(.deleted) && state.isDisjoint(with: [.inserted, .pendingDelete, .gone])
  }

  /// Has the rules of the object's deletion followed again when changes are processed: a newer row has come since, its own or
  /// that of an object that leads to it.
  @inline(never)
  final func noteOvertakenDeletion() {
    guard isDeletionFollowed, let context = registry?.contextOnQueue else { return }
    context.changes.unsettled.overtakenDeletions.append(self)
    context.enqueuePassOutsideBlocks()
  }
}
