import RowStore

/// The effect of one merge's deletions on a context's objects.
struct MergedDeletions {
  private let context: NSManagedObjectContext
  /// Identities of the objects that are gone.
  private var gone: Set<RowIdentity> = []
  /// The objects that led to a deleted object in memory.
  private var referrers: ContiguousArray<NSManagedObject> = []
  /// To-many relationships that may list a deleted object, which does not know by whom.
  private var lists: [PropertyLayout] = []

  init(_ context: NSManagedObjectContext) { self.context = context }

  /// Objects that are deleted are led to no more.
  ///
  /// - Returns: the objects that led there in memory.
  mutating func finish() -> ContiguousArray<NSManagedObject> {
    guard !gone.isEmpty else { return [] }
    leaveLists()
    return referrers + Self.clearReferences(to: gone, in: context) + (context.registry?.leaveUnreachedLists() ?? [])
  }

  private mutating func mayBeListed(in list: PropertyLayout) {
    if !lists.contains(where: { $0 === list }) { lists.append(list) }
  }

  /// Marks the object deleted; it stays readable for its holders, and is no longer found here.
  mutating func merge(_ object: NSManagedObject) {
    gone.insert(object.identity)
    for property in object.layout.relationships {
      guard let inverse = property.relation.inverse else { continue }
      if inverse.relation.isToMany, !knowsTargets(of: object, property) { mayBeListed(in: inverse) }
      for target in registeredTargets(of: object, property) {
        if inverse.relation.isToMany {
          if target.knownToMany(inverse)?.forget(object) == true { referrers.append(target) }
        } else if !target.state.contains(.deleted), inverse.relation.position < target.relations.count,
          case .one(let partner) = target.relations[inverse.relation.position], partner === object
        {
          target.relations[inverse.relation.position] = .unknown
          referrers.append(target)
        }
      }
    }
    object.state.mergeDelete()
    context.changes.markStale()
    context.registry?.objects.remove(object.identity, ifItIs: object)
    GoneObjects(in: context).record(object)
    context.held.addMergedDeletion(object)
  }

  /// Takes deleted objects out of the lists that they did not know of: they were faults, or had not read their side.
  /// Complexity: O(*n*) for *n* registered objects and their members where there are such lists.
  private mutating func leaveLists() {
    guard !lists.isEmpty else { return }
    for owner in context.registry?.objects.objects ?? [] where !owner.relations.isEmpty {
      for list in lists where owner.layout.isKind(of: list.owner) {
        guard let known = owner.knownToMany(list) else { continue }
        for member in (known.members?.objects ?? []) + known.additions
        where member.state.contains(.gone) && gone.contains(member.identity) {
          if known.forget(member) { referrers.append(owner) }
        }
      }
    }
  }

  /// Whether an object has read where one of its relationships leads.
  private func knowsTargets(of object: NSManagedObject, _ property: PropertyLayout) -> Bool {
    property.relation.isToMany
      ? object.knownToMany(property)?.members != nil : (object.values ?? object.snapshot) != nil
  }

  /// The other side of a relationship, as far as this context has it in memory; nothing is read.
  private func registeredTargets(
    of object: NSManagedObject, _ property: PropertyLayout
  ) -> ContiguousArray<NSManagedObject> {
    if property.relation.isToMany {
      guard let known = object.knownToMany(property) else { return [] }
      return (known.members?.objects ?? []) + known.additions + known.removed.objects
    }
    guard case .reference(let reference)? = (object.values ?? object.snapshot)?[property.index] else { return [] }
    let layout = context.registry?.layout?.entity(number: Int(reference.entity)) ?? property.relation.destination
    return context.registered(key: reference.key, layout: layout).map { [$0] } ?? []
  }

  /// Whether an identity, or the other one that its object has in the family of contexts, is among these.
  private static func isAny(
    of gone: Set<RowIdentity>, _ identity: RowIdentity, _ layout: EntityLayout, _ aliases: KeyAliases
  ) -> Bool {
    if gone.contains(identity) { return true }
    let other =
      identity.key < 0 ? aliases.permanent(for: identity.key) : aliases.temporary(for: identity)
    return other.map { gone.contains(RowIdentity(key: $0, layout: layout)) } ?? false
  }

  /// Unsaved changes that lead to an object that another context deleted lead nowhere now, as if it had been deleted
  /// here: a key that no row has must not be saved.
  ///
  /// Complexity: O(*n*) for *n* objects with unsaved changes.
  /// - Returns: the objects that led there.
  @discardableResult
  static func clearReferences(
    to gone: Set<RowIdentity>, in context: NSManagedObjectContext
  ) -> ContiguousArray<NSManagedObject> {
    var referrers: ContiguousArray<NSManagedObject> = []
    guard !context.changes.isEmpty else { return referrers }
    context.changes.clean()
    for object in context.changes.inserted + context.changes.updated
    where object.state.isDisjoint(with: [.deleted, .gone]) {
      // Every column is written of an object that is inserted again.
      for property in object.layout.relationships
      where object.state.contains(.inserted) || object.changed.contains(property.index) {
        if property.relation.isToMany {
          guard let known = object.knownToMany(property) else { continue }
          for target in known.additions + known.removed.objects where target.state.contains(.gone) {
            if known.forget(target) { referrers.append(object) }
          }
        } else if object.state.contains(.inserted) || object.isReallyChanged(property),
          case .reference(let reference)? = object.values?[property.index],
          let layout = context.registry?.layout?.entity(number: Int(reference.entity)),
          isAny(of: gone, RowIdentity(key: reference.key, layout: layout), layout, context.tree.aliases)
        {
          object.assignToOne(property, nil)
          referrers.append(object)
        }
      }
    }
    return referrers
  }
}

extension ToMany {
  /// Forgets a change of this object's membership; the store is asked for the members.
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
