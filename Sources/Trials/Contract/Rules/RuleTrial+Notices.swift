import Checking
import CoreData
import Scheduling

// S5.1 to S5.3, S3.2: each event of a context is posted once, in its thread and in the order of the contract; its lists have
// exactly the objects that it is about, and so have those of a context that merges it, and of a parent that a child saves to.

extension RuleTrial {
  func notices() throws {
    let coordinator = try open()
    let (owner, receiver) = (context(coordinator), context(coordinator))
    var scene = NoticeScene()
    let (own, log) = (NoticeLog(session.environment, owner), NoticeLog(session.environment, receiver))
    defer { for log in [own, log] { log.end() } }
    try owner.performAndWait {
      for _ in 0..<6 { scene.insert(self, owner) }
      try save(owner)
      scene = scene.saved
    }
    let saves = SaveLog(session.environment, of: owner)
    defer { saves.end() }
    for _ in 0..<(3 + draw(3)) {
      _ = own.removeAll()
      let known = owner.performAndWait { scene.alive.map(\.objectID) }
      let held = receiver.performAndWait { hold(some(known, atMost: 5), receiver) }
      try owner.performAndWait {
        for _ in 0..<(1 + draw(2)) { try noticeEvent(owner, own, &scene) }
        try refuse(owner, own)
        try saveNoticed(owner, own, &scene)
      }
      guard let save = saves.removeLast() else {
        return try require(0, 1, .missedNotification, "saves that are posted")
      }
      try merge(save, receiver, log, held)
      try ignore(save, owner, own)
    }
    try owner.performAndWait {
      try divide(owner, own, &scene)
      try refreshWithin(owner, own)
    }
    try refreshAndReset(owner, own)
    try mergeInTurn(coordinator)
    try push(coordinator)
    try listMixtures(coordinator)
    owner.performAndWait { withExtendedLifetime(scene) {} }
  }

  /// One event of inserts, changes and deletions; in a block of the context.
  private func noticeEvent(_ context: NSManagedObjectContext, _ log: NoticeLog, _ scene: inout NoticeScene) throws {
    var event = NoticeLists()
    let asks = chance(1, of: 3)
    for _ in 0..<draw(3) { event.inserted.insert(scene.insert(self, context)) }
    for object in some(scene.alive, atMost: 3) where !event.inserted.contains(ObjectIdentifier(object)) {
      note("rank of \(RulePicture.number(object))")
      object.setValue(newNumber(), forKey: "rank")
      event.updated.insert(ObjectIdentifier(object))
    }
    var seen = NoticeLists()
    if asks {
      note("a fetch in the event")
      _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain"))
      seen.add(try requireNotices(log, event.isEmpty ? [] : ["did-change"], "a fetch").first?.lists)
      try require(seen, event, .wrongNotification, "the lists of the notification that a fetch posts")
      (event, seen) = (NoticeLists(), NoticeLists())
    }
    for object in some(scene.alive, atMost: 2) {
      note("delete \(RulePicture.number(object))")
      let id = ObjectIdentifier(object)
      scene.delete(object)
      context.delete(object)
      event.updated.remove(id)
      // An insertion that no event has reported vanishes.
      if event.inserted.remove(id) == nil { event.deleted.insert(id) }
    }
    context.processPendingChanges()
    seen.add(try requireNotices(log, event.isEmpty ? [] : ["did-change"], "an event").first?.lists)
    try require(seen, event, .wrongNotification, "the lists of an event's notification")
    context.processPendingChanges()
    _ = try requireNotices(log, [], "an event without changes")
  }

  /// Few changes in several events: each event names its own, and the save all of them; in a block of the context.
  private func divide(_ context: NSManagedObjectContext, _ log: NoticeLog, _ scene: inout NoticeScene) throws {
    _ = log.removeAll()
    for _ in 0..<(4 + draw(5)) {
      // The same few are changed again and again, those that the first events have inserted among them.
      var few = some(scene.alive, atMost: 2)
      for _ in 0..<(2 + draw(3)) {
        var event = NoticeLists()
        for _ in 0..<(1 + draw(2)) {
          if let object = pick(few), chance(2, of: 3) {
            note("rank of \(RulePicture.number(object))")
            object.setValue(newNumber(), forKey: "rank")
            if !event.inserted.contains(ObjectIdentifier(object)) { event.updated.insert(ObjectIdentifier(object)) }
          } else {
            event.inserted.insert(scene.insert(self, context))
            few += scene.alive.suffix(1)
          }
        }
        context.processPendingChanges()
        let seen = try requireNotices(log, ["did-change"], "one of several events").first?.lists
        try require(seen ?? NoticeLists(), event, .wrongNotification, "the lists of one of several events")
      }
      if chance(1, of: 4), let object = few.last {
        scene.delete(object)
        context.delete(object)
        context.processPendingChanges()
        _ = log.removeAll()
      }
      try saveNoticed(context, log, &scene, isPending: chance(1, of: 4))
    }
  }

  /// The notifications since the last question: their names in order, all of this thread.
  func requireNotices(_ log: NoticeLog, _ names: [String], _ what: String) throws -> [NoticeLog.Notice] {
    let notices = log.removeAll()
    let kind: ViolationKind = notices.count < names.count ? .missedNotification : .wrongNotification
    try require(notices.map(\.name), names, kind, "the notifications of \(what)")
    try require(notices.allSatisfy(\.isOfThread), true, .wrongNotification, "whether \(what) is posted in its thread")
    return notices
  }

  /// A save that a rule of the model refuses posts no did-save; in a block of the context.
  private func refuse(_ context: NSManagedObjectContext, _ log: NoticeLog) throws {
    guard chance(1, of: 3) else { return }
    note("a refused save")
    let box = insert("Box", context)
    box.setValue(String(repeating: "long ", count: 9), forKey: "title")
    let error = AnythingClient.error { try context.save() }
    try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
    let names = log.removeAll().map(\.name)
    try require(
      names.contains { $0.hasPrefix("did-save") }, false, .wrongNotification, "whether a refused save is posted")
    context.delete(box)
    context.processPendingChanges()
    _ = log.removeAll()
  }

  /// A save posts the changes since the last one; in a block of the context.
  ///
  /// - Returns: their IDs, by list.
  @discardableResult
  private func saveNoticed(
    _ context: NSManagedObjectContext, _ log: NoticeLog, _ scene: inout NoticeScene, isPending given: Bool? = nil
  ) throws -> [String: Set<NSManagedObjectID>] {
    let isPending = given ?? chance(2, of: 3)
    if isPending {
      if chance(1, of: 2) { scene.insert(self, context) }
      for object in some(scene.alive, atMost: 2) { object.setValue(newNumber(), forKey: "rank") }
      scene.insert(self, context)
    }
    let expected = scene.lists
    try save(context)
    let names =
      (isPending ? ["did-change"] : []) + ["will-save", "did-save"] + (expected.isEmpty ? [] : ["did-save IDs"])
    let notices = try requireNotices(log, names, "a save")
    guard let saved = notices.first(where: { $0.name == "did-save" }) else { return [:] }
    try require(saved.lists, expected, .wrongNotification, "the lists of a save")
    try requireIDs(notices, "a save")
    scene = scene.saved
    return saved.idsOfObjects
  }

  // MARK: Merging

  /// A context that merges a save reports the objects that it has of it.
  private func merge(
    _ save: Notification, _ receiver: NSManagedObjectContext, _ log: NoticeLog, _ held: [NSManagedObject]
  ) throws {
    precondition(save.object as? NSManagedObjectContext !== receiver, "the save is another context's")
    func ids(_ key: String) -> Set<NSManagedObjectID> {
      Set((save.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
    }
    try receiver.performAndWait {
      let realised = Set(held.filter { !$0.isFault }.map(\.objectID))
      _ = log.removeAll()
      receiver.mergeChanges(fromContextDidSave: save)
      receiver.processPendingChanges()
      let notices = log.removeAll()
      try require(notices.allSatisfy(\.isOfThread), true, .wrongNotification, "whether a merge is posted in its thread")
      let named = notices.filter { $0.name == "did-change" }
      func all(_ key: String) -> Set<NSManagedObjectID> { named.reduce(into: []) { $0.formUnion($1.ids[key] ?? []) } }
      try require(all("inserted"), ids(NSInsertedObjectsKey), .missedNotification, "the inserted objects of a merge")
      let shown = all("updated").union(all("refreshed"))
      try require(
        realised.intersection(ids(NSUpdatedObjectsKey)).subtracting(shown).count, 0, .missedNotification,
        "realised objects that a merge has brought up to date and does not name")
      let gone = Set(held.map(\.objectID)).intersection(ids(NSDeletedObjectsKey))
      try require(
        gone.subtracting(all("deleted")).count, 0, .missedNotification,
        "held objects that a merge deletes and does not name")
      let lists = ["inserted", "updated", "refreshed", "deleted"].reduce(into: Set()) { $0.formUnion(all($1)) }
      try require(
        all("merged"), lists, .wrongNotification, "the objects that a merge has changed, and those of its lists")
      try leave(held.filter { gone.contains($0.objectID) }, receiver)
    }
  }

  /// Objects that a context holds, some of them realised; in a block of the context.
  private func hold(_ ids: [NSManagedObjectID], _ receiver: NSManagedObjectContext) -> [NSManagedObject] {
    ids.map { id in
      let object = receiver.object(with: id)
      if chance(2, of: 3) { _ = object.value(forKey: "rank") }
      return object
    }
  }

  /// An object that a merge has deleted stays until the context saves, is reset or rolled back; in a block of the context.
  private func leave(_ gone: [NSManagedObject], _ receiver: NSManagedObjectContext) throws {
    for object in gone {
      try require(
        [object.isDeleted, receiver.deletedObjects.contains(object), receiver.registeredObjects.contains(object)],
        [true, true, true], .wrongValue, "whether a merged deletion is deleted, listed and registered")
    }
    switch draw(3) {
    case 0: try save(receiver)
    case 1: receiver.rollback()
    default: receiver.reset()
    }
    for object in gone {
      try require(
        receiver.registeredObjects.contains(object), false, .wrongValue,
        "whether a merged deletion is registered after a save, a rollback or a reset")
    }
    try require(receiver.deletedObjects.count, 0, .wrongValue, "deleted objects after a save, a rollback or a reset")
  }

  /// A context's own save, and one of another store, are not merged.
  private func ignore(_ save: Notification, _ owner: NSManagedObjectContext, _ log: NoticeLog) throws {
    let stranger = context(try open(at: newURL()))
    let other = NoticeLog(session.environment, stranger)
    defer { other.end() }
    for (context, log) in [(owner, log), (stranger, other)] {
      try context.performAndWait {
        _ = log.removeAll()
        context.mergeChanges(fromContextDidSave: save)
        context.processPendingChanges()
        try require(
          log.removeAll().filter { $0.name == "did-change" && !$0.lists.isEmpty }.count, 0, .wrongNotification,
          "notifications of a context that was given \(context === owner ? "its own save" : "a save of another store")")
        try require(context.hasChanges, false, .wrongValue, "changes by such a save")
      }
    }
  }

  // MARK: Refreshes

  /// Refreshed objects are named, and after a reset the IDs of all.
  private func refreshAndReset(_ context: NSManagedObjectContext, _ log: NoticeLog) throws {
    try context.performAndWait {
      let objects = try all("Plain", context)
      for object in objects { _ = object.value(forKey: "rank") }
      _ = log.removeAll()
      let chosen = some(objects, atMost: 3)
      for object in chosen { context.refresh(object, mergeChanges: chance(1, of: 2)) }
      context.processPendingChanges()
      let refreshed = log.removeAll().reduce(into: Set()) { $0.formUnion($1.ids["refreshed"] ?? []) }
      try require(
        refreshed, Set(chosen.map(\.objectID)), .wrongNotification, "the refreshed objects that notifications name")
      let registered = context.registeredObjects.map(\.objectID)
      context.reset()
      let notices = log.removeAll()
      try require(notices.map(\.name), ["did-change"], .wrongNotification, "the notifications of a reset")
      try require(
        notices.first?.ids["all"] ?? [], Set(registered), .wrongNotification, "the IDs that a reset invalidates")
      withExtendedLifetime(objects) {}
    }
  }

  /// Saves that arrive at a busy receiver are merged in order before its next block; rows that came and went are not deleted.
  private func mergeInTurn(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (writer, receiver) = (context(coordinator), context(coordinator, merges: true))
    let log = NoticeLog(session.environment, receiver)
    defer { log.end() }
    let held = try receiver.performAndWait { try all("Plain", receiver) }
    guard let object = pick(held) else { return }
    let id = receiver.performAndWait { object.objectID }
    note("saves arrive while who merges them is busy")
    let last = newNumber()
    let vain: NSManagedObjectID = try receiver.performAndWait {
      _ = object.value(forKey: "rank")
      return try writer.performAndWait {
        let row = try writer.existingObject(with: id)
        for rank in [last + 1, last + 2, last] {
          row.setValue(rank, forKey: "rank")
          try writer.save()
        }
        let vain = insertPlain(writer)
        try writer.save()
        let id = vain.objectID
        writer.delete(vain)
        try writer.save()
        return id
      }
    }
    try receiver.performAndWait {
      try require(
        (object.value(forKey: "rank") as? NSNumber)?.intValue, last, .staleRead, "a rank in the block after the saves")
      let notices = log.removeAll()
      func named(_ key: String) -> Bool {
        notices.contains { $0.name == "did-change" && $0.ids[key]?.contains(vain) == true }
      }
      try require(
        [named("inserted"), named("deleted")], [true, false], .wrongNotification,
        "whether who came and went before the merge is inserted, and deleted")
      withExtendedLifetime(held) {}
    }
  }
}

extension RuleTrial {
  /// A child's saves are posted as any other's; the parent has changes of the same objects, and posts no save until its own, which
  /// has all of them.
  private func push(_ coordinator: NSPersistentStoreCoordinator) throws {
    let parent = context(coordinator)
    let child = context(in: parent)
    let (above, below) = (NoticeLog(session.environment, parent), NoticeLog(session.environment, child))
    defer { for log in [above, below] { log.end() } }
    var scene = NoticeScene()
    var pending: [String: Set<NSManagedObjectID>] = [:]
    let lists = ["inserted", "updated", "deleted"]
    for round in 0..<(3 + draw(4)) {
      let saved = try child.performAndWait {
        if round == 0 { for _ in 0..<4 { scene.insert(self, child) } }
        child.processPendingChanges()
        _ = below.removeAll()
        for _ in 0..<draw(2) where round > 0 { try noticeEvent(child, below, &scene) }
        return try saveNoticed(child, below, &scene)
      }
      for id in saved["deleted"] ?? [] where pending["inserted"]?.remove(id) == nil {
        pending["updated"]?.remove(id)
        pending["deleted", default: []].insert(id)
      }
      pending["updated", default: []].formUnion((saved["updated"] ?? []).subtracting(pending["inserted"] ?? []))
      pending["inserted", default: []].formUnion(saved["inserted"] ?? [])
      try parent.performAndWait {
        parent.processPendingChanges()
        let notices = above.removeAll()
        try require(
          notices.map(\.name).filter { $0 != "did-change" }, [], .wrongNotification, "the saves that a push posts")
        for key in lists {
          let seen = notices.reduce(into: Set()) { $0.formUnion($1.ids[key] ?? []) }
          try require(seen, saved[key] ?? [], .wrongNotification, "the \(key) objects of a parent after a push")
        }
        guard chance(1, of: 2) else { return }
        try save(parent)
        let isEmpty = pending.values.allSatisfy(\.isEmpty)
        let own = try requireNotices(
          above, ["will-save", "did-save"] + (isEmpty ? [] : ["did-save IDs"]), "the save of a parent")
        try requireIDs(own, "the save of a parent")
        let ids = own.first { $0.name == "did-save" }?.idsOfObjects ?? [:]
        for key in lists {
          // New ones have other IDs by now.
          let (seen, expected) = (ids[key] ?? [], pending[key] ?? [])
          try require(seen.count, expected.count, .wrongNotification, "how many \(key) objects a parent's save has")
          if key != "inserted" { try require(seen, expected, .wrongNotification, "\(key) objects of a parent's save") }
        }
        pending = [:]
      }
      if pending.isEmpty {
        try child.performAndWait { try child.obtainPermanentIDs(for: scene.alive) }
        _ = below.removeAll()
      }
    }
    child.performAndWait { withExtendedLifetime(scene) {} }
  }
}
