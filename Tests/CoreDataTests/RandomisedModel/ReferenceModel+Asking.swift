import CoreData

extension ReferenceModel {
  // MARK: Fetching (S7.1, S7.3)

  /// The result of a fetch of an entity, with an optional comparison of one property.
  mutating func fetch(_ context: Int, _ entity: Int, where condition: (property: Int, value: Int?)?) -> Set<Int> {
    func matches(_ values: [Int?]) -> Bool { condition.map { values[$0.property] == $0.value } ?? true }
    var names: Set<Int> = []
    if let parent = contexts[context].parent {
      names = fetch(parent, entity, where: condition).filter { rowIn(parent, $0) != nil }
    } else {
      for (name, row) in store where row.entity == entity && matches(row.values) { names.insert(name) }
      noteRead(context, names, fromStore: true)
    }
    for name in names { meet(context, name) }
    for (name, thing) in contexts[context].things where thing.entity == entity && thing.isDirty {
      names.remove(name)
      if !thing.isDeleted, matches(thing.values ?? thing.base?.values ?? []) { names.insert(name) }
    }
    return names
  }

  // MARK: Merging (S5.2)

  mutating func merge(_ context: Int, _ reported: PostedSave) {
    guard reported.context != context else { return }
    if mutation == .otherProcessesAreNotMerged, contexts[reported.context].isElsewhere { return }
    let isForeign = contexts[reported.context].coordinator != contexts[context].coordinator
    merge(context, isForeign ? reread(context, reported) : reported, isForeign: isForeign)
  }

  /// Merges a save by its IDs, into the context and all above it. Unsaved objects have no ID that means anything here.
  mutating func mergeRemote(_ context: Int, _ reported: PostedSave) {
    let read = reread(
      context,
      PostedSave(
        context: reported.context, inserted: reported.inserted, updated: reported.updated,
        deleted: reported.deleted.filter(permanent.contains)))
    for member in line(context).reversed() where member == context || mutation != .remoteMergesLeaveAncestors {
      merge(member, read, isForeign: true)
    }
  }

  /// Another context's save, as the store shows it now; the cache has it afterwards. A deleted object that is
  /// there again counts as updated.
  private mutating func reread(_ context: Int, _ reported: PostedSave) -> PostedSave {
    let cache = contexts[context].coordinator
    let names = reported.inserted + reported.updated + reported.deleted
    for name in names where caches.count > 1 && mutation != .foreignMergesTrustTheCache {
      caches[cache].list(name, store[name])
    }
    return PostedSave(
      context: reported.context, inserted: reported.inserted,
      updated: reported.updated + reported.deleted.filter { store[$0] != nil },
      deleted: reported.deleted.filter { store[$0] == nil })
  }

  private mutating func merge(_ context: Int, _ reported: PostedSave, isForeign: Bool) {
    contexts[context].history.isDisturbed = true
    let reinserted = caches[contexts[context].coordinator].reinserted
    let (parent, isPush) = (contexts[context].parent, contexts[reported.context].parent != nil)
    // An object that a late notification calls deleted may be back, or be inserted again by undo; what another child has
    // pushed is in no store yet.
    for name in reported.deleted + (parent == reported.context ? reported.givenUp : [])
    where contexts[context].things[name]?.isInserted != true {
      let mayBeBack = parent == nil && reinserted.contains(name) || parent != reported.context && isPush
      if !mayBeBack || rowAbove(context, name) == nil { mergeDeletion(context, name) }
    }
    for name in reported.inserted {
      guard let row = rowAbove(context, name) else { continue }
      meet(context, name)
      // Known already: brought up to date like any other.
      guard let thing = contexts[context].things[name], thing.values != nil, !thing.isInserted, thing.base != nil,
        contexts[context].parent != nil || row.version != thing.base?.version
      else { continue }
      take(context, name, row)
    }
    let settled = contexts[context].parent == reported.context ? reported.settled : []
    for name in settled + reported.updated {
      guard let thing = contexts[context].things[name], !thing.isGone, !thing.isInserted, thing.values != nil,
        let row = rowAbove(context, name)
      else { continue }
      guard
        contexts[context].parent != nil || row.version > thing.base?.version ?? 0
          || isForeign && row.version != thing.base?.version
      else { continue }
      // The parent's row has the same version before its save, and may have other members.
      if contexts[context].parent != nil, reported.updated.contains(name) { noteOvertaken(context, name) }
      take(context, name, row, dropping: mutation == .mergeOverwritesChanges)
    }
    settleMovedPartners(context)
  }

  /// Another context deleted the object.
  mutating func mergeDeletion(_ context: Int, _ name: Int) {
    guard contexts[context].things[name]?.isGone == false else { return }
    for (other, thing) in contexts[context].things {
      // Unsaved changes that lead to it lead nowhere now.
      for index in AtlasSchema.entities[thing.entity].toOnes
      where thing.isInserted || thing.isUpdated && thing.isReallyChanged(index) {
        if !thing.isDeleted, thing.values?[index] == name { contexts[context].things[other]?.values?[index] = nil }
      }
      for index in thing.many.keys {
        contexts[context].things[other]?.many[index]?.drop(name)
        // Changes that lead to an object gone for other reasons are no changes any more either.
        guard !thing.isDeleted, thing.isInserted || thing.isUpdated && thing.changed.contains(index) else { continue }
        for member in (thing.many[index]?.added ?? []).union(thing.many[index]?.removed ?? [])
        where contexts[context].things[member]?.isGone == true || contexts[context].vanished.contains(member) {
          contexts[context].things[other]?.many[index]?.drop(member)
        }
      }
    }
    forgetLists(context, name)
    contexts[context].things[name] = nil
  }

  // MARK: Row caches

  /// Notes that a coordinator read rows: those it listed, or the store's.
  mutating func noteRead(_ context: Int, _ names: Set<Int>, fromStore: Bool) {
    guard caches.count > 1, contexts[context].parent == nil else { return }
    let cache = contexts[context].coordinator
    for name in names where fromStore || caches[cache].rows[name] == nil {
      caches[cache].list(name, store[name])
    }
  }

  /// Adopts the row that a coordinator really lists; false when it cannot be.
  mutating func observe(_ coordinator: Int, _ name: Int, version: Int?) -> Bool {
    guard let version else {
      caches[coordinator].list(name, nil)
      return true
    }
    if caches[coordinator].rows[name]?.version == version { return true }
    guard let row = store[name], row.version == version else { return false }
    caches[coordinator].list(name, row)
    return true
  }

  // MARK: One object

  /// `existingObject(with:)`; whether it gives one.
  mutating func existing(_ context: Int, _ name: Int) -> Bool {
    if let thing = contexts[context].things[name], thing.values != nil, !thing.isGone { return true }
    guard rowAbove(context, name) != nil else { return false }
    // An object that was found gone is another one than the one that is there now.
    forgetGone(context, name)
    realise(context, name)
    return true
  }

  mutating func obtain(_ context: Int, _ name: Int) {
    guard permanent.insert(name).inserted else {
      contexts[context].things[name]?.isPermanent = true
      return
    }
    lastKeys[entityOf[name] ?? 0, default: 0] += 1
    for ancestor in line(context) { contexts[ancestor].things[name]?.isPermanent = true }
  }
}
