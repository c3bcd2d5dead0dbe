extension ReferenceModel {
  /// The answer of a step, besides changes that can be seen.
  enum Answer: Equatable {
    case nothing
    case code(Int?)
    case names(Set<Int>)
    case found(Bool)
  }

  /// Whether the step makes sense now: its objects are there.
  func allows(_ operation: Operation) -> Bool {
    guard case .elsewhere(let errand) = operation else {
      return !contexts[operation.context].isElsewhere && isPossible(operation)
    }
    guard contexts[errand.context].isElsewhere, errand.names.allSatisfy({ store[$0] != nil }) else { return false }
    var fresh = self
    for name in errand.names { fresh.register(errand.context, name) }
    return fresh.isPossible(errand)
  }

  private func isPossible(_ operation: Operation) -> Bool {
    let context = operation.context
    switch operation {
    case .insert(_, _, let name): return entityOf[name] == nil
    case .set(_, let name, _, _), .read(_, let name, _), .delete(_, let name): return usable(context, name)
    case .relate(_, let name, let property, let target):
      return usable(context, name) && canBeLeft(context, name, property)
        && (target == nil || canBeRelated(context, name))
        && target.map { usable(context, $0) && canBeRelated(context, $0) } ?? true
    case .add(_, let name, _, let member), .remove(_, let name, _, let member):
      return usable(context, name) && usable(context, member) && canBeRelated(context, member)
        && canBeRelated(context, name)
    case .refresh(_, let name, let merging):
      guard usable(context, name), let thing = contexts[context].things[name], !thing.isInserted else { return false }
      // The other side of dropped relationship changes is not specified.
      return merging || !thing.changed.contains { Self.property(thing.entity, $0).isRelationship }
    case .merge(_, let fromEnd):
      guard fromEnd < saves.count else { return false }
      let reported = saves[saves.count - 1 - fromEnd]
      return contexts[context].parent == contexts[reported.context].parent
        || contexts[context].parent == reported.context
    case .remote(_, let fromEnd):
      // A save to a parent has no IDs that mean anything elsewhere.
      return fromEnd < saves.count && contexts[saves[saves.count - 1 - fromEnd].context].parent == nil
    case .rollback, .reset: return children(context).isEmpty
    case .object(_, let name), .existing(_, let name):
      return entityOf[name] != nil && (contexts[context].things[name] != nil || permanent.contains(name))
    case .obtain(_, let name): return usable(context, name)
    case .save(let context): return canPush(context)
    case .fetch(_, _, _, _), .fetchAll, .process, .policy, .letGo: return true
    case .move(_, let name, let property, let member, let other):
      return canBeMoved(context, name, property, [member, other])
    case .undo, .redo: return contexts[context].undoes
    case .generation: return isInFile
    case .elsewhere: return false
    }
  }

  /// Whether an object can be related to: a reference to one that is gone already, unknown to any context
  /// here, is not specified.
  private func canBeRelated(_ context: Int, _ name: Int) -> Bool {
    contexts[context].things[name]?.isInserted == true || rowAbove(context, name) != nil && !isGhost(context, name)
  }

  /// Whether the relationship leads to no fault without a row: what that loses is not specified.
  private func canBeLeft(_ context: Int, _ name: Int, _ property: Int) -> Bool {
    guard let current = contexts[context].things[name]?.values?[property],
      let thing = contexts[context].things[current], thing.values == nil, !thing.isGone
    else { return true }
    return rowAbove(context, current) != nil
  }

  /// Whether another coordinator deleted the row, and this one lists it still.
  func isGhost(_ context: Int, _ name: Int) -> Bool {
    caches[contexts[context].coordinator].rows[name] != nil && store[name] == nil
  }

  /// Whether a child's push concerns only objects that are there in its parent: changes of, and references
  /// to, objects that are gone there are not specified.
  private func canPush(_ context: Int) -> Bool {
    let things = contexts[context].things
    // Objects that undo brings back, and another context has brought back already, are not specified.
    if contexts[context].undoes, things.contains(where: { $1.isInserted && $1.base != nil && store[$0] != nil }) {
      return false
    }
    guard let parent = contexts[context].parent else { return true }
    func isThere(_ name: Int) -> Bool { things[name]?.isInserted == true || rowIn(parent, name) != nil }
    for (name, thing) in things where thing.isInserted || thing.isUpdated {
      guard isThere(name) else { return false }
      for index in AtlasSchema.entities[thing.entity].toOnes where thing.isInserted || thing.changed.contains(index) {
        if let target = thing.values?[index], !isThere(target) { return false }
      }
      for many in thing.many.values where !many.added.allSatisfy(isThere) { return false }
    }
    return true
  }

  /// Carries the step out.
  mutating func apply(_ operation: Operation) -> Answer {
    for cache in caches.indices { caches[cache].beginStep() }
    switch operation {
    case .insert(let context, let entity, let name): insert(context, entity, name)
    case .set(let context, let name, let property, let value): set(context, name, property, value)
    case .relate(let context, let name, let property, let target): relate(context, name, property, target)
    case .add(let context, let name, let property, let member): add(context, name, property, member)
    case .remove(let context, let name, let property, let member): remove(context, name, property, member)
    case .read(let context, let name, let property):
      realise(context, name)
      if let thing = contexts[context].things[name], Self.property(thing.entity, property).kind == .toMany {
        realiseMany(context, name, property)
      }
    case .delete(let context, let name): delete(context, name)
    case .process(let context): process(context)
    case .policy(let context, let policy): contexts[context].policy = policy
    case .save(let context): return .code(save(context))
    case .merge(let context, let fromEnd): merge(context, saves[saves.count - 1 - fromEnd])
    case .remote(let context, let fromEnd): mergeRemote(context, saves[saves.count - 1 - fromEnd])
    case .refresh(let context, let name, let merging): refresh(context, name, merging: merging)
    case .rollback(let context): rollback(context)
    case .reset(let context): reset(context)
    case .fetch(let context, let entity, let property, let value):
      let names = fetch(context, entity, where: (property, value))
      for name in names { register(context, name) }
      return .names(names)
    case .fetchAll(let context, let entity):
      let names = fetch(context, entity, where: nil)
      for name in names { register(context, name) }
      return .names(names)
    case .object(let context, let name): register(context, name)
    case .existing(let context, let name): return .found(existing(context, name))
    case .obtain(let context, let name): obtain(context, name)
    case .move(let context, let name, let property, let member, let other):
      move(context, name, property, member, to: other)
    case .undo(let context): undo(context)
    case .redo(let context): redo(context)
    case .letGo, .generation: break
    case .elsewhere(let errand): return .code(carryOutElsewhere(errand))
    }
    return .nothing
  }

  /// In a context that knows nothing yet, of a coordinator that lists nothing.
  private mutating func carryOutElsewhere(_ errand: Operation) -> Int? {
    let context = errand.context
    for name in errand.names {
      register(context, name)
      realise(context, name)
    }
    _ = apply(errand)
    let code = save(context)
    if code != nil { rollback(context) }
    reset(context)
    caches[contexts[context].coordinator].forgetAll()
    return code
  }
}
