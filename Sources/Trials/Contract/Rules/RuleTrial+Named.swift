import Cells
import Checking
import CoreData

// S2.2, S4.3, S7.2, S7.5: a controller of which the request names new objects, or is sorted and in sections by their values, lists what a
// fresh fetch finds, whatever comes between the fetch and the save that gives them their IDs, and afterwards.

extension RuleTrial {
  /// Objects that are new at the fetch of a controller, and old ones beside them.
  private struct Named {
    let boxes: [NSManagedObject]
    let tag: NSManagedObject
    /// The cover of the first box.
    let item: NSManagedObject
    let oldBoxes: [NSManagedObject]
    let oldTags: [NSManagedObject]
    let oldItems: [NSManagedObject]

    var new: [NSManagedObject] { boxes + [tag, item] }
    var shelves: [NSManagedObject] { boxes + boxes + oldBoxes }
  }

  func named() throws {
    for _ in 0..<2 {
      let coordinator = try open(at: newURL())
      let root = context(coordinator, merges: true, .mergeByPropertyObjectTrump)
      try root.performAndWait {
        populate(root, items: 5 + draw(4))
        try save(root)
      }
      let owner = chance(1, of: 3) ? context(in: root, merges: chance(1, of: 2)) : root
      try nameNew(owner, root)
      try close(coordinator)
    }
  }

  private func nameNew(_ owner: NSManagedObjectContext, _ root: NSManagedObjectContext) throws {
    guard let coordinator = root.persistentStoreCoordinator else { return }
    let writer = context(coordinator)
    let named = try owner.performAndWait { try makeNamed(owner) }
    let followers = try owner.performAndWait { () -> [ControllerFollower] in
      if chance(1, of: 2) { owner.processPendingChanges() }
      let followers = try (0..<3).map { _ in try listNamed(named, owner) }
      // Events before this one are not taken back.
      guard owner === root, chance(1, of: 3) else { return followers }
      owner.processPendingChanges()
      owner.undoManager = UndoManager()
      return followers
    }
    defer {
      owner.performAndWait {
        for follower in followers { follower.end() }
        owner.undoManager = nil
        withExtendedLifetime(named.new) {}
      }
    }
    precondition(!followers.isEmpty && named.new.count > 2, "controllers follow requests that name objects")
    for _ in 0..<(8 + draw(8)) {
      try happen(named, owner, root, writer)
      // Others' saves, and the parent's, are merged when the queue is entered again.
      for context in [root, owner] { context.performAndWait {} }
      // Events without a look in between are another thing.
      if chance(1, of: 3) { continue }
      try requireFollowed(followers, owner)
    }
    try owner.performAndWait { try save(owner) }
    if owner !== root { try root.performAndWait { try save(root) } }
    try requireFollowed(followers, owner)
    owner.performAndWait { for item in named.oldItems where !item.isDeleted { move(item, named) } }
    try requireFollowed(followers, owner)
  }

  private func requireFollowed(_ followers: [ControllerFollower], _ owner: NSManagedObjectContext) throws {
    try owner.performAndWait {
      owner.processPendingChanges()
      for follower in followers {
        session.count(\.valuesCompared)
        guard let problem = try follower.problemNow() else { continue }
        try report(
          .controllerDivergence, "a controller of a request that names new objects",
          expected: "a fresh fetch", seen: problem)
      }
    }
  }

  /// Inserts what controllers are to name; in a block of the context.
  private func makeNamed(_ context: NSManagedObjectContext) throws -> Named {
    let (oldBoxes, oldTags, oldItems) = (
      try all("Box", context), try all("Tag", context), try all("Item", context)
    )
    let boxes = (0..<2).map { _ in insertNumbered("Box", context) }
    let (tag, item) = (insertNumbered("Tag", context), insertNumbered("Item", context))
    boxes.first?.setValue(item, forKey: "cover")
    let named = Named(
      boxes: boxes, tag: tag, item: item, oldBoxes: oldBoxes, oldTags: oldTags, oldItems: oldItems)
    for item in some(oldItems + [item], atMost: 5) { move(item, named) }
    return named
  }

  /// Puts an item on a shelf, and gives it tags; in a block of its context.
  private func move(_ item: NSManagedObject, _ named: Named) {
    precondition(!item.isDeleted, "items that are there move")
    let shelf = chance(1, of: 6) ? nil : pick(named.shelves)
    let tags = (chance(1, of: 2) ? [named.tag] : []) + some(named.oldTags, atMost: 1)
    note(
      "item \(RulePicture.number(item)): shelf \(shelf.map { "\(RulePicture.number($0))" } ?? "none"), "
        + "tags \(tags.map(RulePicture.number))")
    item.setValue(shelf, forKey: "shelf")
    item.setValue(NSOrderedSet(array: tags), forKey: "tags")
  }

  /// A follower of a request that names new objects; in a block of the context.
  private func listNamed(_ named: Named, _ context: NSManagedObjectContext) throws -> ControllerFollower {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
    let (box, tag, item) = (named.boxes[0], named.tag, named.item)
    let mixed = named.boxes + some(named.oldBoxes, atMost: 1)
    let items = [item] + some(named.oldItems, atMost: 3)
    request.predicate = pick([
      NSPredicate(format: "shelf == %@", argumentArray: [box]),
      NSPredicate(format: "shelf != %@", argumentArray: [box]),
      NSPredicate(format: "shelf IN %@", argumentArray: [mixed]),
      NSPredicate(format: "NOT (shelf IN %@)", argumentArray: [mixed]),
      NSPredicate(format: "ANY tags == %@", argumentArray: [tag]),
      NSPredicate(format: "SELF IN %@", argumentArray: [items]),
      NSPredicate(format: "SELF == %@ OR shelf == %@", argumentArray: [item, box]),
      NSPredicate(format: "shelf.cover == %@", argumentArray: [item]),
      NSPredicate(format: "shelf == %@ AND rank < 1000", argumentArray: [box]),
      NSPredicate(format: "rank < 1000"),
    ])
    let isSectioned = chance(1, of: 3)
    let isByID = !isSectioned && context.parent == nil && chance(1, of: 6)
    let others = some(["rank", "shelf.number", "shelf.cover.number"], atMost: 2)
    let keys = (isSectioned ? ["shelf.number"] : []) + others + [isByID ? "self" : RuleModel.number]
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: chance(1, of: 2)) }
    if !isByID, chance(1, of: 4) { request.fetchBatchSize = 2 }
    note(
      "a controller where \(request.predicate.map { "\($0)" } ?? ""), by \(keys), batches of \(request.fetchBatchSize)"
        + (isSectioned ? ", in sections" : ""))
    return try ControllerFollower(context, request, sections: isSectioned ? "shelf.number" : nil)
  }

  /// Something between the fetch and the save, that save, or something after it.
  private func happen(
    _ named: Named, _ owner: NSManagedObjectContext, _ root: NSManagedObjectContext, _ writer: NSManagedObjectContext
  ) throws {
    let step = draw(12)
    guard step < 10 else {
      // A child merges what its parent saves, and not what this one merges.
      return owner === root ? try writeBeside(writer) : try root.performAndWait { try save(root) }
    }
    try owner.performAndWait {
      let items = (named.oldItems + [named.item]).filter { !$0.isDeleted && $0.managedObjectContext != nil }
      switch step {
      case 0, 1: for item in some(items, atMost: 3) { move(item, named) }
      case 2: move(insertNumbered("Item", owner), named)
      case 3: for item in some(items, atMost: 2) { set("rank", of: item) }
      case 4: _ = insertPlain(owner, rank: 0)
      case 5:
        let new = some(named.new.filter { $0.objectID.isTemporaryID }, atMost: 4)
        note("permanent IDs for \(new.map(RulePicture.number))")
        try owner.obtainPermanentIDs(for: new)
      case 6:
        guard let item = pick(items.filter { !$0.isInserted }) else { return }
        note("refresh item \(RulePicture.number(item)), merging")
        owner.refresh(item, mergeChanges: true)
      case 7 where owner.undoManager != nil:
        note("undo")
        owner.undo()
        if chance(1, of: 2) {
          note("redo")
          owner.redo()
        }
      case 7:
        note("process")
        owner.processPendingChanges()
      default: try save(owner)
      }
    }
  }

  /// Another context changes ranks, and saves.
  private func writeBeside(_ writer: NSManagedObjectContext) throws {
    try writer.performAndWait {
      writer.reset()
      for item in some(try all("Item", writer), atMost: 2) { set("rank", of: item) }
      try save(writer)
    }
  }
}
