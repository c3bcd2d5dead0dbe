import Checking
import CoreData
import Scheduling

// S5.2, S5.3, S5.5, S5.6: saves that arrive in the middle of whatever a context does change nothing of it, and are merged right
// afterwards, also where it fails, and where nothing is done with it any more; who does not merge, or no longer, shows what it has; no
// context is taken for another one.

extension RuleTrial {
  func arrivals() throws {
    let coordinator = try open()
    let root = context(coordinator)
    let ids = try root.performAndWait {
      let objects = (0..<4).map { _ in insertPlain(root, rank: 0) }
      try save(root)
      return objects.map(\.objectID)
    }
    for moment in Moment.allCases { try arrive(moment, isAsked: chance(1, of: 2), ids, coordinator) }
    for event in Event.allCases { try hearUnasked(event, ids, root) }
    try hearSeveral(ids, coordinator)
    try followSwitch(ids, root)
    try mergeOfReleased(coordinator)
  }

  /// When the save of another context arrives.
  private enum Moment: CaseIterable {
    /// Observers are notified of changes.
    case processing
    /// Observers are notified that a save begins, or is over.
    case willSave, didSave
    /// The save that has begun is refused in the end.
    case refusedSave
    /// Observers are notified of a merge.
    case merging

    var notification: Notification.Name {
      switch self {
      case .processing, .merging: .NSManagedObjectContextObjectsDidChange
      case .willSave, .refusedSave: .NSManagedObjectContextWillSave
      case .didSave: .NSManagedObjectContextDidSave
      }
    }
  }

  private static func rank(_ id: NSManagedObjectID, _ context: NSManagedObjectContext) -> Int {
    (context.registeredObject(for: id)?.value(forKey: "rank") as? NSNumber)?.intValue ?? -1
  }

  /// Another context saves while the receiver is notified.
  ///
  /// - Parameter isAsked: whether a block of the receiver follows, before the save has to be merged.
  private func arrive(
    _ moment: Moment, isAsked: Bool, _ ids: [NSManagedObjectID], _ coordinator: NSPersistentStoreCoordinator
  ) throws {
    precondition(ids.count > 1, "others change one row, and the receiver another one")
    let (receiver, writer) = (context(coordinator, merges: true), context(coordinator))
    guard let theirs = pick(ids), let own = pick(ids.filter { $0 != theirs }) else { return }
    note("\(moment): a save of others arrives\(isAsked ? "" : ", and no block follows")")
    let (old, new, mine) = (newNumber(), newNumber(), newNumber())
    func write(_ rank: Int) throws {
      try writer.performAndWait {
        try writer.existingObject(with: theirs).setValue(rank, forKey: "rank")
        try writer.save()
      }
    }
    try write(old)
    let held = try receiver.performAndWait {
      let held = try ids.map(receiver.existingObject)
      for object in held { _ = object.value(forKey: "rank") }
      return held
    }
    let log = NoticeLog(session.environment, receiver)
    let seen = Locked<[Int]>([])
    let hasUndo = chance(1, of: 2)
    if hasUndo { receiver.performAndWait { receiver.undoManager = UndoManager() } }
    let observer = saveOnce(at: moment, theirs, new, writer, receiver, seen)
    defer {
      session.environment.removeObserver(observer)
      log.end()
      if hasUndo { receiver.performAndWait { receiver.undoManager = nil } }
    }
    let middle = moment == .merging ? newNumber() : old
    // A merge of its own turn, which no block of the context has carried out.
    let isEnqueued = moment == .merging && chance(1, of: 2)
    try requireUnasked(
      "a save that arrived, \(moment), is merged\(isEnqueued ? " by itself" : "")", receiver,
      isAwaited: isEnqueued || !isAsked, { Self.rank(theirs, $0) == new }
    ) { try receive(moment, receiver, own, mine, isEnqueued: isEnqueued) { try write(middle) } }
    try receiver.performAndWait {
      try require(
        seen.withLock { $0 }, [middle, middle], .tornRead, "a rank before and after the save that arrived, \(moment)")
      try require(
        Self.rank(theirs, receiver), new, .staleRead, "the rank in the block after a save that arrived, \(moment)")
      receiver.processPendingChanges()
      try require(
        Self.rank(own, receiver), moment == .merging ? Self.rank(own, receiver) : mine, .lostUpdate,
        "the context's own rank after a save that arrived, \(moment)")
      let named = log.removeNamed()
      try require(
        named.contains(theirs), true, .missedNotification, "whether a merge names its object, \(moment)")
      try finish(moment, receiver)
      withExtendedLifetime(held) {}
    }
    if moment != .merging {
      let file = freshContext(coordinator)
      let ranks = try file.performAndWait {
        try [theirs, own].map { (try file.existingObject(with: $0).value(forKey: "rank") as? NSNumber)?.intValue }
      }
      try require(ranks, [new, mine], .lostUpdate, "the ranks in the file after a save that arrived, \(moment)")
    }
  }

  /// Another context saves a rank when the receiver's observers are notified first; the rank that the receiver shows before and after.
  private func saveOnce(
    at moment: Moment, _ id: NSManagedObjectID, _ rank: Int, _ writer: NSManagedObjectContext,
    _ receiver: NSManagedObjectContext, _ seen: Locked<[Int]>
  ) -> any NSObjectProtocol {
    precondition(
      writer !== receiver && writer.persistentStoreCoordinator === receiver.persistentStoreCoordinator,
      "another context of the same coordinator saves")
    return once(moment.notification, receiver) { context in
      let before = Self.rank(id, context)
      try writer.performAndWait {
        try writer.existingObject(with: id).setValue(rank, forKey: "rank")
        try writer.save()
      }
      let after = Self.rank(id, context)
      seen.withLock { $0 = [before, after] }
    }
  }

  /// Does something when the observers of a context are notified first.
  func once(
    _ name: Notification.Name, _ context: NSManagedObjectContext,
    _ body: @escaping @Sendable (NSManagedObjectContext) throws -> Void
  ) -> any NSObjectProtocol {
    let isFirst = Locked(true)
    return session.environment.addObserver(forName: name, object: context) { [session] notification in
      let isTurn = isFirst.withLock { old in
        defer { old = false }
        return old
      }
      guard isTurn, let context = notification.object as? NSManagedObjectContext else { return }
      do { try body(context) } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
  }

  /// Does what the receiver's observers are notified of.
  private func receive(
    _ moment: Moment, _ receiver: NSManagedObjectContext, _ own: NSManagedObjectID, _ rank: Int, isEnqueued: Bool,
    others: () throws -> Void
  ) throws {
    guard moment != .merging else {
      try others()
      return isEnqueued ? () : receiver.performAndWait {}
    }
    try receiver.performAndWait {
      receiver.registeredObject(for: own)?.setValue(rank, forKey: "rank")
      switch moment {
      case .processing, .merging: receiver.processPendingChanges()
      case .willSave, .didSave: try save(receiver)
      case .refusedSave:
        insert("Box", receiver).setValue(String(repeating: "long ", count: 9), forKey: "title")
        let error = AnythingClient.error { try receiver.save() }
        try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
      }
    }
  }

  /// Saves what is left; in a block of the receiver.
  private func finish(_ moment: Moment, _ receiver: NSManagedObjectContext) throws {
    switch moment {
    case .processing: try save(receiver)
    case .refusedSave:
      let boxes = receiver.insertedObjects
      try require(boxes.count, 1, .lostUpdate, "inserted objects after a refused save and a merge")
      for box in boxes { box.setValue("mended", forKey: "title") }
      try save(receiver)
    case .willSave, .didSave, .merging:
      try require(receiver.hasChanges, false, .wrongValue, "changes after a save and a merge")
    }
  }

  // MARK: Nothing follows

  /// Does something after which a state is due that observers are notified of, though no block of the context follows.
  private func requireUnasked(
    _ what: String, _ context: NSManagedObjectContext, isAwaited: Bool = true,
    _ isDue: @escaping @Sendable (NSManagedObjectContext) -> Bool, after body: () throws -> Void
  ) throws {
    let isNotified = Latch(label: what)
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: context) {
      if let context = $0.object as? NSManagedObjectContext, isDue(context) { isNotified.open() }
    }
    defer { session.environment.removeObserver(observer) }
    try body()
    if isAwaited {
      try require(isNotified.wait(atMost: 20), true, .hang, "whether \(what), though no block of the context follows")
    }
  }

  /// All that comes to a context when something is over.
  private enum Event: CaseIterable {
    /// A save of another context, or of the parent, during a block.
    case block, childsBlock
    /// A save of the parent during one of the child.
    case childsSave
    /// The changes of a block of `perform`, and of a child's save.
    case perform, push
    /// The answer to a fetch, and a block, that an observer has asked for during a save.
    case fetch, observersBlock
  }

  /// Whatever is due when something is over comes by itself.
  private func hearUnasked(_ event: Event, _ ids: [NSManagedObjectID], _ root: NSManagedObjectContext) throws {
    precondition(root.parent == nil && ids.count > 1, "what comes by itself is about two rows of the file")
    guard let coordinator = root.persistentStoreCoordinator, let id = pick(ids), let own = pick(ids.filter { $0 != id })
    else { return }
    let writer = context(coordinator)
    let isChild = [.childsBlock, .childsSave].contains(event)
    let receiver = isChild ? context(in: writer, merges: true) : context(coordinator, merges: true)
    let (rank, child) = (newNumber(), context(in: receiver))
    @Sendable func write(_ context: NSManagedObjectContext) throws {
      try context.performAndWait {
        try context.existingObject(with: id).setValue(rank, forKey: "rank")
        try context.save()
      }
    }
    let set: @Sendable () -> Void = {
      receiver.registeredObject(for: id)?.setValue(rank, forKey: "rank")
      receiver.processPendingChanges()
    }
    let name: Notification.Name = chance(1, of: 2) ? .NSManagedObjectContextWillSave : .NSManagedObjectContextDidSave
    let observer = once(name, receiver) { receiver in
      switch event {
      case .childsSave: try write(writer)
      case .fetch:
        let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
        _ = try receiver.execute(NSAsynchronousFetchRequest(fetchRequest: request) { _ in set() })
      case .observersBlock: receiver.perform(set)
      default: break
      }
    }
    defer { session.environment.removeObserver(observer) }
    precondition(receiver.automaticallyMergesChangesFromParent, "what arrives is merged by itself")
    let held = try receiver.performAndWait {
      if chance(1, of: 3) { receiver.undoManager = UndoManager() }
      return try [id, own].map(receiver.existingObject)
    }
    note("what comes by itself: \(event)")
    try requireUnasked("what \(event) brings is there", receiver, { Self.rank(id, $0) == rank }) {
      switch event {
      case .perform: receiver.perform { receiver.registeredObject(for: id)?.setValue(rank, forKey: "rank") }
      case .push: try write(child)
      case .block, .childsBlock: try receiver.performAndWait { try write(writer) }
      case .childsSave, .fetch, .observersBlock:
        try receiver.performAndWait {
          held[1].setValue(newNumber(), forKey: "rank")
          try save(receiver)
        }
      }
    }
    receiver.performAndWait {
      receiver.undoManager = nil
      withExtendedLifetime(held) {}
    }
  }

  /// Several contexts save in threads of their own while another one merges: it has all of it in the end, though no block follows.
  private func hearSeveral(_ ids: [NSManagedObjectID], _ coordinator: NSPersistentStoreCoordinator) throws {
    precondition(ids.count > 1, "each of the others has a row of its own")
    let receiver = context(coordinator, merges: true)
    let writers = ids.map { (id: $0, context: context(coordinator)) }
    let (count, last) = (3 + draw(4), newNumber())
    note("\(writers.count) contexts save at the same time, \(count) times each")
    let held = try receiver.performAndWait {
      if chance(1, of: 3) { receiver.undoManager = UndoManager() }
      return try ids.map(receiver.existingObject)
    }
    defer { receiver.performAndWait { receiver.undoManager = nil } }
    let isDue: @Sendable (NSManagedObjectContext) -> Bool = { context in
      ids.allSatisfy { Self.rank($0, context) == last }
    }
    try requireUnasked("what several save at the same time is merged", receiver, isDue) {
      for (id, writer) in writers {
        for place in (0..<count).reversed() {
          writer.perform { [session] in
            do {
              try writer.existingObject(with: id).setValue(last - place, forKey: "rank")
              try writer.save()
            } catch { if !session.faults.explains(error) { session.fail(error) } }
          }
        }
      }
      for (_, writer) in writers { writer.performAndWait {} }
    }
    receiver.performAndWait { withExtendedLifetime(held) {} }
  }

  // MARK: Who merges

  /// A context merges as long as its setting says so: another one of the coordinator, or a child of the one that saves.
  private func followSwitch(_ ids: [NSManagedObjectID], _ root: NSManagedObjectContext) throws {
    guard let id = pick(ids), let coordinator = root.persistentStoreCoordinator else { return }
    let isChild = chance(1, of: 2)
    let receiver = isChild ? context(in: root) : context(coordinator)
    let held = try receiver.performAndWait { try receiver.existingObject(with: id) }
    var shown = receiver.performAndWait { (held.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
    let kept = try root.performAndWait { try root.existingObject(with: id) }
    root.performAndWait { root.refresh(kept, mergeChanges: false) }
    for _ in 0..<(3 + draw(4)) {
      let (merges, rank) = (chance(1, of: 2), newNumber())
      note("\(isChild ? "a child" : "a context") \(merges ? "merges" : "does not merge") the rank \(rank)")
      receiver.performAndWait { receiver.automaticallyMergesChangesFromParent = merges }
      try root.performAndWait {
        kept.setValue(rank, forKey: "rank")
        try root.save()
      }
      if merges { shown = rank }
      let seen = receiver.performAndWait { (held.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }
      try require(
        seen, shown, merges ? .staleRead : .wrongValue,
        "a realised rank in \(isChild ? "a child" : "a context") that \(merges ? "merges" : "does not merge")")
    }
    root.performAndWait { withExtendedLifetime(kept) {} }
  }

  /// The save of a context that was released is another's for whoever comes after it.
  private func mergeOfReleased(_ coordinator: NSPersistentStoreCoordinator) throws {
    note("contexts merge saves of contexts that were released")
    for _ in 0..<4 {
      let kept = Locked<[KeptSave]>([])
      let id: NSManagedObjectID = try {
        let owner = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        owner.persistentStoreCoordinator = coordinator
        let observer = session.environment.addObserver(forName: .NSManagedObjectContextDidSave, object: owner) {
          notification in
          // Without objects, which would hold what belongs to the context.
          let lists = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]
          let info = (notification.userInfo ?? [:]).filter { entry in !lists.contains { $0 == entry.key as? String } }
          kept.withLock {
            $0.append(KeptSave(notification: Notification(name: notification.name, object: nil, userInfo: info)))
          }
        }
        defer { session.environment.removeObserver(observer) }
        return try owner.performAndWait {
          let object = insertPlain(owner, rank: 0)
          try owner.save()
          return object.objectID
        }
      }()
      guard let save = kept.withLock({ $0.first }) else {
        return try require(0, 1, .missedNotification, "saves that are posted")
      }
      let receiver = context(coordinator)
      let log = NoticeLog(session.environment, receiver)
      defer { log.end() }
      try receiver.performAndWait {
        receiver.mergeChanges(fromContextDidSave: save.notification)
        receiver.processPendingChanges()
        let named = log.removeAll().reduce(into: Set()) { $0.formUnion($1.ids["inserted"] ?? []) }
        try require(
          named, [id], .missedNotification, "what is inserted by the merge of a save of a context that was released")
      }
    }
  }
}

// Sendable: it is only handed on.
private struct KeptSave: @unchecked Sendable {
  let notification: Notification
}
