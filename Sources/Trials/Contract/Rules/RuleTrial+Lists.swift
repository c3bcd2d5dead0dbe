import Cells
import Checking
import CoreData

// S7.5: a controller of a context or a child lists what a fresh fetch finds, in sections and at index paths that agree, after saves of
// any depth, undo and redo, refreshes, rollbacks, merges of others' saves, merges of batch requests by IDs, and changes of its request.

extension RuleTrial {
  func lists() throws {
    let coordinator = try open()
    let (root, writer) = (context(coordinator, merges: true, .mergeByPropertyObjectTrump), context(coordinator))
    try writer.performAndWait {
      populate(writer, items: 5 + draw(8))
      try save(writer)
    }
    let owner = chance(1, of: 4) ? context(in: root, merges: true) : root
    let (follower, second) = try owner.performAndWait {
      if owner === root, chance(1, of: 2) { owner.undoManager = UndoManager() }
      return (try listSomething(owner), try listSomething(owner))
    }
    let watched = try owner.performAndWait {
      let request = follower.request.copy() as? NSFetchRequest<NSManagedObject> ?? follower.request
      let watched = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: owner,
        sectionNameKeyPath: chance(2, of: 3) ? nil : follower.sectionPath, cacheName: nil)
      try watched.performFetch()
      return watched
    }
    defer {
      owner.performAndWait {
        watched.delegate = nil
        for follower in [follower, second] { follower.end() }
        owner.undoManager = nil
      }
    }
    for _ in 0..<(6 + draw(8)) {
      // Of a new delegate nothing is known but its first call.
      let watcher = ListWatcher()
      owner.performAndWait { watched.delegate = watcher }
      let isAbove = chance(1, of: 3)
      if isAbove {
        try owner === root ? writeBeside(owner, writer) : writeAbove(root)
      } else {
        try owner.performAndWait { try changeListed(owner, follower) }
        // A save of the child is not one of the file.
        if owner !== root, chance(1, of: 4) {
          try owner.performAndWait { try save(owner) }
          try root.performAndWait { try save(root) }
        }
      }
      // A save of another context is merged when the queue is entered again.
      for context in [root, owner] { context.performAndWait { context.processPendingChanges() } }
      try owner.performAndWait {
        for follower in [follower, second] {
          let problem = try follower.problemNow() ?? follower.problemOfPlaces()
          guard let problem else { continue }
          try report(
            .controllerDivergence, "a controller", expected: "a fresh fetch, and one place for each", seen: problem)
        }
        try require(
          watcher.problem, nil, .controllerDivergence, "the sections that a delegate sees, beside the list that it sees"
        )
      }
      session.count(\.valuesCompared)
    }
    try pauseDelegates(coordinator)
    try exchangeDelegates(coordinator)
  }

  /// A follower of a drawn request, by attributes of the objects themselves; in a block of the context.
  private func listSomething(_ context: NSManagedObjectContext) throws -> ControllerFollower {
    let request = NSFetchRequest<NSManagedObject>(entityName: chance(1, of: 4) ? "SpecialItem" : "Item")
    let sections = pick(["name", "isNew", "rank", "level", nil, nil])?.flatMap { $0 }
    let isByID = context.parent == nil && chance(1, of: 6)
    ask(request, sections, last: isByID ? "self" : RuleModel.number)
    request.returnsObjectsAsFaults = chance(1, of: 2)
    if !isByID, chance(1, of: 4) { request.fetchBatchSize = 1 + draw(3) }
    note("a controller, sections by \(sections ?? "nothing"), batches of \(request.fetchBatchSize)")
    return try ControllerFollower(context, request, sections: sections)
  }

  /// Gives a request a drawn selection and order.
  private func ask(_ request: NSFetchRequest<NSManagedObject>, _ sections: String?, last: String) {
    request.includesSubentities = chance(3, of: 4)
    request.predicate = pick([
      nil, NSPredicate(format: "rank > 1"), NSPredicate(format: "name != nil AND level == nil"),
      NSPredicate(format: "NOT (rank IN {1, 2})"), NSPredicate(format: "mark == nil AND rank < 3"),
      NSPredicate(format: "name CONTAINS 'a' OR weight == nil"), NSPredicate(format: "photo == nil OR isNew == YES"),
      NSPredicate(format: "place.city == 'alpha' OR rank < 2"),
    ])?.flatMap { $0 }
    let keys =
      (sections.map { [$0] } ?? []) + some(["weight", "madeAt", "price", "place.zip"], atMost: 2) + [last]
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    note(
      "a controller's request: \(request.entityName ?? "")\(request.includesSubentities ? "" : " alone") where "
        + "\(request.predicate.map { "\($0)" } ?? "TRUEPREDICATE"), by "
        + "\((request.sortDescriptors ?? []).map { ($0.ascending ? "" : "-") + ($0.key ?? "") })")
  }

  // MARK: Steps

  /// A step of the controllers' own context; in a block of it.
  private func changeListed(_ context: NSManagedObjectContext, _ follower: ControllerFollower) throws {
    switch draw(11) {
    case 0, 1, 2:
      for _ in 0..<(1 + draw(3)) { try changeSomething(context) }
    case 3:
      guard context.undoManager != nil else { return try changeSomething(context) }
      let steps = 1 + draw(2)
      note("undo \(steps)")
      for _ in 0..<steps { context.undo() }
      if chance(1, of: 2) {
        note("redo")
        context.redo()
      }
    case 4:
      guard let item = pick(follower.objects), !item.isInserted else { return }
      let merges = chance(1, of: 2)
      note("refresh item \(RulePicture.number(item)), merging \(merges)")
      set("rank", of: item)
      if chance(1, of: 2) { context.processPendingChanges() }
      context.refresh(item, mergeChanges: merges)
    case 5:
      note("refresh all")
      context.refreshAllObjects()
    case 6:
      note("insert and delete at once")
      let item = insert("Item", context)
      if chance(1, of: 2) { _ = insert("SpecialItem", context) }
      context.delete(item)
      if let other = pick(follower.objects) { context.delete(other) }
    case 7:
      note("rollback")
      for _ in 0..<draw(3) { try changeSomething(context) }
      if chance(1, of: 2) { context.processPendingChanges() }
      context.rollback()
    case 8:
      note("fetch again")
      try follower.fetch()
    case 9:
      // Counts from the next fetch on.
      ask(follower.request, follower.sectionPath, last: follower.request.sortDescriptors?.last?.key ?? "")
      if chance(1, of: 2) { try follower.fetch() }
    default:
      guard context.parent == nil else { return try changeSomething(context) }
      try save(context)
    }
  }

  /// Others save, or carry a batch request out of which the context hears by IDs.
  private func writeBeside(_ owner: NSManagedObjectContext, _ writer: NSManagedObjectContext) throws {
    precondition(
      owner.persistentStoreCoordinator === writer.persistentStoreCoordinator,
      "the owner hears of a save of its own coordinator")
    let isDelete = chance(1, of: 3)
    let batch: [NSManagedObjectID] = try writer.performAndWait {
      writer.reset()
      let chosen = some(try all("Item", writer), atMost: 4).map(\.objectID)
      guard chance(1, of: 2), !chosen.isEmpty else {
        writer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        for _ in 0..<(1 + draw(4)) { try changeSomething(writer) }
        try save(writer)
        return []
      }
      note("batch \(isDelete ? "delete" : "update") of \(chosen.count) items")
      if isDelete {
        _ = try writer.execute(NSBatchDeleteRequest(objectIDs: chosen))
      } else {
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [chosen])
        request.propertiesToUpdate = ["rank": draw(4), "name": pick(["alpha", "Z", "new"]) ?? "Z", "level": NSNull()]
        _ = try writer.execute(request)
      }
      return chosen
    }
    guard !batch.isEmpty else { return }
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [isDelete ? NSDeletedObjectsKey : NSUpdatedObjectsKey: batch], into: [owner])
  }

  /// The parent changes something and saves it.
  private func writeAbove(_ root: NSManagedObjectContext) throws {
    try root.performAndWait {
      note("in the parent:")
      for item in some(try all("Item", root), atMost: 3) { set(pick(["rank", "name", "weight"]) ?? "rank", of: item) }
      if chance(1, of: 3) { _ = insert("Item", root) }
      try save(root)
    }
  }
}

/// Looks at the list and the sections of a controller whenever it is called before and after a change, and at nothing else.
private final class ListWatcher: NSObject, NSFetchedResultsControllerDelegate {
  /// The first difference between them.
  private(set) var problem: String?

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    look(controller, "before")
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    look(controller, "after")
  }

  private func look(_ controller: NSFetchedResultsController<any NSFetchRequestResult>, _ when: String) {
    let list = controller.fetchedObjects as? [NSManagedObject] ?? []
    let sections = controller.sections ?? []
    let listed = sections.flatMap { $0.objects as? [NSManagedObject] ?? [] }
    let counted = sections.reduce(0) { $0 + $1.numberOfObjects }
    if counted == list.count, listed.elementsEqual(list, by: ===) { return }
    problem = problem ?? "\(when) a change \(counted) objects in sections, and \(list.count) in the list"
  }
}
