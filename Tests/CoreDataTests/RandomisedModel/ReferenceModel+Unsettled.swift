import CoreData

/// The work before a save is written: unsaved changes of relationships, and deletions (S3.3, S8.1).
extension ReferenceModel {
  struct Unsettled {
    /// Whether one side may have changes that the other lost.
    var sidesMayDiffer = false
    /// Whether members may have come and gone without a change of their owners.
    var ownersMayDiffer = false
    /// Objects with an unsaved one-to-one move under which a newer row has come.
    var movedPartners: [Int] = []
    /// Objects with delete rules that were followed before a newer row came.
    var overtaken: [Int] = []
  }

  // MARK: Deletions that newer rows overtook (S8.1)

  mutating func noteOvertaken(_ context: Int, _ name: Int) {
    if isDeletionFollowed(context, name) { contexts[context].unsettled.overtaken.append(name) }
  }

  func isDeletionFollowed(_ context: Int, _ name: Int) -> Bool {
    guard let thing = contexts[context].things[name] else { return false }
    return thing.isDeleted && !thing.isDeletionPending && !thing.isInserted && !thing.isGone
  }

  mutating func followOvertaken(_ context: Int) {
    var next = 0
    while next < contexts[context].unsettled.overtaken.count {
      let name = contexts[context].unsettled.overtaken[next]
      next += 1
      guard isDeletionFollowed(context, name) else { continue }
      propagateAgain(context, name)
    }
    contexts[context].unsettled.overtaken = []
  }

  private mutating func propagateAgain(_ context: Int, _ name: Int) {
    guard let entity = entityOf[name] else { return }
    for index in AtlasSchema.entities[entity].relationships {
      let property = Self.property(entity, index)
      guard property.rule != .noActionDeleteRule else { continue }
      // A gone object leaves nothing to follow.
      guard contexts[context].things[name]?.values != nil || rowAbove(context, name) != nil else { return }
      realise(context, name)
      if property.kind == .toMany { realiseMany(context, name, index) }
      if property.rule == .denyDeleteRule {
        if targets(context, name, index).contains(where: { isInTheWay(context, $0) }) { deny(context, name, index) }
        continue
      }
      for target in targets(context, name, index) {
        // The newer row may lead to an object that came back.
        if property.kind == .toOne { meetReturned(context, target) }
        if leads(context, target, property.inverse, to: name) { reach(context, name, index, target) }
      }
      reachStored(context, name, index)
    }
  }

  /// Reaches the target of the row, where a to-one relationship was changed here.
  mutating func reachStored(_ context: Int, _ name: Int, _ index: Int) {
    guard let thing = contexts[context].things[name], thing.changed.contains(index),
      case let property = Self.property(thing.entity, index), property.kind == .toOne,
      [.nullifyDeleteRule, .cascadeDeleteRule].contains(property.rule), let target = thing.base?.values[index],
      target != thing.values?[index], meetPartner(context, target),
      leads(context, target, property.inverse, to: name)
    else { return }
    // It loses the deleted object, and does not go with it: the unsaved move counts.
    reach(context, name, index, target, by: .nullifyDeleteRule)
  }

  /// Whether an object still leads to a deleted one, by its newest row where it was not changed here.
  private mutating func leads(_ context: Int, _ name: Int, _ index: Int, to deleted: Int) -> Bool {
    // Of a fault without a row nothing is asked.
    guard contexts[context].things[name]?.values != nil || rowAbove(context, name) != nil else { return false }
    realise(context, name)
    guard let thing = contexts[context].things[name], !thing.isGone else { return false }
    if Self.property(thing.entity, index).kind == .toMany {
      if thing.many[index]?.removed.contains(deleted) == true { return false }
      let property = Self.property(thing.entity, index)
      // An unsaved member was taken out when the deletion was first followed.
      return Self.property(property.destination, property.inverse).kind == .toMany
        || thing.many[index]?.added.contains(deleted) == true
        || contexts[context].things[deleted]?.base?.values[property.inverse] == name
    }
    if thing.values?[index] == deleted { return true }
    guard !thing.isReallyChanged(index), meetPartner(context, name) else { return false }
    return contexts[context].things[name]?.values?[index] == deleted
  }

  // MARK: Denials

  /// 1600 where a deny rule forbids a deletion.
  mutating func validateDenials(_ context: Int) -> Int? {
    let codes = deniedCodes(context)
    return codes.count > 1 ? NSValidationMultipleErrorsError : codes.first
  }

  mutating func deniedCodes(_ context: Int) -> [Int] {
    let things = contexts[context].things
    contexts[context].denials.removeAll { things[$0.name]?.isDeleted != true }
    // The members that deny the deletion are read again: a row may have come back.
    for denial in contexts[context].denials where things[denial.name]?.values != nil {
      realiseMany(context, denial.name, denial.property)
    }
    var codes: [Int] = []
    for denial in contexts[context].denials
    where targets(context, denial.name, denial.property).contains(where: { isInTheWay(context, $0) }) {
      codes.append(NSValidationRelationshipDeniedDeleteError)
    }
    return codes
  }

  /// Whether a member still denies its owner's deletion. One that was not read yet does. One that was never inserted, or was
  /// found gone, does not, though a child's question has made a fault of its ID.
  private func isInTheWay(_ context: Int, _ name: Int) -> Bool {
    guard !contexts[context].vanished.contains(name) else { return false }
    guard let thing = contexts[context].things[name] else { return rowAbove(context, name) != nil }
    return usable(context, name) && (thing.values != nil || rowAbove(context, name) != nil)
  }

  // MARK: Both sides

  /// Follows deletions again, and brings both sides of relationships to say the same.
  mutating func settleSides(_ context: Int, isResolving: Bool = false) {
    if isResolving { contexts[context].unsettled.ownersMayDiffer = true }
    if contexts[context].unsettled.sidesMayDiffer {
      for name in contexts[context].deletions where contexts[context].things[name]?.isInserted == false {
        propagateAgain(context, name)
      }
    }
    settlePartners(context, isResolving: isResolving)
    let overtaken = contexts[context].unsettled.overtaken
    contexts[context].unsettled = Unsettled()
    contexts[context].unsettled.overtaken = overtaken
  }

  /// Many to many: each pair that is new or gone here is so on the other side.
  mutating func settlePairs(_ context: Int, _ name: Int, _ index: Int) {
    guard let thing = contexts[context].things[name], let many = thing.many[index] else { return }
    let inverse = Self.property(thing.entity, index).inverse
    for other in many.joiners where contexts[context].things[other].map({ !$0.isDeleted && !$0.isGone }) ?? false {
      if contexts[context].things[other]?.many[inverse]?.added.contains(name) != true {
        putIn(context, other, inverse, name)
      }
    }
    for other in many.leavers where contexts[context].things[other].map({ !$0.isDeleted && !$0.isGone }) ?? false {
      if contexts[context].things[other]?.many[inverse]?.removed.contains(name) != true {
        takeOut(context, other, inverse, name)
      }
    }
  }

  /// One to many: the owners that a member has left and come to; returns the objects that changed by that.
  mutating func settleOwners(_ context: Int, _ name: Int, _ index: Int) -> [Int] {
    guard let thing = contexts[context].things[name] else { return [] }
    let inverse = Self.property(thing.entity, index).inverse
    var changed: [Int] = []
    let owner = thing.values?[index]
    if !thing.isInserted, let left = thing.base?.values[index], left != owner,
      contexts[context].things[left]?.many[inverse]?.removed.contains(name) != true, meetPartner(context, left)
    {
      takeOut(context, left, inverse, name)
      changed.append(left)
    }
    guard let owner, contexts[context].things[owner]?.many[inverse]?.added.contains(name) != true,
      contexts[context].things[owner]?.isDeleted != true
    else { return changed }
    if meetPartner(context, owner) {
      putIn(context, owner, inverse, name)
      changed.append(owner)
    } else if contexts[context].things[owner]?.isGone != true {
      register(context, owner)
      lose(context, owner)
    }
    return changed
  }

  /// An object that comes back, or came to an owner by a policy's decision, leads to no deleted or gone object.
  mutating func clearDanglingReference(_ context: Int, _ name: Int, _ index: Int) {
    guard let thing = contexts[context].things[name], let target = thing.values?[index] else { return }
    if contexts[context].things[target]?.isDeleted == true { return set(context, name, index, nil) }
    let isReturning = thing.isInserted && thing.base != nil
    let other = contexts[context].things[target]
    let isChecked = other?.isReallyChanged(Self.property(thing.entity, index).inverse) ?? false
    guard isReturning || !isChecked || other?.isGone == true, !meetPartner(context, target) else { return }
    set(context, name, index, nil)
  }
}
