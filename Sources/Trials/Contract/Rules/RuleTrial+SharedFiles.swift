import Checking
import CoreData
import SQLite
import Scheduling

// S6.3, S6.5, S6.8 to S6.10: several coordinators have one file: they open it at once, wait for each other's saves, and never write
// into a file, or a log, that is another's by then.

extension RuleTrial {
  func shareFiles() throws {
    try openAtOnce()
    try destroyElsewhere()
    try waitWithoutLimit()
    guard !Simulation.isCurrent else { return }
    try unlinkLog()
    if chance(1, of: 4) { try waitAfterRareEvents() }
  }

  /// A save that locks the coordinator's file until it is released: its policy takes its time with a conflict about a box.
  func holdFile(of coordinator: NSPersistentStoreCoordinator) throws -> HeldFile {
    let held = HeldFile(holder: context(coordinator, WaitingPolicy()))
    let (holder, other) = (held.holder, context(coordinator))
    try holder.performAndWait {
      guard try all("Box", holder).isEmpty else { return }
      _ = insert("Box", holder)
      try save(holder)
    }
    for (context, title) in [(holder, "held"), (other, "other")] {
      try context.performAndWait { try all("Box", context).first?.setValue(title, forKey: "title") }
    }
    try other.performAndWait { try save(other) }
    note("a save holds the file")
    holder.perform { [session] in
      do { try holder.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    guard held.policy.isDeciding.wait(atMost: 20) else {
      held.policy.mayEnd.open()
      try report(.hang, "a save that meets a conflict", expected: "asks its policy", seen: "did not in 20 s")
      throw Broken()
    }
    return held
  }

  /// With a time-out of infinity a save waits for another coordinator's, however long that takes.
  private func waitWithoutLimit() throws {
    let url = newURL()
    let (first, second) = (try open(at: url, [NSPersistentStoreTimeoutOption: Double.infinity]), try open(at: url))
    let writer = context(first)
    let held = try holdFile(of: second)
    let (begun, problem) = (Latch(label: "a save that waits"), Locked<String?>(nil))
    writer.perform { [session] in
      NSEntityDescription.insertNewObject(forEntityName: "Box", into: writer).setValue(-1, forKey: RuleModel.number)
      begun.open()
      do { try writer.save() } catch { if !session.faults.explains(error) { problem.withLock { $0 = "\(error)" } } }
    }
    begun.wait()
    // Some reads are as long as the start of a save.
    for _ in 0..<20 { _ = try picture(freshContext(second)) }
    held.release()
    writer.performAndWait {}
    if let problem = problem.withLock({ $0 }) {
      try report(.failedSave, "a save with a time-out of infinity", expected: "waits", seen: problem)
    }
    for coordinator in [first, second] { try close(coordinator) }
  }

  // MARK: Waiting

  /// After events that are rare in the life of a connection a save waits for a writer of another program as it did before.
  private func waitAfterRareEvents() throws {
    let url = newURL()
    try makeNarrow(url)
    let coordinator = try open(at: url)
    let writer = context(coordinator)
    // The log begins anew in each trial: first of all, or between other events.
    for way in shuffled([draw(2)] + (0..<(1 + draw(4))).map { _ in draw(7) }) {
      try beRare(way, writer, coordinator, url)
    }
    let holder = try Connection(path: url.path, mode: .readWrite)
    // As long as a restart of the log waits for readers, and longer; a wait takes no processor time.
    let patience: Int32 = chance(2, of: 3) ? 130 : 8
    let other = try Connection(path: url.path, mode: .readWrite, busyTimeoutMilliseconds: patience)
    defer { for connection in [holder, other] { connection.close() } }
    try holder.execute("BEGIN IMMEDIATE")
    note("another program holds the file, until one that waits for \(patience) ms has given up")
    let (begun, problem, number) = (Latch(label: "a save that waits"), Locked<String?>(nil), newNumber())
    writer.perform { [session] in
      NSEntityDescription.insertNewObject(forEntityName: "Plain", into: writer).setValue(
        number, forKey: RuleModel.number)
      begun.open()
      do { try writer.save() } catch { if !session.faults.explains(error) { problem.withLock { $0 = "\(error)" } } }
    }
    begun.wait()
    let hasGivenUp = AnythingClient.error { try other.execute("BEGIN IMMEDIATE") } != nil
    try holder.execute("ROLLBACK")
    writer.performAndWait {}
    try require(hasGivenUp, true, .wrongValue, "whether a connection has given up that waits for \(patience) ms")
    try require(problem.withLock { $0 }, nil, .failedSave, "the error of a save that may wait longer")
    let seen = try picture(freshContext(coordinator), ["Plain"])
    try require(seen.objects[number] != nil, true, .lostRecord, "whether a row is saved that had to wait")
    try close(coordinator)
  }

  /// Makes a store of small pages, so that its log has many of them soon.
  private func makeNarrow(_ url: URL) throws {
    let maker = try open(at: url)
    let owner = context(maker)
    try owner.performAndWait {
      insertNumbered("Item", owner).setValue("narrow", forKey: "name")
      try save(owner)
    }
    try close(maker)
    let connection = try Connection(path: url.path, mode: .readWrite)
    defer { connection.close() }
    for sql in ["journal_mode = DELETE", "page_size = 512"] { try connection.execute("PRAGMA \(sql)") }
    try connection.execute("VACUUM")
    try connection.execute("PRAGMA journal_mode = WAL")
  }

  /// One event that may change the settings of a connection.
  private func beRare(
    _ way: Int, _ writer: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ url: URL
  ) throws {
    precondition(
      writer.persistentStoreCoordinator === coordinator, "the rare events are those of the writer's connections")
    let events = [
      "a long log", "a long log, and a reader", "a refused save", "a conflict", "a reopened store", "a refused removal",
      "a state",
    ]
    note(events[way])
    switch way {
    case 0, 1:
      let reader = try Connection(path: url.path, mode: .readOnly)
      defer { reader.close() }
      // A log that waits for a reader is slow.
      let isRead = way == 1 && chance(1, of: 2)
      if isRead {
        try reader.execute("BEGIN")
        _ = try reader.int64("SELECT count(*) FROM ZITEM")
      }
      try writer.performAndWait {
        // Above the number of pages at which a log is begun anew.
        try all("Item", writer).first?.setValue(String(repeating: "\(draw(10))", count: 2_300_000), forKey: "name")
        try save(writer)
      }
      if isRead { try reader.execute("ROLLBACK") }
    case 2:
      try writer.performAndWait {
        insertNumbered("Box", writer).setValue(String(repeating: "long ", count: 9), forKey: "title")
        try require(AnythingClient.error { try writer.save() } == nil, false, .failedSave, "whether it is refused")
        writer.rollback()
      }
    case 3:
      let other = freshContext(coordinator)
      try writer.performAndWait { try all("Item", writer).first?.setValue(newNumber(), forKey: "rank") }
      try other.performAndWait {
        try all("Item", other).first?.setValue(newNumber(), forKey: "rank")
        try save(other)
      }
      try writer.performAndWait {
        try require(AnythingClient.error { try writer.save() } == nil, false, .lostUpdate, "whether it is refused")
        writer.rollback()
        writer.refreshAllObjects()
      }
    case 4:
      writer.performAndWait { writer.reset() }
      try close(coordinator)
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    case 5: try refuseRemoval(of: coordinator, writer)
    default:
      let reader = context(coordinator)
      try reader.performAndWait {
        try reader.setQueryGenerationFrom(.current)
        _ = try all("Item", reader)
        try reader.setQueryGenerationFrom(nil)
        _ = try all("Item", reader)
      }
    }
  }

  /// A store is not removed in the middle of a request.
  private func refuseRemoval(of coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let stores = coordinator.persistentStores
    let request = NSBatchInsertRequest(entityName: "Plain") { (_: NSManagedObject) in
      try? coordinator.remove(stores[0])
      return true
    }
    _ = writer.performAndWait { AnythingClient.error { _ = try writer.execute(request) } }
    try require(coordinator.persistentStores == stores, true, .wrongValue, "whether a store in use stays")
  }

  /// The write-ahead log is unlinked while the store is open: no save is lost in it unnoticed.
  private func unlinkLog() throws {
    let url = newURL()
    let coordinator = try open(at: url)
    let writer = context(coordinator)
    try writer.performAndWait {
      _ = insert("Box", writer)
      try save(writer)
    }
    note("the log is unlinked")
    try FileManager.default.removeItem(atPath: url.path + "-wal")
    let error = writer.performAndWait {
      _ = insert("Box", writer)
      return AnythingClient.error { try writer.save() }
    }
    try require(error == nil, false, .durabilityLost, "whether a save into a log without a name succeeds")
    writer.performAndWait { writer.reset() }
    try? close(coordinator)
  }

  /// Coordinators that open, and make, one file at the same moment.
  private func openAtOnce() throws {
    let url = newURL()
    let runners = (0..<4).map { _ in NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType) }
    let problem = Locked<String?>(nil)
    let uuids = Locked<Set<String>>([])
    note("\(runners.count) coordinators open one new file")
    for (number, runner) in runners.enumerated() {
      session.environment.adopt(runner, name: "stores, opener \(newNumber())")
      runner.perform { [session] in
        do {
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
          let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
          let writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          writer.persistentStoreCoordinator = coordinator
          try writer.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Box", into: writer).setValue(
              number, forKey: RuleModel.number)
            try writer.save()
          }
          uuids.withLock { _ = $0.insert(store.metadata?[NSStoreUUIDKey] as? String ?? "none") }
          try coordinator.remove(store)
        } catch { if !session.faults.explains(error) { problem.withLock { $0 = "\(error)" } } }
      }
    }
    for runner in runners { runner.performAndWait {} }
    if let problem = problem.withLock({ $0 }) {
      try report(.failedSave, "opening a file that others open", expected: "waits for them", seen: problem)
    }
    try require(uuids.withLock { $0.count }, 1, .wrongValue, "UUIDs of one store")
    let left = try open(at: url)
    try require(
      try stored(left).objects.keys.sorted(), Array(0..<runners.count), .lostRecord, "boxes of all who opened the file")
    try close(left)
  }

  /// Another coordinator destroys the file and makes it anew: a coordinator that has it open writes nothing there.
  private func destroyElsewhere() throws {
    let url = newURL()
    let first = try open(at: url)
    let writer = context(first)
    let boxes = try writer.performAndWait {
      populate(writer, items: 2)
      try save(writer)
      return try all("Box", writer)
    }
    note("another coordinator destroys the store and makes it anew")
    let second = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
    try second.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    let anew = try open(at: url)
    let owner = context(anew)
    try owner.performAndWait {
      _ = insert("Box", owner)
      try save(owner)
    }
    let expected = try stored(anew)
    let isMetadata = chance(1, of: 2)
    if isMetadata, let store = first.persistentStores.first {
      note("metadata alone are saved")
      first.setMetadata(first.metadata(for: store).merging(["late": "late"]) { old, _ in old }, for: store)
    }
    let error = writer.performAndWait {
      for box in boxes where !isMetadata { box.setValue("late", forKey: "title") }
      if !isMetadata { _ = insert("Box", writer) }
      return AnythingClient.error { try writer.save() }
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    try require(
      [metadata["late"] as? String, metadata[NSStoreUUIDKey] as? String],
      [nil, anew.persistentStores.first?.metadata?[NSStoreUUIDKey] as? String], .wrongValue,
      "metadata of a store that took the place of another")
    try require(error == nil, false, .unpersistedSave, "whether a save to a store that was destroyed fails")
    try require(try stored(anew), expected, .wrongValue, "in a store that took the place of another")
    let code = writer.performAndWait {
      writer.rollback()
      return AnythingClient.error { _ = try writer.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) }?
        .code
    }
    let (store, isInMemory) = (first.persistentStores[0], chance(1, of: 2))
    let move = AnythingClient.error {
      _ = try first.migratePersistentStore(
        store, to: self.newURL(), options: nil, withType: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType)
    }
    try require(
      move?.code ?? 0, code ?? -1, .wrongValue, "the error of moving a store that was destroyed, as of reading it")
    for coordinator in [first, anew] { try? close(coordinator) }
  }
}

/// A save that waits inside its policy, with the file locked.
struct HeldFile {
  let holder: NSManagedObjectContext

  var policy: WaitingPolicy {
    guard let policy = holder.mergePolicy as? WaitingPolicy else {
      preconditionFailure("holdFile(of:) gives its context a policy that waits")
    }
    return policy
  }

  /// Ends the save.
  func release() {
    policy.mayEnd.open()
    holder.performAndWait {}
  }
}
