import RowStore

/// How a built-in policy settles one conflict of a uniqueness constraint: which object stays, and what happens to the others.
struct ConstraintResolution {
  private let policy: NSMergePolicyType
  private let context: NSManagedObjectContext
  private let constraint: [String]
  private let survivor: NSManagedObject
  private let losers: [NSManagedObject]
  private let database: NSManagedObject?

  /// Nil when nothing collides any more.
  init?(_ conflict: NSConstraintConflict, _ policy: NSMergePolicyType) {
    self.policy = policy
    constraint = conflict.constraint
    // A row that gave way in an earlier conflict collides with nothing any more.
    database = conflict.databaseObject.flatMap { $0.state.isDisjoint(with: [.deleted, .gone]) ? $0 : nil }
    let alive = conflict.conflictingObjects.filter {
      $0.registry != nil && $0.state.isDisjoint(with: [.deleted, .gone])
    }
    guard let context = alive.first?.registry?.contextOnQueue else { return nil }
    self.context = context
    let newestWins = policy.keepsHere
    let saved = alive.filter { $0.snapshot != nil }
    let ownWinner = newestWins ? saved.last ?? alive.last : saved.first ?? alive.first
    guard let ownWinner else { return nil }
    // An object with a row keeps it: other rows may refer to its key.
    if let database, !newestWins || ownWinner.snapshot == nil {
      survivor = database
    } else {
      survivor = ownWinner
    }
    let survivor = survivor
    losers = ([database].compactMap { $0 } + alive).filter { $0 !== survivor }
  }

  /// - Throws: when the store cannot be read.
  func carryOut() throws {
    for loser in losers {
      if loser.snapshot == nil {
        absorb(loser)
        loser.discardInserted()
      } else if loser === database {
        context.delete(loser)
      } else if policy == .rollbackMergePolicyType, let row = loser.snapshot {
        loser.reviveFrom(row)
      } else {
        giveBackOldValues(loser)
      }
    }
    context.changes.markStale()
    // A loser has nothing to save, and a deletion may change it again: it must be listed once then.
    context.changes.clean()
    try DeleteRules(in: context).followNew()
  }

  /// Takes over the values of an inserted object that the policy gives to the survivor.
  private func absorb(_ loser: NSManagedObject) {
    precondition(loser !== survivor && loser.snapshot == nil, "another object, which has no row, is absorbed")
    // Of two entities with one parent each has properties that the other has not.
    for property in loser.layout.properties where !property.isTransient && survivor.layout.isKind(of: property.owner) {
      switch property.kind {
      case .attribute:
        if takes(property, from: loser) { survivor.setAttribute(property.index, loser.attribute(property.index)) }
      case .toOne:
        if takes(property, from: loser) { survivor.setToOne(property, loser.toOne(property)) }
      case .toMany:
        for member in loser.members(property).objects { survivor.add(property, member) }
      }
    }
    redirect(to: loser)
  }

  private func takes(_ property: PropertyLayout, from loser: NSManagedObject) -> Bool {
    guard survivor === database else {
      // Both were inserted here: the survivor's own values stay.
      return loser.changed.contains(property.index) && !survivor.changed.contains(property.index)
    }
    switch policy {
    case .overwriteMergePolicyType: return true
    case .mergeByPropertyObjectTrumpMergePolicyType: return loser.changed.contains(property.index)
    default: return false
    }
  }

  /// Objects that lead to the loser through a relationship without inverse lead to the survivor.
  private func redirect(to loser: NSManagedObject) {
    for object in context.changes.inserted + context.changes.updated where !object.relations.isEmpty {
      for property in object.layout.relationships where property.relation.inverse == nil {
        switch object.relations[property.relation.position] {
        case .one(let target) where target === loser: object.assignToOne(property, survivor)
        case .many(let toMany) where toMany.additions.contains(where: { $0 === loser }):
          object.exchange(property, loser, for: survivor)
        default: break
        }
      }
    }
  }

  /// Gives the values of the constraint back as they were saved; other changes stay.
  private func giveBackOldValues(_ loser: NSManagedObject) {
    guard let row = loser.snapshot else { return }
    giveBackOldElements(loser, row)
    for key in constraint {
      guard let named = loser.layout.propertiesByName[key] else { continue }
      // A value that the store derives goes back with the one that it is a form of.
      let property = named.original?.attribute ?? named
      switch property.kind {
      case .attribute: loser.setAttribute(property.index, row[property.index])
      case .toOne:
        var old: NSManagedObject?
        if case .reference(let reference) = row[property.index] {
          old = context.object(for: reference, in: property.relation.destination)
        }
        loser.setToOne(property, old)
      case .toMany: break
      }
    }
  }

  /// The same for elements of composite attributes; their other elements stay as they are.
  private func giveBackOldElements(_ loser: NSManagedObject, _ row: Row) {
    for key in constraint {
      guard let element = loser.layout.property(atPath: key), element.leaves != nil else { continue }
      let (index, whole) = (element.index, loser.layout.properties[element.index])
      loser.setAttribute(index, element.slot(loser.attribute(index), withPartOf: row[index], whole))
    }
  }
}

extension NSManagedObject {
  /// Takes an inserted object, which is not saved, out of the context.
  fileprivate final func discardInserted() {
    for property in layout.relationships {
      switch property.kind {
      case .toOne: setToOne(property, nil)
      case .toMany: for member in members(property).objects { remove(property, member) }
      case .attribute: break
      }
    }
    registry?.objects.remove(identity, ifItIs: self)
    state = .gone
    detach()
  }
}
