import Checking
import CoreData
import Scheduling

// S1.5, S2.4, S8.3: whichever way objects leave a context, those that nothing holds are gone, though they were related all around, and
// those that are held show and hold no others.

extension RuleTrial {
  /// How objects leave a context, or let each other go.
  private enum Leaving: CaseIterable { case deleted, pushed, rolledBack, reset, refreshed, released }

  private struct WeakObject {
    weak var object: NSManagedObject?
  }

  func leaveNothing() throws {
    let coordinator = try open(at: newURL())
    for _ in 0..<2 { try leave(pick(Leaving.allCases) ?? .deleted, coordinator) }
    try close(coordinator)
  }

  private func leave(_ leaving: Leaving, _ coordinator: NSPersistentStoreCoordinator) throws {
    note("objects leave: \(leaving)")
    let (left, held) = try {
      let root = context(coordinator)
      let owner = leaving == .pushed ? context(in: root) : root
      try owner.performAndWait {
        populate(owner, items: 3 + draw(4))
        if leaving != .rolledBack { try save(owner) }
      }
      if owner !== root { try root.performAndWait { try save(root) } }
      let (left, held) = try owner.performAndWait { try dismiss(leaving, owner) }
      try owner.performAndWait { try requireAlone(held, leaving) }
      return (left, held)
    }()
    // A context that is released may be so in another thread.
    for _ in 0..<200 where left.contains(where: { $0.object != nil }) { SerialQueue.main.sync {} }
    try require(
      left.filter { $0.object != nil }.count, 0, .contextLeak,
      "objects that are left of \(left.count), of which nothing is held: \(leaving)")
    withExtendedLifetime(held) {}
  }

  /// Reads everything, and has all objects leave; in a block of the context.
  ///
  /// - Returns: those that nothing holds, and the others.
  private func dismiss(
    _ leaving: Leaving, _ context: NSManagedObjectContext
  ) throws -> (left: [WeakObject], held: [NSManagedObject]) {
    let objects = try RulePicture.entities.flatMap { try all($0, context) }
    precondition(!objects.isEmpty, "there are objects to leave")
    for object in objects { _ = RulePicture.properties(of: object) }
    // An object of a context that is gone may hold whatever it has read.
    let held = leaving == .released ? [] : some(objects, atMost: 2)
    switch leaving {
    case .deleted, .pushed:
      for object in shuffled(objects) { context.delete(object) }
      try save(context)
    case .rolledBack: context.rollback()
    case .reset: context.reset()
    case .refreshed: context.refreshAllObjects()
    case .released: break
    }
    return (objects.filter { object in !held.contains { $0 === object } }.map { WeakObject(object: $0) }, held)
  }

  /// Objects that are gone for their context have no members; in a block of the context.
  private func requireAlone(_ held: [NSManagedObject], _ leaving: Leaving) throws {
    guard [.deleted, .pushed, .reset].contains(leaving) else { return }
    for object in held {
      for (name, relationship) in object.entity.relationshipsByName where relationship.isToMany {
        try require(
          RulePicture.members(of: object, relationship).count, 0, .wrongValue,
          "\(name) of \(object.entity.name ?? "") that has left its context: \(leaving)")
      }
    }
  }
}
