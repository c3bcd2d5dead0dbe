import Checking
import CoreData

// S1.2, S1.5, S2.4, S3.4, S5.3, S8.1, S10.1: the settings of a context count, in whatever order it gets them, before its coordinator or
// its parent and afterwards, and of one that is set several times the last counts.

extension RuleTrial {
  /// The settings of a context, as they are in the end.
  private struct Settings {
    var merges: Bool
    var retains: Bool
    var propagates: Bool
    var isStale: Bool
    var policy: NSMergePolicy
    var author: String
    /// In groups of the program's own.
    let manager = UndoManager()
  }

  func settings() throws {
    let coordinator = try open(history: true)
    let writer = context(coordinator)
    let id = try writer.performAndWait {
      populate(writer, items: 4)
      let plain = insertPlain(writer, rank: 0)
      try save(writer)
      return plain.objectID
    }
    for isOfMain in [false, true] {
      for isChild in [false, true] {
        let parent = isChild ? context(coordinator, merges: true) : nil
        let drawn = Settings(
          merges: chance(2, of: 3), retains: chance(1, of: 2), propagates: chance(1, of: 2), isStale: chance(1, of: 2),
          policy: chance(1, of: 2) ? .error : .mergeByPropertyObjectTrump, author: "author \(newNumber())")
        let owner = NSManagedObjectContext(
          concurrencyType: isOfMain ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
        session.environment.adopt(owner, name: "settings \(newNumber())")
        setUp(owner, drawn, isChild ? nil : coordinator, parent)
        try retain(owner, drawn)
        try undoOnce(owner, drawn)
        try propagate(owner, drawn)
        try mergeOrNot(owner, drawn, id, parent ?? writer)
        if !isChild {
          try readAgain(owner, drawn, writer)
          try meet(owner, drawn, id, writer)
          try requireAuthor(drawn.author, owner, coordinator)
        }
        owner.performAndWait {
          owner.undoManager = nil
          owner.reset()
        }
      }
    }
  }

  /// Makes the settings in a drawn order, some of them twice.
  private func setUp(
    _ owner: NSManagedObjectContext, _ drawn: Settings, _ coordinator: NSPersistentStoreCoordinator?,
    _ parent: NSManagedObjectContext?
  ) {
    drawn.manager.groupsByEvent = false
    let steps: [(String, () -> Void, (() -> Void)?)] = [
      ("coordinator or parent", { Self.join(owner, coordinator, parent) }, nil),
      (
        "merges \(drawn.merges)", { owner.automaticallyMergesChangesFromParent = drawn.merges },
        { owner.automaticallyMergesChangesFromParent = !drawn.merges }
      ),
      (
        "retains \(drawn.retains)", { owner.retainsRegisteredObjects = drawn.retains },
        { owner.retainsRegisteredObjects = !drawn.retains }
      ),
      (
        "propagates \(drawn.propagates)", { owner.propagatesDeletesAtEndOfEvent = drawn.propagates },
        { owner.propagatesDeletesAtEndOfEvent = !drawn.propagates }
      ),
      (
        "any age \(drawn.isStale)", { owner.stalenessInterval = drawn.isStale ? -1 : 0 },
        { owner.stalenessInterval = drawn.isStale ? 0 : -1 }
      ),
      (
        "policy \(drawn.policy.mergeType.rawValue)", { owner.mergePolicy = drawn.policy },
        { owner.mergePolicy = NSMergePolicy.rollback }
      ),
      (drawn.author, { owner.transactionAuthor = drawn.author }, { owner.transactionAuthor = "another author" }),
      ("undo", { owner.undoManager = drawn.manager }, { owner.undoManager = UndoManager() }),
      ("faults", { owner.shouldDeleteInaccessibleFaults = true }, nil),
      ("name", { owner.name = "settings of \(drawn.author)" }, nil),
    ]
    // The other value, anywhere before the one that counts.
    let orders = shuffled(steps.indices.flatMap { steps[$0].2 == nil || chance(1, of: 2) ? [$0] : [$0, $0] })
    var left = orders.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    precondition(left.count == steps.count, "each setting is made")
    var words: [String] = []
    for place in orders {
      let isLast = left[place] == 1
      left[place, default: 1] -= 1
      words.append(isLast ? steps[place].0 : "other than \(steps[place].0)")
      if isLast { steps[place].1() } else { steps[place].2?() }
    }
    note("set up: \(words.joined(separator: ", "))")
  }

  // MARK: What they do

  /// A context that retains its objects has all that a fetch has found, another one none of them.
  private func retain(_ owner: NSManagedObjectContext, _ drawn: Settings) throws {
    let found = try owner.performAndWait { try all("Plain", owner).count + all("Box", owner).count }
    precondition(found > 0, "there is something to retain")
    try require(
      owner.performAndWait { owner.registeredObjects.count }, drawn.retains ? found : 0, .wrongValue,
      "objects after a fetch of which nothing is held, in a context that \(drawn.retains ? "retains" : "drops") them")
  }

  private func undoOnce(_ owner: NSManagedObjectContext, _ drawn: Settings) throws {
    try owner.performAndWait {
      try require(
        owner.undoManager === drawn.manager, true, .wrongValue, "whether the undo manager is the one that was set")
      guard let object = try all("Plain", owner).first else { return }
      let old = (object.value(forKey: "rank") as? NSNumber)?.intValue
      drawn.manager.beginUndoGrouping()
      object.setValue(newNumber(), forKey: "rank")
      owner.processPendingChanges()
      drawn.manager.endUndoGrouping()
      owner.undo()
      try require((object.value(forKey: "rank") as? NSNumber)?.intValue, old, .wrongValue, "a rank after undo")
      // To forget all actions switches recording on again.
      drawn.manager.removeAllActions()
      drawn.manager.disableUndoRegistration()
      owner.rollback()
    }
  }

  /// A cascade is followed when changes are processed, or not before the save.
  private func propagate(_ owner: NSManagedObjectContext, _ drawn: Settings) throws {
    try owner.performAndWait {
      let items = try all("Item", owner)
      guard let item = items.first(where: { $0.value(forKey: "box") != nil }),
        let box = item.value(forKey: "box") as? NSManagedObject
      else { return }
      note("delete box \(RulePicture.number(box)) in \(drawn.author)")
      owner.delete(box)
      owner.processPendingChanges()
      try require(
        item.isDeleted, drawn.propagates, .wrongValue,
        "whether item \(RulePicture.number(item)) is deleted with its box once changes are processed")
      owner.rollback()
      try require(
        [item.isDeleted, box.isDeleted, owner.hasChanges], [false, false, false], .wrongValue,
        "whether an item and its box are deleted after a rollback, and there are changes")
    }
  }

  /// A save of another context, or of the parent, is merged or not.
  private func mergeOrNot(
    _ owner: NSManagedObjectContext, _ drawn: Settings, _ id: NSManagedObjectID, _ above: NSManagedObjectContext
  ) throws {
    let held = try owner.performAndWait { try owner.existingObject(with: id) }
    for _ in 0..<2 {
      let old = owner.performAndWait { (held.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
      let new = newNumber()
      try above.performAndWait {
        try above.existingObject(with: id).setValue(new, forKey: "rank")
        try save(above)
      }
      let seen = owner.performAndWait { (held.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
      try require(
        seen, drawn.merges ? new : old, drawn.merges ? .staleRead : .wrongValue,
        "a rank in a context that \(drawn.merges ? "merges" : "does not merge"), set up in another order")
    }
    owner.performAndWait { owner.refresh(held, mergeChanges: false) }
  }

  /// A fault asks the file where no row is new enough, though no context has saved.
  private func readAgain(_ owner: NSManagedObjectContext, _ drawn: Settings, _ writer: NSManagedObjectContext) throws {
    guard !drawn.isStale else { return }
    let (object, rank) = (try owner.performAndWait { try all("Item", owner).first }, newNumber())
    guard let object else { return }
    try writer.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Item")
      request.propertiesToUpdate = ["rank": rank]
      note("batch update of ranks to \(rank)")
      _ = try writer.execute(request)
      writer.refreshAllObjects()
    }
    let seen = owner.performAndWait {
      owner.refresh(object, mergeChanges: false)
      return (object.value(forKey: "rank") as? NSNumber)?.intValue
    }
    try require(seen, rank, .staleRead, "a rank that a batch update has set, read without a row of any age")
  }

  /// The policy decides about a conflict.
  private func meet(
    _ owner: NSManagedObjectContext, _ drawn: Settings, _ id: NSManagedObjectID, _ writer: NSManagedObjectContext
  ) throws {
    let (theirs, ours) = (newNumber(), newNumber())
    let isRefused = drawn.policy.mergeType == .errorMergePolicyType
    // Nothing is merged between the others' save and this one.
    owner.performAndWait { owner.automaticallyMergesChangesFromParent = false }
    let error = try owner.performAndWait { () -> NSError? in
      let object = try owner.existingObject(with: id)
      object.setValue(ours, forKey: "rank")
      owner.processPendingChanges()
      try writer.performAndWait {
        try writer.existingObject(with: id).setValue(theirs, forKey: "rank")
        try writer.save()
      }
      note("a conflict, by policy \(drawn.policy.mergeType.rawValue)")
      let error = AnythingClient.error { try owner.save() }
      if error != nil { owner.rollback() }
      return error
    }
    try require(error?.code, isRefused ? NSManagedObjectMergeError : nil, .wrongWinner, "the error of a conflict")
    let seen = try writer.performAndWait {
      let object = try writer.existingObject(with: id)
      writer.refresh(object, mergeChanges: false)
      return (object.value(forKey: "rank") as? NSNumber)?.intValue
    }
    try require(seen, isRefused ? theirs : ours, .wrongWinner, "a rank after a conflict that a policy has decided")
  }

  /// The history has the author of a save.
  private func requireAuthor(
    _ author: String, _ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(owner.persistentStoreCoordinator === coordinator, "the history is of the owner's store")
    try owner.performAndWait {
      insertPlain(owner, rank: 0)
      try save(owner)
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
      let result = try owner.execute(request) as? NSPersistentHistoryResult
      let last = (result?.result as? [NSPersistentHistoryTransaction])?.last
      try require(last?.author, author, .historyDivergence, "the author of a save in the history")
    }
  }
}
