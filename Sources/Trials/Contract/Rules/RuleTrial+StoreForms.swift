import Checking
import CoreData
import Scheduling

// S1.3, S1.4, S6.2, S6.3: blocks of contexts and coordinators in every form, with values and errors; and what is done with whole
// stores, by the types of stores and by their names.

extension RuleTrial {
  private struct Refusal: Error, Equatable {
    var number: Int
  }

  private static func refused(_ body: () throws -> Void) -> Int? {
    do { try body() } catch { return (error as? Refusal)?.number ?? -1 }
    return nil
  }

  // MARK: Blocks

  /// The forms that wait, and those that do not: values, errors, and one block after the other.
  func performInForms(_ coordinator: NSPersistentStoreCoordinator) throws {
    let number = newNumber()
    let contexts: [(String, NSManagedObjectContext, NSManagedObjectContextConcurrencyType)] = [
      ("private queue", NSManagedObjectContext(.privateQueue), .privateQueueConcurrencyType),
      ("main queue", NSManagedObjectContext(.mainQueue), .mainQueueConcurrencyType),
      (
        "old private queue", NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType),
        .privateQueueConcurrencyType
      ),
    ]
    for (name, context, type) in contexts {
      try require(context.concurrencyType, type, .wrongValue, "the type of a context of the \(name)")
      context.persistentStoreCoordinator = coordinator
      session.environment.adopt(context, name: "forms \(newNumber())")
      try require(context.performAndWait { number }, number, .wrongValue, "the value of a block of the \(name)")
      try require(
        Self.refused { try context.performAndWait { throw Refusal(number: number) } }, number, .wrongValue,
        "the error of a block of the \(name)")
    }
    try require(
      NSManagedObjectContext().concurrencyType, .confinementConcurrencyType, .wrongValue, "the type of a plain context")
    try require(coordinator.performAndWait { number }, number, .wrongValue, "the value of a coordinator's block")
    try require(
      Self.refused { try coordinator.performAndWait { throw Refusal(number: number) } }, number, .wrongValue,
      "the error of a coordinator's block")
    let plain: (() -> Void) -> Void = coordinator.performAndWait
    var runs = 0
    plain { coordinator.performAndWait { runs += 1 } }
    try require(runs, 1, .wrongValue, "how often a coordinator's block is run in another one")
    let (count, order, done) = (1 + draw(20), Locked<[Int]>([]), Latch(label: "a coordinator's blocks"))
    note("\(count) blocks of a coordinator")
    for place in 0..<count { coordinator.perform { order.withLock { $0.append(place) } } }
    coordinator.perform { done.open() }
    try require(done.wait(atMost: 30), true, .hang, "whether a coordinator's blocks are run")
    try require(order.withLock { $0 }, Array(0..<count), .incompatibleOrder, "the order of a coordinator's blocks")
  }

  /// The forms that are awaited return and throw as the others do.
  func awaitForms(_ coordinator: NSPersistentStoreCoordinator) throws {
    let container = NSPersistentContainer(name: "forms \(newNumber())", managedObjectModel: RuleModel.shared)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: newURL())]
    container.loadPersistentStores { _, _ in }
    let owner = context(coordinator)
    let (number, done, seen) = (newNumber(), Latch(label: "forms that are awaited"), Locked<[String]>([]))
    let adopt = session.environment
    Task {
      var words: [String] = []
      func record(_ what: String, _ body: () async throws -> Int) async {
        do { words.append("\(what) \(try await body())") } catch {
          words.append("\(what) refused \((error as? Refusal)?.number ?? -1)")
        }
      }
      await record("context") { await owner.perform { number } }
      await record("context at once") {
        try await owner.perform(schedule: .immediate) { throw Refusal(number: number) }
      }
      await record("coordinator") { await coordinator.perform { number } }
      await record("coordinator's error") { try await coordinator.perform { throw Refusal(number: number) } }
      await record("task") {
        try await container.performBackgroundTask { context in
          adopt.adopt(context, name: "forms, a task \(number)")
          NSEntityDescription.insertNewObject(forEntityName: "Plain", into: context).setValue(number, forKey: "number")
          try context.save()
          return number
        }
      }
      await record("task's error") {
        try await container.performBackgroundTask { _ in throw Refusal(number: number) }
      }
      let found = words
      seen.withLock { $0 = found }
      done.open()
    }
    try require(done.wait(atMost: 30), true, .hang, "whether forms that are awaited are run")
    let expected = [
      "context \(number)", "context at once refused \(number)", "coordinator \(number)",
      "coordinator's error refused \(number)", "task \(number)", "task's error refused \(number)",
    ]
    try require(seen.withLock { $0 }, expected, .wrongValue, "what forms that are awaited return and throw")
    let reader = container.newBackgroundContext()
    session.environment.adopt(reader, name: "forms, a reader \(number)")
    try require(
      try reader.performAndWait { try all("Plain", reader).map(RulePicture.number) }, [number], .lostRecord,
      "what a task that was awaited has saved")
    reader.performAndWait { reader.reset() }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  // MARK: Stores

  /// One series of calls about whole stores, by name and by type: after each of them both have the same, or fail alike.
  func moveInForms() throws {
    let sides = try [false, true].map { isTyped in
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
      let side = StoreSide(coordinator, newURL(), isTyped: isTyped)
      try side.add(side.url)
      let owner = context(coordinator)
      try owner.performAndWait {
        for number in 0..<3 {
          NSEntityDescription.insertNewObject(forEntityName: "Plain", into: owner).setValue(number, forKey: "number")
        }
        try owner.save()
        owner.reset()
      }
      return side
    }
    precondition(sides[0].isTyped != sides[1].isTyped, "one side goes by types, the other by names")
    for step in shuffled(StoreSide.Step.allCases) + some(StoreSide.Step.allCases, atMost: 4) {
      let (url, word) = ("step\(newNumber())", "\(newNumber())")
      note("\(step) in both forms")
      var states: [String] = []
      for side in sides {
        let code = AnythingClient.error { try side.carryOut(step, url, word) }?.code
        states.append("\(code.map { "error \($0)" } ?? "done"), \(try state(side))")
      }
      try require(states[1], states[0], .wrongValue, "what \(step) by the type of a store does, and by its name")
      if step == .addUnknown || step == .readUnknown {
        try require(
          states[0].hasPrefix("error \(NSPersistentStoreInvalidTypeError)"), true, .wrongValue,
          "whether \(step) fails with 134000")
      }
    }
    for side in sides {
      for store in side.coordinator.persistentStores { try side.coordinator.remove(store) }
    }
  }

  /// The stores of a side, their types and what they keep: whatever is the same for both.
  private func state(_ side: StoreSide) throws -> String {
    let reader = freshContext(side.coordinator)
    let texts = side.coordinator.persistentStores.map { store in
      let url = store.url.map { $0.lastPathComponent.hasPrefix("step") ? $0.lastPathComponent : "the first" } ?? "none"
      return "\(store.type) \(url) \(store.metadata["word"] ?? "no word")"
    }
    // Nothing is read where no store is open.
    let numbers =
      side.coordinator.persistentStores.isEmpty
      ? [] : try reader.performAndWait { try all("Plain", reader).map(RulePicture.number) }
    let file =
      try? side.isTyped
      ? NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: side.url)
      : NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: side.url)
    let word = file.map { "\($0["word"] ?? "no word") \($0[NSStoreTypeKey] ?? "no type")" } ?? "no metadata"
    let isThere = FileManager.default.fileExists(atPath: side.url.path)
    return "stores \(texts), numbers \(numbers), in the file \(word), which is there: \(isThere)"
  }
}

/// One of two coordinators that do the same, by the types of stores or by their names.
private final class StoreSide {
  enum Step: CaseIterable {
    case add, addUnknown, readUnknown, setMetadata, setMetadataOfFile, replace, migrate, migrateIntoMemory, destroy
    case destroyWithForce
  }

  let coordinator: NSPersistentStoreCoordinator
  let isTyped: Bool
  /// The file of the newest store in one.
  private(set) var url: URL

  init(_ coordinator: NSPersistentStoreCoordinator, _ url: URL, isTyped: Bool) {
    (self.coordinator, self.isTyped) = (coordinator, isTyped)
    self.url = url.deletingPathExtension().appendingPathComponent("first.sqlite")
    try? FileManager.default.createDirectory(
      at: self.url.deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  func add(_ url: URL, _ type: NSPersistentStore.StoreType = .sqlite) throws {
    if isTyped {
      try coordinator.addPersistentStore(type: type, at: url)
    } else {
      try coordinator.addPersistentStore(ofType: type.rawValue, configurationName: nil, at: url)
    }
  }

  func carryOut(_ step: Step, _ name: String, _ word: String) throws {
    let other = url.deletingLastPathComponent().appendingPathComponent(name + ".sqlite")
    switch step {
    case .add:
      try add(other)
      url = other
    case .addUnknown: try add(other, .binary)
    case .readUnknown:
      _ =
        isTyped
        ? try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .inMemory, at: url)
        : try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSInMemoryStoreType, at: url)
    case .setMetadata:
      guard let store = coordinator.persistentStores.first else { return }
      if isTyped { coordinator.setMetadata(["word": word], for: store) } else { store.metadata = ["word": word] }
    case .setMetadataOfFile: try setMetadataOfFile(word)
    case .replace: try replace(other)
    case .migrate: try migrate(other, .sqlite)
    case .migrateIntoMemory: try migrate(other, .inMemory)
    case .destroy: try destroy(nil)
    case .destroyWithForce: try destroy([NSPersistentStoreForceDestroyOption: true as NSNumber])
    }
  }

  private func setMetadataOfFile(_ word: String) throws {
    // Under both of the older names.
    let isOldest = word.hasSuffix("1") || word.hasSuffix("3")
    if isTyped {
      try NSPersistentStoreCoordinator.setMetadata(["word": word], type: .sqlite, at: url)
    } else if isOldest {
      try NSPersistentStoreCoordinator.setMetadata(
        ["word": word], forPersistentStoreOfType: NSSQLiteStoreType, at: url)
    } else {
      try NSPersistentStoreCoordinator.setMetadata(["word": word], ofType: NSSQLiteStoreType, at: url)
    }
  }

  /// A copy of the file, which is opened as well.
  private func replace(_ other: URL) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    if isTyped {
      try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, type: .sqlite)
    } else {
      try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
    }
    try add(other)
    url = other
  }

  private func migrate(_ other: URL, _ type: NSPersistentStore.StoreType) throws {
    guard let store = coordinator.persistentStores.last else { return try add(url) }
    let new =
      isTyped
      ? try coordinator.migratePersistentStore(store, to: other, type: type)
      : try coordinator.migratePersistentStore(store, to: other, withType: type.rawValue)
    if new.type == NSSQLiteStoreType { url = other }
  }

  private func destroy(_ options: [AnyHashable: Any]?) throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    if isTyped {
      try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
    } else {
      try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: options)
    }
  }
}
