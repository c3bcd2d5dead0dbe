import RowStore
import Scheduling

extension NSManagedObjectContext {
  /// Traps when the context's lists of its objects contradict themselves; on its queue, for tests and stress.
  ///
  /// Complexity: O(*n*) for *n* registered objects and their known relationships.
  package final func checkInvariants() { BrokenInvariant.trap(label, verifyInvariants) }

  /// The checks of ``checkInvariants()``.
  ///
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  final func verifyInvariants() throws {
    guard let registry else { return }
    let objects = registry.objects.objects
    let lists: [(ChangeState, ContiguousArray<NSManagedObject>)] = [
      (.inserted, changes.inserted), (.updated, changes.updated), (.deleted, changes.deleted),
    ]
    var listed: [ObjectIdentifier: ChangeState] = [:]
    for (state, list) in lists {
      for object in list {
        let previous = listed.updateValue(
          (listed[ObjectIdentifier(object)] ?? []).union(state), forKey: ObjectIdentifier(object))
        try BrokenInvariant.unless(previous?.contains(state) != true, "an object is once in each change list")
      }
    }
    for object in objects {
      try BrokenInvariant.unless(object.registry === registry, "a registered object belongs to its context")
      try BrokenInvariant.unless(registry.objects.object(object.identity) === object, "an object is found under its ID")
      // A deleted object no longer counts as inserted or updated.
      let unsaved: ChangeState = object.state.contains(.deleted) ? .deleted : object.state.intersection(.unsaved)
      if let contradiction = object.state.contradiction { throw BrokenInvariant(contradiction) }
      try BrokenInvariant.unless(
        unsaved.isSubset(of: listed[ObjectIdentifier(object)] ?? []),
        "an object with unsaved changes is in its list")
      try object.verifyInvariants()
    }
  }
}

extension NSManagedObject {
  /// Values, snapshot, changed properties and known relationships go together.
  fileprivate final func verifyInvariants() throws {
    try BrokenInvariant.unless(values != nil || changed.isEmpty, "a fault has no changed properties")
    try BrokenInvariant.unless(
      relations.isEmpty || relations.count == layout.relationships.count, "a relation for each relationship")
    guard let values, !state.contains(.gone) else { return }
    if let snapshot {
      try BrokenInvariant.unless(snapshot.isFrozen, "a snapshot never changes")
      for property in layout.properties where !changed.contains(property.index) && !property.isTransient {
        try BrokenInvariant.unless(
          values[property.index] == snapshot[property.index], "\(property.name) differs and is not marked as changed")
      }
    }
    for property in layout.relationships where property.relation.position < relations.count {
      switch relations[property.relation.position] {
      case .unknown: break
      case .none:
        try BrokenInvariant.unless(
          values[property.index].isNull || state.contains(.deleted),
          "\(property.name) leads nowhere, and its row has a key")
      case .one:
        try BrokenInvariant.unless(
          !property.relation.isToMany && !values[property.index].isNull,
          "\(property.name) leads to an object, and its row has no key")
      case .many(let toMany):
        try BrokenInvariant.unless(property.relation.isToMany, "\(property.name) is to-one, and has members")
        try toMany.verifyInvariants()
        try verifyPairs(of: property, toMany)
      }
    }
  }

  /// Both sides of a many-to-many relationship say the same of unsaved changes: the save writes one of them.
  private final func verifyPairs(of property: PropertyLayout, _ known: ToMany) throws {
    guard state.isDisjoint(with: [.deleted, .gone]), let inverse = property.relation.inverse, inverse.relation.isToMany
    else { return }
    func others(_ objects: ContiguousArray<NSManagedObject>) -> some Sequence<NSManagedObject> {
      objects.lazy.filter { $0.values != nil && $0.state.isDisjoint(with: [.deleted, .gone]) }
    }
    for other in others(known.additions) {
      try BrokenInvariant.unless(
        other.knownToMany(inverse)?.additions.contains { $0 === self } ?? false,
        "\(property.name) has a member added, whose \(inverse.name) have nothing added")
    }
    for other in others(known.removed.objects) {
      try BrokenInvariant.unless(
        other.knownToMany(inverse)?.removed.objects.contains { $0 === self } ?? false,
        "\(property.name) has a member removed, whose \(inverse.name) have nothing removed")
    }
  }
}

extension ToMany {
  /// Complexity: O(*n*) for *n* members.
  final func verifyInvariants() throws {
    let (plus, minus) = (Set(added.objects), Set(removed.objects))
    try BrokenInvariant.unless(
      plus.count == added.count && minus.count == removed.count, "an object is added or removed once")
    try BrokenInvariant.unless(plus.isDisjoint(with: minus), "no object is both added and removed")
    guard let members else { return }
    let all = Set(members.objects)
    try BrokenInvariant.unless(all.count == members.count, "no member is listed twice")
    try BrokenInvariant.unless(
      plus.isSubset(of: all) && minus.isDisjoint(with: all), "unsaved changes are among the members")
  }
}

extension NSPersistentStoreCoordinator {
  /// Traps when the row caches of the coordinator's stores contradict themselves; any thread, for tests and stress.
  ///
  /// Complexity: O(*n*) for *n* rows that are in memory; reads and commits wait meanwhile.
  package final func checkInvariants() { BrokenInvariant.trap(name ?? "coordinator", verifyInvariants) }

  /// The checks of ``checkInvariants()``.
  ///
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  final func verifyInvariants() throws {
    for entry in stores.all { try entry.sqlite.cache.verifyInvariants() }
  }
}
