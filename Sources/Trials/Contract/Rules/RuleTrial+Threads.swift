import Cells
import Checking
import CoreData
import Scheduling

// S1.1 to S1.3, S1.5, S1.6, S2.2, S5.1, S5.2: contexts of every kind read, save and merge, and say who uses them elsewhere; a
// container uses the contexts that its subclass makes; an object stays registered exactly as long as it has something to save; a
// fetch reports the objects that it counts; and a temporary ID that a context cannot know is reported.

extension RuleTrial {
  func threads() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    try maker.performAndWait {
      for _ in 0..<5 { insertPlain(maker, rank: 0) }
      try save(maker)
    }
    try useConfined(coordinator)
    try useElsewhere(coordinator)
    try makeOwnContexts()
    for _ in 0..<2 { try askByTemporaryID(coordinator) }
    for _ in 0..<4 { try keepUnsaved(coordinator) }
    try reportByFetch(coordinator)
    try tellMergedIDs(coordinator)
  }

  private func rank(_ object: NSManagedObject?) -> Int { (object?.value(forKey: "rank") as? NSNumber)?.intValue ?? -1 }

  // MARK: Kinds of contexts

  /// A context of this thread has no queue, and does what others do: it saves, meets conflicts, and merges by call.
  private func useConfined(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (confined, writer) = (
      NSManagedObjectContext(concurrencyType: .confinementConcurrencyType), context(coordinator)
    )
    confined.persistentStoreCoordinator = coordinator
    session.environment.adopt(confined, name: "threads, confined \(newNumber())")
    confined.mergePolicy = NSMergePolicy.error
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    note("a context of this thread")
    let object = insertPlain(confined, rank: 0)
    try confined.save()
    let id = object.objectID
    try require(id.isTemporaryID, false, .temporaryIDEscaped, "whether an ID is temporary after a save in a thread")
    for _ in 0..<2 {
      let new = newNumber()
      let isConflict = chance(1, of: 3)
      if isConflict { object.setValue(-1, forKey: "rank") }
      try writer.performAndWait {
        try writer.existingObject(with: id).setValue(new, forKey: "rank")
        try writer.save()
      }
      if isConflict {
        let error = AnythingClient.error { try confined.save() }
        try require(error?.code, NSManagedObjectMergeError, .lostUpdate, "the error of a conflict in a thread")
        confined.rollback()
      }
      if let save = saves.removeLast(), chance(1, of: 2) {
        confined.mergeChanges(fromContextDidSave: save)
      } else {
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [NSUpdatedObjectIDsKey: [id.uriRepresentation()]], into: [confined])
      }
      try require(rank(object), new, .staleRead, "a rank that a context of a thread has merged")
    }
    confined.delete(object)
    try confined.save()
    let isThere = writer.performAndWait {
      writer.refreshAllObjects()
      return (try? writer.existingObject(with: id)) != nil
    }
    try require(isThere, false, .resurrectedRecord, "whether a row is there that a context of a thread has deleted")
  }

  /// A container's background contexts are those that its subclass makes.
  private func makeOwnContexts() throws {
    let container = OwnContainer(name: "Rules", managedObjectModel: RuleModel.shared)
    let made = container.newBackgroundContext()
    let (isDone, isOwn) = (Latch(label: "a background task of a subclass"), Locked(false))
    container.performBackgroundTask { context in
      isOwn.withLock { $0 = context is OwnContext }
      isDone.open()
    }
    try require(isDone.wait(atMost: 30), true, .hang, "whether a background task of a subclass is run")
    try require(
      [made is OwnContext, isOwn.withLock { $0 }], [true, true], .wrongValue,
      "whether a container's background contexts are those of its subclass")
  }

  /// A member of a context or an object is reported where it is used off the queue, unless every thread may use it; and not on the queue.
  /// The report has the name that the context has by then.
  private func useElsewhere(_ coordinator: NSPersistentStoreCoordinator) throws {
    guard !Simulation.isCurrent else { return }
    precondition(!coordinator.persistentStores.isEmpty, "an object that is used elsewhere is saved")
    let owner = context(coordinator)
    let (object, first) = owner.performAndWait { (insertPlain(owner, rank: 1), owner.name ?? "") }
    try owner.performAndWait { try save(owner) }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
    let id = object.objectID
    let confined: [(String, () throws -> Void)] = [
      ("isFault", { _ = object.isFault }), ("hasChanges of an object", { _ = object.hasChanges }),
      ("isInserted", { _ = object.isInserted }), ("isUpdated", { _ = object.isUpdated }),
      ("isDeleted", { _ = object.isDeleted }), ("changedValues", { _ = object.changedValues() }),
      ("hasPersistentChangedValues", { _ = object.hasPersistentChangedValues }),
      ("value(forKey:)", { _ = object.value(forKey: "rank") }), ("hasChanges", { _ = owner.hasChanges }),
      ("userInfo", { _ = owner.userInfo }), ("insertedObjects", { _ = owner.insertedObjects }),
      ("updatedObjects", { _ = owner.updatedObjects }), ("deletedObjects", { _ = owner.deletedObjects }),
      ("registeredObjects", { _ = owner.registeredObjects }), ("fetch", { _ = try owner.fetch(request) }),
      ("count", { _ = try owner.count(for: request) }), ("save", { try owner.save() }),
      ("processPendingChanges", { owner.processPendingChanges() }), ("rollback", { owner.rollback() }),
      ("existingObject", { _ = try owner.existingObject(with: id) }),
    ]
    let free: [(String, () throws -> Void)] = [
      ("objectID", { _ = object.objectID }), ("managedObjectContext", { _ = object.managedObjectContext }),
      ("entity", { _ = object.entity }), ("name", { _ = owner.name }), ("type", { _ = owner.concurrencyType }),
      ("coordinator", { _ = owner.persistentStoreCoordinator }), ("performAndWait", { owner.performAndWait {} }),
    ]
    for (member, use) in shuffled(confined + free) {
      let isFree = free.contains { $0.0 == member }
      let name = "\(first), used elsewhere \(newNumber())"
      owner.name = name
      let outside = try CellReports.usesOffQueue(of: name, in: use)
      try require(outside.isEmpty, isFree, .contextOffQueue, "whether \(member) may be used off the queue")
      try require(
        Set(outside.map(\.owner)), isFree ? [] : [name], .wrongValue,
        "the queue that the report of \(member) off it names")
      let inside = try CellReports.usesOffQueue(of: name) { try owner.performAndWait(use) }
      try require(inside.map(\.member), [], .contextOffQueue, "what is reported of \(member) on the queue")
    }
    owner.performAndWait { withExtendedLifetime(object) {} }
  }

  /// A temporary ID means something in its context and below, and wherever its object was pushed to; elsewhere its use is reported.
  private func askByTemporaryID(_ coordinator: NSPersistentStoreCoordinator) throws {
    let root = context(coordinator)
    let child = context(in: root)
    let family = [root, child, context(in: child)]
    let lowest = draw(family.count)
    let object = family[lowest].performAndWait { insertPlain(family[lowest], rank: 1) }
    let id = family[lowest].performAndWait { object.objectID }
    for highest in (0...lowest).reversed() {
      note("contexts are asked for an object that is unsaved in level \(highest)")
      for (level, asked) in shuffled(Array((family + [context(coordinator)]).enumerated())) {
        let name = asked.name ?? ""
        let seen = try CellReports.mistakes(with: [name]) {
          try asked.performAndWait {
            let isThere = asked.registeredObject(for: id) != nil
            // Between the two nothing holds an object.
            guard level <= highest || level >= lowest else { return }
            try require(isThere, [highest, lowest].contains(level), .lostRecord, "whether \(name) has the object")
          }
        }
        let isKnown = highest..<family.count ~= level
        try require(seen.isEmpty, isKnown, .temporaryIDEscaped, "whether \(name) may be asked for a temporary ID")
      }
      if highest > 0 { try family[highest].performAndWait { try save(family[highest]) } }
    }
    family[lowest].performAndWait { withExtendedLifetime(object) {} }
  }

  // MARK: What is kept

  /// An unsaved change or a lock keeps an object that is not held elsewhere: through a refused save, until a save, rollback or reset.
  private func keepUnsaved(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let (work, end) = (draw(4), draw(3))
    let isRefused = chance(1, of: 2)
    let words = [["inserted", "changed", "deleted", "locked"][work], ["saved", "rolled back", "reset"][end]]
    note("an object is \(words[0]), and \(words[1])\(isRefused ? " after a refused save" : "")")
    let id: NSManagedObjectID? = try owner.performAndWait {
      guard work > 0 else { return insertPlain(owner, rank: 0).objectID }
      guard let object = pick(try all("Plain", owner)) else { return nil }
      switch work {
      case 1: object.setValue(newNumber(), forKey: "rank")
      case 2: owner.delete(object)
      default: owner.detectConflicts(for: object)
      }
      return object.objectID
    }
    guard let id else { return }
    try owner.performAndWait {
      if isRefused {
        insert("Box", owner).setValue(String(repeating: "long ", count: 9), forKey: "title")
        let error = AnythingClient.error { try owner.save() }
        try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
        for box in owner.insertedObjects where box.entity.name == "Box" { owner.delete(box) }
        owner.processPendingChanges()
      }
      try require(
        owner.registeredObject(for: id) != nil, true, .lostUpdate, "whether an object that is \(words[0]) is kept")
    }
    try owner.performAndWait {
      switch end {
      case 0: try save(owner)
      case 1: owner.rollback()
      default: owner.reset()
      }
    }
    try owner.performAndWait {
      // To ask for it by the ID that it had may be a mistake by now.
      try require(
        owner.registeredObjects.count, 0, .contextLeak,
        "objects that nothing holds once what was \(words[0]) is \(words[1])")
    }
  }

  // MARK: Notifications

  /// A fetch of what is unsaved reports it first, unless a deletion is pending; no other question does; the event reports the rest.
  private func reportByFetch(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let log = NoticeLog(session.environment, owner)
    defer { log.end() }
    try owner.performAndWait {
      let held = try all("Plain", owner)
      var made: [NSManagedObject] = []
      for _ in 0..<3 {
        var pending = NoticeLists()
        for _ in 0..<(4 + draw(3)) {
          let alive = (held + made).filter { !$0.isDeleted && $0.managedObjectContext != nil }
          switch draw(6) {
          case 0:
            let new = insertPlain(owner, rank: 0)
            made.append(new)
            pending.inserted.insert(ObjectIdentifier(new))
          case 1, 2:
            guard let object = pick(alive) else { continue }
            object.setValue(newNumber(), forKey: "rank")
            if !pending.inserted.contains(ObjectIdentifier(object)) { pending.updated.insert(ObjectIdentifier(object)) }
          case 3:
            guard let object = pick(alive.filter { !$0.isInserted }), alive.count > 3 else { continue }
            owner.delete(object)
            pending.updated.remove(ObjectIdentifier(object))
            pending.deleted.insert(ObjectIdentifier(object))
          default: try ask(owner, log, &pending)
          }
        }
        owner.processPendingChanges()
        try requireReported(log, pending, "the end of an event with questions")
      }
      owner.rollback()
      withExtendedLifetime((held, made)) {}
    }
  }

  private func requireReported(_ log: NoticeLog, _ expected: NoticeLists, _ what: String) throws {
    let seen = log.removeAll().filter { $0.name == "did-change" }
    try require(
      seen.count, expected.isEmpty ? 0 : 1, seen.isEmpty ? .missedNotification : .wrongNotification,
      "did-change notifications at \(what)")
    try require(
      seen.first?.lists ?? NoticeLists(), expected, .wrongNotification, "the lists of the notification at \(what)")
  }

  /// A question in the middle of an event; in a block of the context.
  private func ask(_ context: NSManagedObjectContext, _ log: NoticeLog, _ pending: inout NoticeLists) throws {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
    let isCounted = chance(2, of: 3)
    request.includesPendingChanges = isCounted
    note("a fetch \(isCounted ? "with" : "without") unsaved changes")
    _ = try context.fetch(request)
    guard isCounted, pending.deleted.isEmpty else {
      return try requireReported(
        log, NoticeLists(), isCounted ? "a fetch beside a deletion" : "a fetch that counts nothing unsaved")
    }
    try requireReported(log, pending, "a fetch that counts unsaved changes")
    pending = NoticeLists()
  }

  /// A merge tells the IDs of the save that it merged, once, and of what it has brought up to date.
  private func tellMergedIDs(_ coordinator: NSPersistentStoreCoordinator) throws {
    let merges = chance(1, of: 2)
    let (writer, receiver) = (context(coordinator), context(coordinator, merges: merges))
    let saves = SaveLog(session.environment, of: writer)
    let reported = Locked<[[Set<NSManagedObjectID>]]>([])
    let keys = [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey, NSRefreshedObjectIDsKey]
    let observer = session.environment.addObserver(
      forName: .NSManagedObjectContextDidMergeChangesObjectIDs, object: receiver
    ) { notification in
      let lists = keys.map { notification.userInfo?[$0] as? Set<NSManagedObjectID> ?? [] }
      reported.withLock { $0.append(lists) }
    }
    defer {
      saves.end()
      session.environment.removeObserver(observer)
    }
    let held = try receiver.performAndWait { () -> [NSManagedObject] in
      let held = some(try all("Plain", receiver), atMost: 4)
      for object in held where chance(1, of: 3) { receiver.refresh(object, mergeChanges: false) }
      return held
    }
    let realised = receiver.performAndWait { Set(held.filter { !$0.isFault }.map(\.objectID)) }
    note("a save is merged \(merges ? "by itself" : "by call"), and its IDs are reported")
    try writer.performAndWait {
      let rows = try all("Plain", writer)
      for row in rows where chance(1, of: 2) { row.setValue(newNumber(), forKey: "rank") }
      if chance(1, of: 2), rows.count > 3 { writer.delete(rows[draw(rows.count)]) }
      insertPlain(writer, rank: 0)
      try save(writer)
    }
    guard let save = saves.removeLast() else {
      return try require(0, 1, .missedNotification, "saves that are posted")
    }
    let lists = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
      Set((save.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID))
    }
    receiver.performAndWait { if !merges { receiver.mergeChanges(fromContextDidSave: save) } }
    let seen = reported.withLock { $0 }
    try require(seen.count, 1, .wrongNotification, "how often a merge tells its IDs")
    try require(
      Array((seen.first ?? []).prefix(3)), lists, .wrongNotification, "the IDs of the save that a merge tells")
    try require(
      lists[1].intersection(realised).subtracting(seen.first?.last ?? []).count, 0, .missedNotification,
      "realised objects that a merge has brought up to date, and does not tell as refreshed")
    receiver.performAndWait { withExtendedLifetime(held) {} }
  }
}

/// A program's own context.
private final class OwnContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: as its superclass.
}

/// Makes background contexts of its own.
private final class OwnContainer: NSPersistentContainer, @unchecked Sendable {
  // Sendable: it has nothing of its own.
  override func newBackgroundContext() -> NSManagedObjectContext {
    let context = OwnContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }
}
