import Checking
import CoreData
import Scheduling

// S3.1, S6.2, S6.3, S6.10, S6.12: each object is saved to the store that was chosen for it, however often its save was refused and
// whichever context made it; a save that one store cannot take leaves nothing in the others; a store that was removed is closed.

extension RuleTrial {
  func homes() throws {
    try assign()
    try refuseParts()
    try passReadOnly()
    try removeInsideSave()
    try readDestroyed()
    if !Simulation.isCurrent {
      try closeWhole()
      try closeByRelease()
      try loadDescribed()
    }
  }

  private func openTwo() throws -> (coordinator: NSPersistentStoreCoordinator, stores: [NSPersistentStore]) {
    let coordinator = try open(at: newURL())
    let second = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: newURL())
    precondition(coordinator.persistentStores.count == 2, "an object has one of two homes")
    return (coordinator, coordinator.persistentStores.filter { $0 !== second } + [second])
  }

  /// The numbers of the objects of each store, in a context that has read nothing.
  private func numbers(
    _ coordinator: NSPersistentStoreCoordinator, _ stores: [NSPersistentStore]
  ) throws -> [[Int]] {
    let reader = freshContext(coordinator)
    return try reader.performAndWait {
      let objects = try RulePicture.entities.flatMap { try all($0, reader) }
      return stores.map { store in
        objects.filter { $0.objectID.persistentStore === store }.map(RulePicture.number).sorted()
      }
    }
  }

  private func refuseOnce(_ context: NSManagedObjectContext, _ box: NSManagedObject) throws {
    note("a refused save of \(context.name ?? "")")
    let title = box.value(forKey: "title")
    box.setValue(String(repeating: "long ", count: 9), forKey: "title")
    let error = AnythingClient.error { try context.save() }
    try require(error == nil, false, .failedSave, "whether a title that is too long is refused")
    box.setValue(title, forKey: "title")
  }

  // MARK: Assigned stores

  /// New objects of a context or a child are assigned, get IDs, meet refused saves, go and come again: each is in its store.
  private func assign() throws {
    let (coordinator, stores) = try openTwo()
    let root = context(coordinator)
    let editor = chance(1, of: 2) ? context(in: root) : root
    var expected: [[Int]] = [[], []]
    var earlier: [(object: NSManagedObject, home: Int)] = []
    for _ in 0..<2 {
      let homes = try editor.performAndWait { () -> [(object: NSManagedObject, home: Int)] in
        var homes: [(object: NSManagedObject, home: Int)] = []
        for index in 0..<(2 + draw(4)) {
          let object = insert(index == 0 ? "Box" : pick(["Item", "Tag", "SpecialItem"]) ?? "Item", editor)
          let home = draw(3)
          note("\(RulePicture.number(object)) is \(home < 2 ? "assigned to store \(home)" : "not assigned")")
          if home < 2 { editor.assign(object, to: stores[home]) }
          homes.append((object, home % 2))
        }
        if chance(1, of: 3) {
          let vain = insert("Item", editor)
          editor.assign(vain, to: stores[1])
          editor.delete(vain)
        }
        if chance(1, of: 3) { try refuseOnce(editor, homes[0].object) }
        if chance(1, of: 2) {
          let chosen = some((homes + earlier).map(\.object), atMost: 5)
          note("permanent IDs of \(chosen.map(RulePicture.number))")
          try editor.obtainPermanentIDs(for: chosen)
          for (object, home) in homes + earlier where chosen.contains(object) {
            try require(
              object.objectID.persistentStore === stores[home], true, .wrongValue,
              "whether the permanent ID of \(RulePicture.number(object)) is of store \(home)")
          }
        }
        try save(editor)
        return homes
      }
      if editor !== root {
        try root.performAndWait {
          if chance(1, of: 2), let box = root.insertedObjects.first(where: { $0.entity.name == "Box" }) {
            try refuseOnce(root, box)
          }
          try save(root)
        }
      }
      editor.performAndWait {
        earlier += homes
        for (object, home) in homes { expected[home].append(RulePicture.number(object)) }
      }
      try require(
        try numbers(coordinator, stores), expected.map { $0.sorted() }, .wrongValue, "the objects of each store")
    }
    precondition(earlier.count == expected.reduce(0) { $0 + $1.count }, "each object has one home")
    try close(coordinator)
  }

  // MARK: Parts of saves

  /// A save to two stores, one of which cannot have its part: neither has anything of it, and what is mended is saved.
  private func refuseParts() throws {
    let (coordinator, stores) = try openTwo()
    let owner = context(coordinator)
    try owner.performAndWait {
      for store in stores {
        for entity in ["Box", "Tag", "Item"] { owner.assign(insert(entity, owner), to: store) }
      }
      try save(owner)
    }
    let before = try picture(freshContext(coordinator))
    let isRemoved = chance(1, of: 2)
    let (error, touched) = try owner.performAndWait { () -> (NSError?, [NSManagedObject]) in
      func object(_ entity: String, _ store: NSPersistentStore) throws -> NSManagedObject? {
        try all(entity, owner).first { $0.objectID.persistentStore === store }
      }
      let new = insert("Item", owner)
      owner.assign(new, to: stores[0])
      let changed = try stores.compactMap { try object("Item", $0) }
      for item in changed { item.setValue(newNumber(), forKey: "rank") }
      let key = pick(["box", "shelf", "tags"]) ?? "box"
      if isRemoved {
        note("a save to two stores, of which one was removed")
        try coordinator.remove(stores[1])
      } else if key == "tags" {
        note("a tag of another store")
        new.setValue(NSOrderedSet(array: [try object("Tag", stores[1])].compactMap { $0 }), forKey: key)
      } else {
        note("a \(key) of another store")
        new.setValue(try object("Box", stores[1]), forKey: key)
      }
      let error = AnythingClient.error { try owner.save() }
      return (error, [new] + changed)
    }
    let code = isRemoved ? NSPersistentStoreOperationError : NSManagedObjectReferentialIntegrityError
    try require(
      error?.code, code, .wrongValue,
      "the error of a save to two stores, one of which \(isRemoved ? "was removed" : "is led to from the other")")
    try require(error?.domain, NSCocoaErrorDomain, .wrongValue, "the domain of that error")
    try owner.performAndWait {
      try require(
        [touched[0].isInserted, touched[0].objectID.isTemporaryID] + touched.dropFirst().map(\.hasChanges),
        [true, true] + touched.dropFirst().map { _ in true }, .lostUpdate,
        "what is left to save of a save to two stores")
    }
    let left = isRemoved ? Set(try numbers(coordinator, [stores[0]])[0]) : Set(before.objects.keys)
    try require(
      try picture(freshContext(coordinator)), before.part(left), .dirtyRead,
      "what the stores have of a save that one of them could not take")
    try owner.performAndWait {
      owner.rollback()
      let new = insert("Item", owner)
      if !isRemoved { owner.assign(new, to: stores[1]) }
      try save(owner)
      try require(
        new.objectID.persistentStore === stores[isRemoved ? 0 : 1], true, .wrongValue,
        "whether a new object is in its store after a save was refused")
    }
    try close(coordinator)
  }

  /// New objects pass over a store that is only read; a change of one of its objects is refused, and so is all of its save.
  private func passReadOnly() throws {
    let urls = [newURL(), newURL()]
    let maker = try open(at: urls[0])
    let writer = context(maker)
    try writer.performAndWait {
      _ = insert("Box", writer)
      try save(writer)
    }
    try close(maker)
    note("a store that is only read, before one that is not")
    let coordinator = try open(at: urls[0], [NSReadOnlyPersistentStoreOption: true])
    let second = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: urls[1])
    let owner = context(coordinator)
    try owner.performAndWait {
      let new = insert("Item", owner)
      try save(owner)
      try require(
        new.objectID.persistentStore === second, true, .wrongValue,
        "whether a new object passes over a store that is only read")
      let rank = RulePicture.text(new.value(forKey: "rank"))
      new.setValue(1_000 + newNumber(), forKey: "rank")
      try all("Box", owner).first?.setValue("changed", forKey: "title")
      let error = AnythingClient.error { try owner.save() }
      try require(
        error?.code, NSPersistentStoreSaveError, .unpersistedSave, "the error of a save to a store that is only read")
      let fresh = freshContext(coordinator)
      let stored = try fresh.performAndWait { RulePicture.text(try all("Item", fresh).first?.value(forKey: "rank")) }
      try require(stored, rank, .dirtyRead, "a rank in the store beside one that is only read, after a refused save")
      owner.rollback()
    }
    try close(coordinator)
  }

  // MARK: Removing

  /// A store is not removed inside a save; the save continues, and the store is there.
  private func removeInsideSave() throws {
    let coordinator = try open(at: newURL())
    guard let store = coordinator.persistentStores.first else { return }
    let code = Locked<Int?>(nil)
    let policy = AskingPolicy {
      let error = AnythingClient.error { try coordinator.remove(store) }
      code.withLock { $0 = error?.code }
    }
    let (owner, other) = (context(coordinator, policy), context(coordinator))
    try owner.performAndWait {
      _ = insert("Box", owner)
      try save(owner)
    }
    for (context, title) in [(owner, "own"), (other, "other")] {
      try context.performAndWait { try all("Box", context).first?.setValue(title, forKey: "title") }
    }
    try other.performAndWait { try save(other) }
    note("remove the store inside a save")
    try owner.performAndWait { try save(owner) }
    try require(code.withLock { $0 }, 132_001, .wrongValue, "the error of removing a store inside a save")
    let fresh = freshContext(coordinator)
    let titles = try fresh.performAndWait { try all("Box", fresh).map { $0.value(forKey: "title") as? String } }
    try require(titles, ["own"], .lostUpdate, "the title after a save in which its store was to be removed")
    try close(coordinator)
  }

  /// A store that was destroyed and made anew by another coordinator is another one for who reads, too.
  private func readDestroyed() throws {
    let url = newURL()
    let first = try open(at: url)
    let writer = context(first)
    let id: NSManagedObjectID = try writer.performAndWait {
      let box = insert("Box", writer)
      try save(writer)
      return box.objectID
    }
    let (isOwn, isPinned) = (chance(1, of: 2), chance(1, of: 2))
    let reader = freshContext(first)
    if isPinned {
      note("a query generation is chosen, and nothing read")
      try reader.performAndWait { try reader.setQueryGenerationFrom(.current) }
    }
    note("\(isOwn ? "its own" : "another") coordinator destroys the store, and another one makes it anew")
    let destroyer = isOwn ? first : NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
    try destroyer.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
    let anew = try open(at: url)
    let owner = context(anew)
    try owner.performAndWait {
      for _ in 0..<2 { _ = insert("Box", owner) }
      try save(owner)
    }
    let isCount = chance(1, of: 2)
    let error = reader.performAndWait {
      AnythingClient.error {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Box")
        if isCount { _ = try reader.count(for: request) } else { _ = try reader.fetch(request) }
      }
    }
    try require(
      error == nil, false, .wrongValue,
      "whether a \(isCount ? "count" : "fetch") in a store that was destroyed succeeds")
    let found = reader.performAndWait { (try? reader.existingObject(with: id)) != nil }
    try require(found, false, .resurrectedRecord, "whether an object of a store that was destroyed is found")
    try require(
      try stored(anew).objects.count, 2, .wrongValue, "objects of the store that took the place of another")
    try close(first)
    try close(anew)
  }

  /// A store that was removed has no open file, and its file alone is all of it, though contexts and the store are held.
  private func closeWhole() throws {
    let url = newURL()
    let coordinator = try open(at: url)
    let (writer, readers) = (context(coordinator), (0..<2).map { _ in context(coordinator) })
    try writer.performAndWait {
      populate(writer, items: 4)
      try save(writer)
    }
    let held = try readers.map { reader in
      try reader.performAndWait {
        let objects = try all("Item", reader)
        for object in objects {
          reader.refresh(object, mergeChanges: false)
          _ = object.value(forKey: "rank")
        }
        return objects
      }
    }
    try writer.performAndWait {
      for _ in 0..<(1 + draw(3)) { try changeSomething(writer) }
      try save(writer)
    }
    let expected = try stored(coordinator)
    let store = coordinator.persistentStores.first
    note("remove the store, and copy its file alone")
    try close(coordinator)
    try require(try openFiles(url), 0, .storeCorruption, "open files of a store that was removed")
    let copy = newURL()
    try FileManager.default.copyItem(at: url, to: copy)
    let folder = url.deletingLastPathComponent()
    let large = ".\(url.deletingPathExtension().lastPathComponent)_SUPPORT"
    let support = folder.appendingPathComponent(large)
    if FileManager.default.fileExists(atPath: support.path) {
      let name = ".\(copy.deletingPathExtension().lastPathComponent)_SUPPORT"
      try FileManager.default.copyItem(at: support, to: folder.appendingPathComponent(name))
    }
    let alone = try open(at: copy)
    try require(try stored(alone), expected, .durabilityLost, "in a copy of the file of a store that was removed")
    try close(alone)
    withExtendedLifetime((store, held)) {}
  }

  /// How many descriptors this process has of a store's files.
  func openFiles(_ url: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { number in
      let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + number)
      return file?.hasPrefix(url.path) ?? false
    }.count
  }

  /// A coordinator that is released closes its stores.
  private func closeByRelease() throws {
    let url = newURL()
    note("release a coordinator")
    try {
      let own = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
      try own.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
      let owner = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      owner.persistentStoreCoordinator = own
      try owner.performAndWait {
        _ = insert("Box", owner)
        try owner.save()
      }
    }()
    // The last block of a queue may still be on its way out.
    for _ in 0..<200 where try openFiles(url) > 0 { SerialQueue.main.sync {} }
    try require(try openFiles(url), 0, .storeCorruption, "open files of a coordinator that was released")
  }

  // MARK: Descriptions

  /// A container reports each store that it is to load once, with its error or without, and opens those that can be opened.
  private func loadDescribed() throws {
    let container = NSPersistentContainer(name: "Rules", managedObjectModel: RuleModel.shared)
    let (good, bad) = (
      newURL().deletingLastPathComponent().appendingPathComponent("made\(newNumber())/rules.sqlite"), newURL()
    )
    try Data(repeating: 65, count: 5_000).write(to: bad)
    let isAsynchronous = chance(1, of: 2)
    let urls = chance(1, of: 2) ? [good, bad] : [bad, good]
    container.persistentStoreDescriptions = urls.map { url in
      let description = NSPersistentStoreDescription(url: url)
      description.shouldAddStoreAsynchronously = isAsynchronous
      return description
    }
    note("load a store in a folder that is to be made, and one that is no database")
    let (calls, loaded) = (Locked<[String]>([]), Latch(label: "stores are loaded"))
    container.loadPersistentStores { description, error in
      let code = (error as NSError?)?.code ?? 0
      let count = calls.withLock { calls in
        calls.append("\(code) \(description.url?.lastPathComponent ?? "")")
        return calls.count
      }
      if count == 2 { loaded.open() }
    }
    try require(loaded.wait(atMost: 30), true, .hang, "whether a container reports its stores")
    let wanted = urls.map { "\($0 == bad ? NSFileReadCorruptFileError : 0) \($0.lastPathComponent)" }
    try require(calls.withLock { $0 }, wanted, .wrongValue, "the stores that a container reports, with their errors")
    let stores = container.persistentStoreCoordinator.persistentStores
    try require(
      stores.map { $0.url?.lastPathComponent }, [good.lastPathComponent], .wrongValue, "the stores of a container")
    try close(container.persistentStoreCoordinator)
    try FileManager.default.removeItem(at: bad)
  }
}
