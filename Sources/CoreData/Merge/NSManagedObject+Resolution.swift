import RowStore

// Changes by the built-in policies to one object with a row that changed since it was read.

extension NSManagedObject {
  /// The row was deleted elsewhere, and nothing is left to do in the store: an object deleted here as well leaves the context,
  /// as after any save of its deletion.
  final func acceptDeletion() {
    let context = registry?.contextOnQueue
    let isDeletedHere = state.contains(.deleted)
    registry?.objects.remove(identity, ifItIs: self)
    state = .gone
    if let context { MergedDeletions.clearReferences(to: [identity], in: context) }
    if isDeletedHere {
      detach()
      relations = .unread
    } else if let context {
      GoneObjects(in: context).record(self)
    }
  }

  /// Inserts the object again under its ID, as its row was deleted elsewhere: all of it is new to the store. Its members are
  /// none any more, since they lost it with its row; those that were added here are.
  final func insertAgain() {
    forgetUnchangedRelations()
    state.subtract(.updated)
    state.insert(.inserted)
    registry?.contextOnQueue?.changes.reinsert(self)
  }

  /// Updates an object that was to be inserted again under its ID: its row exists already.
  final func becomeUpdated() {
    state.subtract([.inserted, .pendingInsert])
    state.insert(.updated)
    registry?.contextOnQueue?.changes.becomeUpdated(self)
  }

  /// Takes the row's values; changes made here are dropped, and a deletion is taken back.
  final func reviveFrom(_ row: Row) {
    // Delete rules changed the other sides of every relationship.
    let isDeletion = state.contains(.deleted)
    // Others that were deleted with it lead to an object again that has to stay whole.
    if isDeletion { registry?.contextOnQueue?.changes.unsettled.sidesMayDiffer = true }
    for property in layout.relationships where isDeletion || changed.contains(property.index) {
      forgetMove(property)
      forgetPairs(property)
    }
    state = []
    changed.removeAll()
    relations = .unread
    noteOvertakenDeletions(by: row)
    snapshot = row
    if values != nil { values = keepingTransients(over: row) }
  }

  /// Pairs of a many-to-many relationship were dropped: the other objects no longer know of them either.
  private final func forgetPairs(_ property: PropertyLayout) {
    guard let inverse = property.relation.inverse, inverse.relation.isToMany else { return }
    let known = knownToMany(property)
    var others = (known?.additions ?? []) + (known?.removed.objects ?? [])
    if state.contains(.deleted) { others += (known?.members?.objects ?? []) + losers(inverse) }
    for other in others {
      other.knownToMany(inverse)?.reread(without: self)
      // A member that its deletion took out is one again.
      other.noteOvertakenDeletion()
    }
  }

  /// Objects that lost this one as a member when it was deleted, though their members were read, or forgotten, since then.
  ///
  /// Complexity: O(*n*) for *n* objects with unsaved changes.
  private final func losers(_ inverse: PropertyLayout) -> ContiguousArray<NSManagedObject> {
    guard let changes = registry?.contextOnQueue?.changes else { return [] }
    return (changes.updated + changes.deleted).filter {
      $0.layout.isKind(of: inverse.owner) && $0.knownToMany(inverse)?.isRemoved(self) ?? false
    }
  }

  /// Forgets a dropped move to another object on both ends.
  final func forgetMove(_ property: PropertyLayout) {
    guard case .toOne = property.kind, let inverse = property.relation.inverse, let context = registry?.contextOnQueue
    else { return }
    for row in [values, snapshot] {
      guard case .reference(let reference)? = row?[property.index] else { continue }
      let other = context.object(for: reference, in: property.relation.destination)
      if inverse.relation.isToMany {
        other.knownToMany(inverse)?.reread(without: self)
      } else {
        other.forgetPartner(inverse, self)
      }
    }
  }

  /// The other side of a one-to-one relationship dropped a change that led it to this object, or away: so does this side,
  /// unless it has got another partner since.
  private final func forgetPartner(_ property: PropertyLayout, _ partner: NSManagedObject) {
    guard changed.contains(property.index), let values, state.isDisjoint(with: [.deleted, .gone]) else { return }
    let current = toOne(property)
    guard let snapshot else {
      if current === partner { assignToOne(property, nil) }
      return
    }
    guard current == nil || current === partner else { return }
    var old: NSManagedObject?
    if case .reference(let reference) = snapshot[property.index] {
      old = liveContext.object(for: reference, in: property.relation.destination)
    }
    guard current === partner || old === partner else { return }
    let row = values.isFrozen ? values.mutableCopy() : values
    row[property.index] = snapshot[property.index]
    self.values = row
    changed.remove(property.index)
    relations[property.relation.position] = .unknown
    // It leads to one again that may be deleted here.
    old?.noteOvertakenDeletion()
    // It had belonged to another owner.
    if let old, old !== partner, let inverse = property.relation.inverse { old.forgetPartner(inverse, self) }
  }

  /// Merges property by property; where only one side changed a property, that side's value stays. Who is inserted again has
  /// changed everything, and so has the row that came back meanwhile.
  final func merge(_ row: Row, storeWins: Bool) {
    if storeWins, let base = snapshot ?? values {
      for case .many(let toMany) in relations { toMany.order?.yieldsToStore = true }
      for property in layout.properties
      where changed.contains(property.index) && row[property.index] != base[property.index] {
        forgetMove(property)
        changed.remove(property.index)
        if property.relation != nil, property.relation.position < relations.count {
          relations[property.relation.position] = .unknown
        }
      }
    }
    take(row)
  }

  /// Writes the whole object as it is here, changed or not.
  final func overwrite(_ row: Row) {
    if values == nil { values = snapshot }
    for property in layout.properties {
      if case .toMany = property.kind { continue }
      changed.insert(property.index)
    }
    rebaseMoves(onto: row)
    snapshot = row
    forgetUnchangedRelations()
  }
}
