import Cells
import Checking
import CoreData
import Scheduling

// S6.1 to S6.3, S6.12 to S6.14, S6.17: the stores of a container, which store takes which entity, refusals and their errors;
// which connections wait for a writer and how long; and that the log of a busy file stays short.

extension RuleTrial {
  func containers() throws {
    try useContainer()
    try configure()
    try refuseFiles()
    try waitForWriter()
    try readInsideSave()
    try refuseGenerations()
    if !Simulation.isCurrent, chance(1, of: 3) { try restartLog() }
  }

  // MARK: Containers

  /// Contexts of a container, its stores, and a store in memory that no other container sees.
  private func useContainer() throws {
    let container = NSPersistentContainer(name: "Rules", managedObjectModel: RuleModel.shared)
    let isMemory = chance(1, of: 3)
    let description = NSPersistentStoreDescription(url: isMemory ? URL(fileURLWithPath: "/dev/null") : newURL())
    description.shouldAddStoreAsynchronously = chance(1, of: 2)
    container.persistentStoreDescriptions = [description]
    note(
      "load a store\(description.shouldAddStoreAsynchronously ? " asynchronously" : "")\(isMemory ? " in memory" : "")")
    let (loaded, calls) = (Latch(label: "a store is loaded"), Locked<[String]>([]))
    let isOnMain = Locked(false)
    container.loadPersistentStores { description, error in
      isOnMain.withLock { $0 = SerialQueue.main.isHeld }
      calls.withLock { $0.append(error.map { "\($0)" } ?? description.url?.lastPathComponent ?? "") }
      loaded.open()
    }
    if !description.shouldAddStoreAsynchronously {
      try require(calls.withLock { $0.count }, 1, .wrongValue, "stores that are loaded when the call returns")
    }
    loaded.wait()
    try require(
      isOnMain.withLock { $0 } || !description.shouldAddStoreAsynchronously, true, .contextOffQueue,
      "whether a store that was loaded later is announced on main")
    try require(
      calls.withLock { $0 }, [description.url?.lastPathComponent ?? ""], .wrongValue, "stores that were loaded")
    try require(
      [
        container.viewContext.concurrencyType == .mainQueueConcurrencyType,
        container.viewContext.automaticallyMergesChangesFromParent,
        container.newBackgroundContext().concurrencyType == .privateQueueConcurrencyType,
        container.newBackgroundContext() === container.newBackgroundContext(),
        container.viewContext === container.viewContext,
      ], [true, false, true, false, true], .wrongValue, "what the contexts of a container are")
    let (done, used) = (Latch(label: "background tasks"), Locked<Set<ObjectIdentifier>>([]))
    let (held, count) = (Locked<[NSManagedObjectContext]>([]), 3)
    for number in 0..<count {
      container.performBackgroundTask { [session] context in
        NSEntityDescription.insertNewObject(forEntityName: "Box", into: context).setValue(
          number, forKey: RuleModel.number)
        do { try context.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
        used.withLock { _ = $0.insert(ObjectIdentifier(context)) }
        held.withLock { $0.append(context) }
        if held.withLock({ $0.count }) == count { done.open() }
      }
    }
    try require(done.wait(atMost: 30), true, .hang, "whether background tasks are run")
    try require(used.withLock { $0.count }, count, .wrongValue, "contexts of \(count) background tasks")
    held.withLock { $0 = [] }
    let view = container.viewContext
    let seen = try view.performAndWait { try view.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).count }
    try require(seen, count, .lostRecord, "boxes that background tasks have saved, in the view context")
    view.performAndWait { view.reset() }
    let other = NSPersistentContainer(name: "Rules", managedObjectModel: RuleModel.shared)
    other.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    other.loadPersistentStores { _, _ in }
    let context = other.newBackgroundContext()
    try require(
      try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) }, 0,
      .dirtyRead, "boxes of a new store in memory")
    for each in [container, other] { try close(each.persistentStoreCoordinator) }
  }

  /// Each of two stores takes the entities of its configuration, whichever was added first.
  private func configure() throws {
    let model = ConfiguredModel.make()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let order = chance(1, of: 2) ? ["Local", "Shared"] : ["Shared", "Local"]
    note("stores of the configurations \(order)")
    var stores: [String: NSPersistentStore] = [:]
    precondition(model.configurations.count >= 2, "the model has a configuration for each store")
    for name in order {
      stores[name] = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: name, at: newURL(), options: nil)
    }
    let (writer, reader) = (context(coordinator), freshContext(coordinator))
    let entities = ["Note": "Local", "Link": "Shared", "SpecialNote": "Local"]
    try writer.performAndWait {
      for entity in entities.keys.sorted() {
        _ = insertNumbered(entity, writer)
      }
      try save(writer)
    }
    try reader.performAndWait {
      for (entity, home) in entities.sorted(by: { $0.key < $1.key }) {
        let found = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).filter {
          $0.entity.name == entity
        }
        try require(
          found.map { $0.objectID.persistentStore === stores[home] }, [true], .wrongValue,
          "whether \(entity) is in the store of \(home)")
        try require(
          stores[home]?.configurationName, home, .wrongValue, "the configuration of a store")
      }
    }
    try close(coordinator)
  }

  // MARK: Errors

  /// A file that is no database, has no folder, or is another store's, is refused with Apple's code; nothing is made or changed.
  private func refuseFiles() throws {
    let (text, lost) = (newURL(), newURL().deletingLastPathComponent().appendingPathComponent("none/rules.sqlite"))
    let bytes = Data(repeating: 65, count: 5_000)
    if !Simulation.isCurrent {
      try bytes.write(to: text)
      let code = AnythingClient.error { _ = try self.open(at: text) }?.code
      try require(code, NSFileReadCorruptFileError, .wrongValue, "the error of a file that is no database")
      try require(try Data(contentsOf: text) == bytes, true, .storeCorruption, "whether it is as before")
      try FileManager.default.removeItem(at: text)
      let missing = AnythingClient.error { _ = try self.open(at: lost) }?.code
      try require(missing, NSFileWriteUnknownError, .wrongValue, "the error of a store without its folder")
    }
    let coordinator = try open(at: newURL())
    let read = try open(at: newURL())
    guard let store = read.persistentStores.first else { return }
    try require(
      AnythingClient.error { try coordinator.remove(store) } == nil, false, .wrongValue,
      "whether a store of another coordinator can be removed")
    let (listener, url) = (StoreListener(session.environment, coordinator), newURL())
    defer { listener.end() }
    let added = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    try coordinator.remove(added)
    try require(
      listener.posts, ["added 1", "removed 1"], .wrongNotification, "the notifications of a store that comes and goes")
    try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    if !Simulation.isCurrent {
      let sizes = ["", "-wal", "-shm"].map {
        ((try? FileManager.default.attributesOfItem(atPath: url.path + $0))?[.size] as? NSNumber)?.intValue ?? 0
      }
      try require(sizes[1] == 0, true, .resurrectedRecord, "whether the log of a destroyed store is empty")
      // The empty file is no store.
      try FileManager.default.removeItem(at: url)
    }
    for each in [coordinator, read] { try close(each) }
  }

  /// A query generation of a store in memory is refused with 134091; a child reads its parent's state.
  private func refuseGenerations() throws {
    let memory = try open(at: nil, type: NSInMemoryStoreType)
    let owner = context(memory)
    let code = owner.performAndWait { AnythingClient.error { try owner.setQueryGenerationFrom(.current) }?.code }
    try require(code, 134_091, .wrongValue, "the error of a query generation of a store in memory")
    try require(
      try owner.performAndWait { try owner.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box")) }, 0,
      .generationChange, "a count after a refused generation")
    try close(memory)
  }

  // MARK: Writers

  /// A writer waits for another coordinator's as long as its time-out says; then its save throws, has all of its changes, and succeeds
  /// once the file is free.
  private func waitForWriter() throws {
    let url = newURL()
    let (first, second) = (try open(at: url, [NSPersistentStoreTimeoutOption: 0.05]), try open(at: url))
    let writer = context(first)
    let held = try holdFile(of: second)
    let (box, error) = writer.performAndWait {
      let box = insert("Box", writer)
      return (box, AnythingClient.error { try writer.save() })
    }
    let isReadable = AnythingClient.error { _ = try self.picture(self.freshContext(first)) } == nil
    held.release()
    try require(
      [error == nil, isReadable], [false, true], .failedSave,
      "whether a save that waits too long succeeds, and who reads")
    try writer.performAndWait {
      try require([box.isInserted, box.objectID.isTemporaryID], [true, true], .lostUpdate, "what is left to save")
      try save(writer)
    }
    try require(try stored(second).objects.count, 2, .lostRecord, "boxes after a save that had to wait")
    for each in [first, second] { try close(each) }
  }

  /// While a save decides, another context of the coordinator reads in the same thread: with a log or without it waits for nothing.
  private func readInsideSave() throws {
    let mode = pick(["WAL", "DELETE", "TRUNCATE"]) ?? "WAL"
    note("a read inside a save, journal mode \(mode)")
    let coordinator = try open(at: newURL(), [NSSQLitePragmasOption: ["journal_mode": mode]])
    let (reader, other) = (context(coordinator), context(coordinator))
    let counted = Locked<Int?>(nil)
    let policy = AskingPolicy {
      reader.performAndWait {
        reader.reset()
        let count = try? reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Box"))
        counted.withLock { $0 = count }
      }
    }
    let owner = context(coordinator, policy)
    try owner.performAndWait {
      _ = insert("Box", owner)
      try save(owner)
    }
    for (context, title) in [(owner, "own"), (other, "other")] {
      try context.performAndWait { try all("Box", context).first?.setValue(title, forKey: "title") }
    }
    try other.performAndWait { try save(other) }
    try owner.performAndWait {
      _ = insert("Box", owner)
      try save(owner)
    }
    try require(counted.withLock { $0 }, 1, .dirtyRead, "boxes that a read inside a save counts")
    try close(coordinator)
  }

  /// Readers that overlap all the time, beside many saves: the log is begun anew, again and again.
  private func restartLog() throws {
    let url = newURL()
    let coordinator = try open(at: url)
    let writer = context(coordinator)
    try writer.performAndWait {
      for _ in 0..<20 { _ = insert("Box", writer) }
      try save(writer)
    }
    let readers = (0..<3).map { _ in freshContext(coordinator) }
    let isDone = Locked(false)
    note("large saves beside readers that overlap")
    for reader in readers {
      reader.perform {
        while !isDone.withLock({ $0 }) {
          _ = try? reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
          reader.reset()
        }
      }
    }
    var largest = 0
    try writer.performAndWait {
      let item = insert("Item", writer)
      for round in 0..<220 {
        item.setValue(String(repeating: "\(round % 10)", count: 250_000), forKey: "name")
        try writer.save()
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + "-wal")
        largest = max(largest, (attributes?[.size] as? NSNumber)?.intValue ?? 0)
      }
    }
    isDone.withLock { $0 = true }
    for reader in readers { reader.performAndWait {} }
    // Twice the size at which it begins anew: a reader that is slow may put off one restart.
    let isShort = largest < 40_000_000
    try waitAfterRestart(writer, url)
    try require(isShort, true, .logGrowth, "whether the log stays short: \(largest / 1_000_000) MB at most")
    try close(coordinator)
  }
}

extension RuleTrial {
  /// A writer waits for another coordinator's as long as before its log was begun anew.
  private func waitAfterRestart(_ writer: NSManagedObjectContext, _ url: URL) throws {
    let second = try open(at: url)
    let held = try holdFile(of: second)
    let problem = Locked<String?>(nil)
    writer.perform {
      NSEntityDescription.insertNewObject(forEntityName: "Box", into: writer).setValue(-1, forKey: RuleModel.number)
      do { try writer.save() } catch { problem.withLock { $0 = "\(error)" } }
    }
    // Longer than a restart of the log waits for readers, and far shorter than a writer waits.
    _ = Latch(label: "a save that is held").wait(atMost: 0.4)
    held.release()
    writer.performAndWait {}
    try require(problem.withLock { $0 }, nil, .failedSave, "the error of a save that waits for another coordinator's")
    try close(second)
  }
}

/// Has something done when it is asked, and decides as object trump does.
final class AskingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: the body locks its own state.
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  }

  override func resolve(mergeConflicts list: [Any]) throws {
    body()
    try super.resolve(mergeConflicts: list)
  }
}

private enum ConfiguredModel {
  static func make() -> NSManagedObjectModel {
    let (text, link, special) = (ModelParts.entity("Note"), ModelParts.entity("Link"), NSEntityDescription())
    special.name = "SpecialNote"
    text.subentities = [special]
    let model = NSManagedObjectModel()
    model.entities = [text, link, special]
    model.setEntities([text, special], forConfigurationName: "Local")
    model.setEntities([link], forConfigurationName: "Shared")
    return model
  }
}
