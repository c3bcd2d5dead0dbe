import CoreData
@testable import RowStore

extension ReferenceModel {
  /// Saves; the code of the error, nil when it succeeded (S3, S4.1).
  mutating func save(_ context: Int) -> Int? {
    process(context, isSaving: true)
    guard contexts[context].things.values.contains(where: \.isDirty) else { return nil }
    settleSides(context)
    // Nothing that the program did, and could undo.
    if !contexts[context].history.images.isEmpty { contexts[context].history.isDisturbed = true }
    contexts[context].history.images = []
    process(context, isSaving: true)
    if let code = validate(context) { return code }
    guard contexts[context].parent == nil else {
      push(context)
      return nil
    }
    let before = contexts[context]
    var resolved: [Int] = []
    if let code = resolveConflicts(context, &resolved) {
      restore(context, before)
      return code
    }
    let givenUp = before.things.filter { name, thing in
      thing.isDirty && contexts[context].things[name].map(\.isGone) ?? true
    }
    write(context, resolved, givenUp: givenUp.keys.sorted())
    return nil
  }

  /// Objects that a policy changed are as before; clean ones have the newest row that was read for them.
  private mutating func restore(_ context: Int, _ before: Context) {
    let after = contexts[context].things
    contexts[context] = before
    for (name, thing) in after
    where thing.base != before.things[name]?.base && before.things[name].map({ !$0.isDirty && !$0.isGone }) ?? true {
      var clean = thing
      if thing.isDirty {
        clean = Thing(
          entity: thing.entity, base: thing.base, values: thing.base?.values, isPermanent: thing.isPermanent)
      }
      contexts[context].things[name] = clean
      contexts[context].history.isDisturbed = true
    }
  }

  private mutating func validate(_ context: Int) -> Int? {
    var codes = deniedCodes(context)
    for name in contexts[context].insertions + contexts[context].updates {
      guard let thing = contexts[context].things[name], !thing.isDeleted else { continue }
      for index in AtlasSchema.entities[thing.entity].relationships where thing.changed.contains(index) {
        let property = Self.property(thing.entity, index)
        let isWritten = property.kind == .toMany || thing.isInserted || thing.isReallyChanged(index)
        // A relationship that the rule has cleared here may have been set again.
        let isCleared = Self.property(property.destination, property.inverse).rule == .nullifyDeleteRule
        guard isWritten || isCleared else { continue }
        // A gone object that no column or join would name does no harm.
        let isNamed =
          property.kind == .toOne || Self.property(property.destination, property.inverse).kind == .toMany
        let added = property.kind == .toOne ? thing.values?[index].map { [$0] } ?? [] : thing.many[index]?.added ?? []
        for target in added
        where contexts[context].things[target]?.isDeleted == true
          || isWritten && isNamed
            && (contexts[context].things[target]?.isGone == true || contexts[context].vanished.contains(target))
        {
          codes.append(NSManagedObjectValidationError)
        }
      }
    }
    return codes.count > 1 ? NSValidationMultipleErrorsError : codes.first
  }

  // MARK: Conflicts (S3.3, S3.4)

  private mutating func resolveConflicts(_ context: Int, _ resolved: inout [Int]) -> Int? {
    guard mutation != .staleSavesPass else { return nil }
    let policy = contexts[context].policy
    for _ in 0..<Self.resolutionsMax {
      let stale = staleObjects(context)
      if stale.isEmpty { return nil }
      // A conflict shows that the coordinator's list is behind the store: the next look asks the store.
      let cache = contexts[context].coordinator
      for name in stale where caches[cache].rows[name]?.version != store[name]?.version {
        caches[cache].list(name, nil)
      }
      if policy == .errorMergePolicyType { break }
      contexts[context].history.isDisturbed = true
      for name in stale { resolve(context, name, store[name], policy) }
      resolved += stale
      settleSides(context, isResolving: true)
      followOvertaken(context)
      followPending(context)
      dropVanished(context)
      if let code = validateDenials(context) { return code }
    }
    return NSManagedObjectMergeError
  }

  /// Rounds of conflict resolution: a policy may draw in objects with another row than this coordinator lists.
  private static let resolutionsMax = 10

  private func staleObjects(_ context: Int) -> [Int] {
    (contexts[context].updates + contexts[context].deletions).filter { name in
      guard let thing = contexts[context].things[name], let base = thing.base, thing.isDirty, !thing.isInserted else {
        return false
      }
      let isWritten = thing.isDeleted || thing.changed.contains(where: thing.isReallyChanged)
      return isWritten && store[name]?.version != base.version
    }
  }

  private mutating func resolve(_ context: Int, _ name: Int, _ row: Row?, _ policy: NSMergePolicyType) {
    let keepsHere = policy == .mergeByPropertyObjectTrumpMergePolicyType || policy == .overwriteMergePolicyType
    guard var thing = contexts[context].things[name] else { return }
    guard let row else {
      if thing.isDeleted || !keepsHere {
        mergeDeletion(context, name)
        return
      }
      // Inserted again under its ID.
      thing.isUpdated = false
      thing.isInserted = true
      contexts[context].updates.removeAll { $0 == name }
      contexts[context].insertions.append(name)
      // Members left it with its row.
      for index in thing.many.keys { thing.many[index]?.forgetUnchanged() }
      contexts[context].things[name] = thing
      return
    }
    if thing.isDeleted {
      if keepsHere {
        take(context, name, row)
        contexts[context].things[name]?.base = row
      } else {
        revive(context, name, row)
      }
      return
    }
    if policy == .mergeByPropertyStoreTrumpMergePolicyType || policy == .mergeByPropertyObjectTrumpMergePolicyType {
      contexts[context].things[name]?.dropEqualChanges()
      thing = contexts[context].things[name] ?? thing
    }
    switch policy {
    case .mergeByPropertyStoreTrumpMergePolicyType:
      for index in thing.many.keys { contexts[context].things[name]?.many[index]?.order.yieldsToStore = true }
      for index in thing.changed.sorted() where row.values[index] != thing.base?.values[index] {
        forgetMove(context, name, index, thing)
        contexts[context].things[name]?.changed.remove(index)
      }
      take(context, name, row)
    case .mergeByPropertyObjectTrumpMergePolicyType:
      take(context, name, row)
    case .overwriteMergePolicyType:
      for index in AtlasSchema.entities[thing.entity].settable
      where Self.property(thing.entity, index).kind != .toMany {
        contexts[context].things[name]?.changed.insert(index)
      }
      rebaseMoves(context, name, row)
      contexts[context].things[name]?.base = row
      for index in thing.many.keys { contexts[context].things[name]?.many[index]?.forgetUnchanged() }
    default: revive(context, name, row)
    }
  }

  /// Everything as the row has it.
  private mutating func revive(_ context: Int, _ name: Int, _ row: Row) {
    guard let thing = contexts[context].things[name] else { return }
    if thing.isDeleted {
      forgetLosses(context, name, thing)
      contexts[context].unsettled.sidesMayDiffer = true
    }
    for index in AtlasSchema.entities[thing.entity].toOnes {
      if let target = row.values[index] { noteOvertaken(context, target) }
    }
    // Delete rules changed the other sides of every relationship.
    let relationships = AtlasSchema.entities[thing.entity].relationships
    for index in relationships where thing.isDeleted || thing.changed.contains(index) {
      forgetMove(context, name, index, thing)
      forgetPairs(context, name, index, thing)
    }
    forgetLists(context, name)
    contexts[context].things[name] = Thing(
      entity: thing.entity, base: row, values: thing.values == nil ? nil : row.values, isPermanent: thing.isPermanent)
  }

  /// An owner that lost the object as a member because it was deleted has it again, if the row says so.
  private mutating func forgetLosses(_ context: Int, _ name: Int, _ thing: Thing) {
    for index in AtlasSchema.entities[thing.entity].toOnes {
      let property = Self.property(thing.entity, index)
      for (other, theirs) in contexts[context].things
      where theirs.entity == property.destination && theirs.many[property.inverse]?.removed.contains(name) == true {
        contexts[context].things[other]?.many[property.inverse]?.drop(name)
        contexts[context].things[other]?.many[property.inverse]?.forget()
      }
    }
  }

  /// Pairs of a many-to-many relationship were dropped, on both sides.
  private mutating func forgetPairs(_ context: Int, _ name: Int, _ index: Int, _ thing: Thing) {
    let property = Self.property(thing.entity, index)
    guard property.kind == .toMany, Self.property(property.destination, property.inverse).kind == .toMany else {
      return
    }
    let many = thing.many[index] ?? Many()
    var others = many.added.union(many.removed)
    if thing.isDeleted {
      others.formUnion(many.members ?? [])
      for (other, theirs) in contexts[context].things
      where theirs.entity == property.destination && theirs.many[property.inverse]?.removed.contains(name) == true {
        others.insert(other)
      }
    }
    for other in others {
      noteOvertaken(context, other)
      guard var theirs = contexts[context].things[other]?.many[property.inverse] else { continue }
      theirs.drop(name)
      theirs.forget()
      contexts[context].things[other]?.many[property.inverse] = theirs
    }
  }

  /// A move to another object was dropped: both ends no longer know of it.
  private mutating func forgetMove(_ context: Int, _ name: Int, _ index: Int, _ thing: Thing) {
    let property = Self.property(thing.entity, index)
    guard property.kind == .toOne else { return }
    guard Self.property(property.destination, property.inverse).kind == .toMany else {
      for end in [thing.values?[index], thing.base?.values[index]].compactMap({ $0 }) {
        forgetPartner(context, end, property.inverse, name)
      }
      return
    }
    for end in [thing.values?[index], thing.base?.values[index]].compactMap({ $0 }) {
      guard var many = contexts[context].things[end]?.many[property.inverse] else { continue }
      many.drop(name)
      many.forget()
      contexts[context].things[end]?.many[property.inverse] = many
    }
  }

  /// A one-to-one move was dropped on the other side: on this side as well, unless this has another partner since.
  private mutating func forgetPartner(_ context: Int, _ name: Int, _ index: Int, _ partner: Int) {
    guard let thing = contexts[context].things[name], thing.changed.contains(index), let values = thing.values,
      !thing.isDeleted, !thing.isGone
    else { return }
    guard let base = thing.base else {
      if values[index] == partner { contexts[context].things[name]?.values?[index] = nil }
      return
    }
    let old = base.values[index]
    guard values[index] == partner || values[index] == nil && old == partner else { return }
    contexts[context].things[name]?.values?[index] = old
    contexts[context].things[name]?.changed.remove(index)
    if let old { noteOvertaken(context, old) }
    // It had been taken from another owner.
    if let old, old != partner {
      forgetPartner(context, old, Self.property(thing.entity, index).inverse, name)
    }
  }

  // MARK: Writing

  private mutating func write(_ context: Int, _ resolved: [Int], givenUp: [Int]) {
    let (inserted, updated, deleted) = (
      contexts[context].insertions, contexts[context].updates, contexts[context].deletions
    )
    let cache = contexts[context].coordinator
    let orders = plannedOrders(context, inserted + updated)
    var reported = (updated: [Int](), joins: joins)
    for name in inserted where !permanent.contains(name) {
      lastKeys[entityOf[name] ?? 0, default: 0] += 1
    }
    let returning = returningVersions(context, inserted)
    // The owners that lose and gain a member are decided for all before rows go.
    for name in inserted {
      guard let thing = contexts[context].things[name], let values = thing.values else { continue }
      if thing.base != nil { caches[cache].reinserted.insert(name) }
      store[name] = Row(entity: thing.entity, version: (returning[name] ?? 0) + 1, values: values)
      permanent.insert(name)
      contexts[context].things[name]?.isPermanent = true
      writeJoins(thing, name, &reported.joins)
    }
    for name in updated {
      guard let thing = contexts[context].things[name], let values = thing.values,
        thing.changed.contains(where: thing.isReallyChanged), let base = thing.base
      else { continue }
      store[name] = Row(entity: thing.entity, version: base.version + 1, values: values)
      writeJoins(thing, name, &reported.joins)
      reported.updated.append(name)
    }
    // Where the row was gone when the object was deleted, one that came back since is another object's.
    for name in deleted where contexts[context].things[name]?.base != nil {
      store[name] = nil
      reported.joins = reported.joins.filter { $0.word != name && $0.tag != name }
    }
    joins = reported.joins
    writeOrders(orders)
    noteRead(context, Set(inserted + reported.updated + deleted), fromStore: true)
    for name in inserted + updated {
      guard var thing = contexts[context].things[name] else { continue }
      if inserted.contains(name) || reported.updated.contains(name) { thing.base = store[name] }
      thing.values = thing.base?.values
      contexts[context].things[name] = thing
    }
    let settled =
      updated.filter { !reported.updated.contains($0) }
      + resolved.filter { contexts[context].things[$0]?.isDirty == false }
    finish(context, inserted, reported.updated, deleted, settled: settled, givenUp: givenUp)
  }

  private func writeJoins(_ thing: Thing, _ name: Int, _ joins: inout Set<Join>) {
    for (index, many) in thing.many {
      let property = Self.property(thing.entity, index)
      guard Self.property(property.destination, property.inverse).kind == .toMany else { continue }
      func join(_ other: Int) -> Join {
        thing.entity == AtlasSchema.word ? Join(word: name, tag: other) : Join(word: other, tag: name)
      }
      for other in many.removed { joins.remove(join(other)) }
      for other in many.added { joins.insert(join(other)) }
    }
  }

  private mutating func finish(
    _ context: Int, _ inserted: [Int], _ updated: [Int], _ deleted: [Int], settled: [Int] = [], givenUp: [Int] = []
  ) {
    for name in inserted + contexts[context].updates {
      guard var thing = contexts[context].things[name] else { continue }
      thing.changed = []
      for index in thing.many.keys {
        thing.many[index]?.commit()
      }
      (thing.isInserted, thing.isUpdated, thing.isBroughtBack) = (false, false, false)
      contexts[context].things[name] = thing
    }
    for name in deleted {
      contexts[context].things[name] = nil
      contexts[context].departed.insert(name)
      leaveLists(context, name)
    }
    dropLists(context)
    let reported = PostedSave(
      context: context, inserted: inserted, updated: updated, deleted: deleted, settled: settled, givenUp: givenUp)
    saves.append(reported)
    disturbHistories(of: reported)
    if saves.count > Self.savesMax { saves.removeFirst() }
    for (other, receiver) in contexts.enumerated()
    where receiver.merges && mutation != .nobodyMergesByItself {
      let isSibling =
        receiver.parent == nil && contexts[context].parent == nil
        && receiver.coordinator == contexts[context].coordinator
      if isSibling && other != context || receiver.parent == context { merge(other, reported) }
    }
  }

  // MARK: To the parent (S4.1, S4.4)

  private mutating func push(_ context: Int) {
    guard let parent = contexts[context].parent else { return }
    let (inserted, updated, deleted) = (
      contexts[context].insertions, contexts[context].updates, contexts[context].deletions
    )
    for name in inserted + updated {
      // An arrangement is pushed whole.
      for (index, many) in contexts[context].things[name]?.many ?? [:] where many.hasChanges && many.order.isArranged {
        realiseMany(context, name, index)
      }
    }
    for name in inserted {
      guard let thing = contexts[context].things[name] else { continue }
      // It was asked for before the child had pushed it.
      forgetGone(parent, name)
      if let known = contexts[parent].things[name], known.values != nil || known.base != nil { continue }
      insert(parent, thing.entity, name)
      contexts[parent].things[name]?.isPermanent = thing.isPermanent
    }
    for name in inserted { apply(context, name, to: parent, all: true) }
    for name in updated where rowIn(parent, name) != nil {
      register(parent, name)
      if usable(parent, name) { apply(context, name, to: parent, all: false) }
    }
    // A row that has come back since the deletion was followed is another's.
    for name in deleted where rowIn(parent, name) != nil && contexts[context].things[name]?.base != nil {
      delete(parent, name)
    }
    process(parent)
    for name in inserted + updated {
      guard let thing = contexts[context].things[name], let values = thing.values else { continue }
      contexts[context].things[name]?.base = Row(
        entity: thing.entity, version: thing.base?.version ?? 0, values: values)
    }
    finish(context, inserted, updated, deleted)
  }

  private mutating func apply(_ context: Int, _ name: Int, to parent: Int, all: Bool) {
    guard let thing = contexts[context].things[name] else { return }
    for index in AtlasSchema.entities[thing.entity].settable where all || thing.changed.contains(index) {
      let isToMany = Self.property(thing.entity, index).kind == .toMany
      guard all || isToMany || thing.isReallyChanged(index) else { continue }
      switch Self.property(thing.entity, index).kind {
      case .number, .text: set(parent, name, index, thing.values?[index])
      case .toOne: relate(parent, name, index, thing.values?[index])
      case .toMany:
        realise(parent, name)
        note(parent, name, index)
      case .wordCount: break
      }
    }
    for index in AtlasSchema.entities[thing.entity].toManys {
      guard let many = thing.many[index] else { continue }
      let property = Self.property(thing.entity, index)
      let isPair = Self.property(property.destination, property.inverse).kind == .toMany
      for member in many.leavers {
        if isPair, isFoundGone(parent, member) {
          // The members are not read for it.
          contexts[parent].things[name]?.many[index]?.drop(member)
        } else {
          remove(parent, name, index, member)
        }
      }
      let comers = many.isOrdered ? many.order.comers : many.joiners
      for member in comers where !isNobody(parent, member) { add(parent, name, index, member) }
      guard many.isOrdered, many.hasChanges else { continue }
      arrange(parent, name, index, like: many.order.isArranged ? many.order.list ?? [] : comers)
      // The place of a gone object among members is not specified.
      let names = (many.order.list ?? []) + (contexts[parent].things[name]?.many[index]?.order.list ?? [])
      guard many.order.isUnsure || names.contains(where: { rowIn(parent, $0) == nil }) else { continue }
      contexts[parent].things[name]?.many[index]?.order.isUnsure = true
    }
  }

  /// Whether a look for the object finds no row.
  private func isFoundGone(_ context: Int, _ name: Int) -> Bool {
    guard let thing = contexts[context].things[name], !thing.isGone else { return isNobody(context, name) }
    return !thing.isDirty && thing.values == nil && rowAbove(context, name) == nil
  }
}
