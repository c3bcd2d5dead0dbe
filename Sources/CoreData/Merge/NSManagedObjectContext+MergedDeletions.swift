import RowStore

// Deletions that another context saved, merged here.

extension NSManagedObjectContext {
  /// The effect of one merge's deletions on other objects.
  struct Departures {
    /// Who led to a deleted object in memory.
    var bereft: ContiguousArray<NSManagedObject> = []
    /// To-many relationships that may list a deleted object, which does not know by whom.
    var lists: [PropertyLayout] = []

    mutating func mayBeListed(in list: PropertyLayout) {
      if !lists.contains(where: { $0 === list }) { lists.append(list) }
    }
  }

  /// The object stays readable for whoever holds it, is marked deleted, and is no longer found here.
  final func mergeDeletion(of object: NSManagedObject, _ departures: inout Departures) {
    for property in object.layout.relationships {
      guard let inverse = property.relation.inverse else { continue }
      if inverse.relation.isToMany, !knowsTargets(of: object, property) { departures.mayBeListed(in: inverse) }
      for target in registeredTargets(of: object, property) {
        if inverse.relation.isToMany {
          if target.knownToMany(inverse)?.forget(object) == true { departures.bereft.append(target) }
        } else if !target.state.contains(.deleted), inverse.relation.position < target.relations.count,
          case .one(let partner) = target.relations[inverse.relation.position], partner === object
        {
          target.relations[inverse.relation.position] = .unknown
          departures.bereft.append(target)
        }
      }
    }
    object.state.mergeDelete()
    changes.markStale()
    registry?.objects.remove(object.identity, ifItIs: object)
    recordGone(object)
    held.addMergedDeletion(object)
  }

  /// Deleted objects leave the lists that they did not know of: they were faults, or had not read their side.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their members where there are such lists.
  final func leaveLists(_ departures: inout Departures) {
    guard !departures.lists.isEmpty else { return }
    for owner in registry?.objects.objects ?? [] where !owner.relations.isEmpty {
      for list in departures.lists where owner.layout.isKind(of: list.owner) {
        guard let known = owner.knownToMany(list) else { continue }
        for member in (known.members?.objects ?? []) + known.additions where member.state.contains(.gone) {
          if known.forget(member) { departures.bereft.append(owner) }
        }
      }
    }
  }

  /// Whether an object has read where one of its relationships leads.
  private final func knowsTargets(of object: NSManagedObject, _ property: PropertyLayout) -> Bool {
    property.relation.isToMany
      ? object.knownToMany(property)?.members != nil : (object.values ?? object.snapshot) != nil
  }

  /// The other side of a relationship, as far as this context has it in memory; nothing is read.
  private final func registeredTargets(
    of object: NSManagedObject, _ property: PropertyLayout
  ) -> ContiguousArray<NSManagedObject> {
    if property.relation.isToMany {
      guard let known = object.knownToMany(property) else { return [] }
      return (known.members?.objects ?? []) + known.additions + known.removed.objects
    }
    guard case .reference(let reference)? = (object.values ?? object.snapshot)?[property.index] else { return [] }
    let layout = registry?.layout?.entity(number: Int(reference.entity)) ?? property.relation.destination
    return registered(key: reference.key, layout: layout).map { [$0] } ?? []
  }

  /// Whether an identity, or the other one that its object has in the family of contexts, is among these.
  private final func isAny(of gone: Set<RowIdentity>, _ identity: RowIdentity, _ layout: EntityLayout) -> Bool {
    if gone.contains(identity) { return true }
    let other = identity.key < 0 ? aliases.permanent(for: identity.key) : aliases.temporary(for: identity)
    return other.map { gone.contains(RowIdentity(key: $0, layout: layout)) } ?? false
  }

  /// Unsaved changes that lead to an object that another context deleted lead nowhere now, as if it had been deleted
  /// here: a key that no row has must not be saved.
  ///
  /// Complexity: O(*n*) for *n* objects with unsaved changes.
  /// - Returns: who led there.
  @discardableResult
  final func clearReferences(to gone: Set<RowIdentity>) -> ContiguousArray<NSManagedObject> {
    var bereft: ContiguousArray<NSManagedObject> = []
    guard !changes.isEmpty else { return bereft }
    changes.clean()
    for object in changes.inserted + changes.updated where object.state.isDisjoint(with: [.deleted, .gone]) {
      // Of an object that is inserted again every column is written.
      for property in object.layout.relationships
      where object.state.contains(.inserted) || object.changed.contains(property.index) {
        if property.relation.isToMany {
          guard let known = object.knownToMany(property) else { continue }
          for target in known.additions + known.removed.objects where target.state.contains(.gone) {
            if known.forget(target) { bereft.append(object) }
          }
        } else if object.state.contains(.inserted) || object.isReallyChanged(property),
          case .reference(let reference)? = object.values?[property.index],
          let layout = registry?.layout?.entity(number: Int(reference.entity)),
          isAny(of: gone, RowIdentity(key: reference.key, layout: layout), layout)
        {
          object.assignToOne(property, nil)
          bereft.append(object)
        }
      }
    }
    return bereft
  }
}

extension ToMany {
  /// A change of this object's membership is no change any more; the store is asked who the members are.
  func reread(without object: NSManagedObject) {
    forget(object)
    forgetMembers()
  }

  /// The object is gone; that is no change of this side's.
  ///
  /// - Returns: whether it was a member.
  @discardableResult
  func forget(_ object: NSManagedObject) -> Bool {
    let wasMember = members?.remove(object, keepingOrder: order != nil) ?? false
    let wasAdded = added.remove(object, keepingOrder: order != nil)
    removed.remove(object)
    order?.forget(object)
    return wasMember || wasAdded
  }
}
