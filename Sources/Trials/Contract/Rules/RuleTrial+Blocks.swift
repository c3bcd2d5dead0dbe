import Checking
import CoreData
import Scheduling

// S1.1, S1.3 to S1.5: results and errors of blocks, where they run, how deep they nest, which of them process changes; and the
// objects that a context keeps alive.

extension RuleTrial {
  func blocks() throws {
    let coordinator = try open()
    let owner = context(coordinator)
    try owner.performAndWait {
      populate(owner, items: 4)
      try save(owner)
    }
    try answer(owner)
    try nest(coordinator)
    try callOverrides(coordinator)
    try keepAlive()
    try holdMembers(coordinator)
    try leaveNothing()
    if !Simulation.isCurrent { try performAsynchronously(coordinator) }
  }

  private struct Refusal: Error, Equatable {
    var number: Int
  }

  /// A block's value and its error come back to the caller, and the queue is free afterwards.
  private func answer(_ owner: NSManagedObjectContext) throws {
    let number = newNumber()
    try require(owner.performAndWait { number }, number, .wrongValue, "the value of a block")
    do {
      try owner.performAndWait { throw Refusal(number: number) }
      try report(.wrongValue, "the error of a block", expected: "thrown", seen: "nothing")
    } catch let error as Refusal {
      try require(error, Refusal(number: number), .wrongValue, "the error of a block")
    }
    let free = Latch(label: "a queue after an error")
    owner.perform { free.open() }
    try require(free.wait(atMost: 20), true, .hang, "whether a queue is free after a block that threw")
  }

  /// Blocks nest to any depth over several contexts; each block runs before its call returns, in the thread of the caller or on main.
  private func nest(_ coordinator: NSPersistentStoreCoordinator) throws {
    let contexts = (0..<3).map { _ in context(coordinator) }
    let main = mainContext(coordinator)
    let depth = 5 + draw(30)
    note("blocks nest \(depth) deep over three contexts")
    precondition(depth > contexts.count, "some context is entered again")
    let places = (0..<depth).map { _ in draw(3) }
    precondition(places.allSatisfy(contexts.indices.contains), "each level is a block of one of the contexts")
    var order: [Int] = []
    func enter(_ level: Int) {
      guard level < depth else { return }
      contexts[places[level]].performAndWait {
        order.append(level)
        enter(level + 1)
        order.append(-level)
      }
    }
    // Deeper ones enter queues that are held already, in any order; a thread that holds one takes the others in this one.
    for context in contexts.reversed() { order.append(context.performAndWait { -1_000 }) }
    order = []
    contexts[0].performAndWait { contexts[1].performAndWait { contexts[2].performAndWait { enter(0) } } }
    try require(
      order, Array(0..<depth) + (0..<depth).reversed().map { -$0 }, .incompatibleOrder, "the order of nested blocks")
    let isMain = Locked(false)
    main.performAndWait { isMain.withLock { $0 = SerialQueue.main.isHeld } }
    try require(isMain.withLock { $0 }, true, .contextOffQueue, "whether a block of a main-queue context runs on main")
    main.performAndWait { main.reset() }
  }

  /// A subclass's own methods are called in place of the class's.
  private func callOverrides(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = CountingContext(concurrencyType: .privateQueueConcurrencyType)
    owner.persistentStoreCoordinator = coordinator
    session.environment.adopt(owner, name: "blocks, counted \(newNumber())")
    let plain: NSManagedObjectContext = owner
    let done = Latch(label: "a block of a subclass")
    plain.perform { done.open() }
    done.wait()
    plain.performAndWait {}
    try plain.performAndWait { try plain.save() }
    try require(
      owner.calls.withLock { $0.sorted() }, ["perform", "performAndWait", "save"], .wrongValue,
      "the methods of a subclass that were called")
  }

  // MARK: Lifetimes

  /// A context keeps its coordinator, a child its parent, an object nothing; once nothing is held all are gone.
  private func keepAlive() throws {
    let url = newURL()
    weak var coordinator: NSPersistentStoreCoordinator?
    weak var parent: NSManagedObjectContext?
    try {
      let own = NSPersistentStoreCoordinator(managedObjectModel: RuleModel.shared)
      try own.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
      let child: NSManagedObjectContext = {
        let above = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        above.persistentStoreCoordinator = own
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = above
        (coordinator, parent) = (own, above)
        return child
      }()
      let box = try child.performAndWait {
        let box = insert("Box", child)
        try child.save()
        return box
      }
      try parent?.performAndWait { try parent?.save() }
      child.performAndWait {
        let way = draw(4)
        if way == 0 { box.setValue("unsaved", forKey: "title") }
        if way == 1 { child.detectConflicts(for: box) }
        if way == 2 { child.delete(box) }
      }
      try require(
        [parent != nil, child.performAndWait { box.managedObjectContext === child }], [true, true], .contextLeak,
        "whether a child keeps its parent, and an object knows its context")
    }()
    for _ in 0..<200 where parent != nil || coordinator != nil { SerialQueue.main.sync {} }
    try require(
      [parent == nil, coordinator == nil], [true, true], .contextLeak,
      "whether a parent and a coordinator are gone once nothing holds them")
    let again = try open(at: url)
    try require(
      try stored(again).objects.count, 1, .lostRecord, "objects of a store after its coordinator was released")
    try close(again)
  }

  /// A realised relationship holds its members; a refresh lets them go.
  private func holdMembers(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    try owner.performAndWait {
      let id: NSManagedObjectID? = try {
        let item = try all("Item", owner).first { $0.value(forKey: "box") != nil }
        return item?.objectID
      }()
      guard let id else { return }
      let item = try owner.existingObject(with: id)
      let box: NSManagedObjectID? = {
        let box = item.value(forKey: "box") as? NSManagedObject
        _ = (box?.value(forKey: "items") as? NSSet)?.count
        return box?.objectID
      }()
      guard let box else { return }
      try require(
        owner.registeredObject(for: box) != nil, true, .wrongValue, "whether a box that an item has read is registered")
      // A cycle of two that have read each other: either one's refresh breaks it.
      owner.refresh(item, mergeChanges: false)
      owner.registeredObject(for: box).map { owner.refresh($0, mergeChanges: false) }
      try require(
        owner.registeredObject(for: box) == nil, true, .contextLeak,
        "whether a box that nothing holds has left after a refresh")
      withExtendedLifetime(item) {}
    }
  }

  // MARK: Asynchronous forms

  /// The asynchronous form returns and throws like the other; an enqueued block ends with its changes processed.
  private func performAsynchronously(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let log = NoticeLog(session.environment, owner)
    defer { log.end() }
    let (number, done, seen) = (newNumber(), Latch(label: "asynchronous blocks"), Locked<[String]>([]))
    note("asynchronous blocks")
    Task {
      let value = await owner.perform { number }
      do {
        try await owner.perform(schedule: .enqueued) { throw Refusal(number: number) }
      } catch {
        let refusal = (error as? Refusal)?.number ?? -1
        seen.withLock { $0 = ["\(value)", "\(refusal)"] }
      }
      await owner.perform(schedule: .enqueued) {
        NSEntityDescription.insertNewObject(forEntityName: "Box", into: owner).setValue(
          number, forKey: RuleModel.number)
      }
      done.open()
    }
    try require(done.wait(atMost: 30), true, .hang, "whether asynchronous blocks are run")
    try require(
      seen.withLock { $0 }, ["\(number)", "\(number)"], .wrongValue, "what asynchronous blocks return and throw")
    owner.performAndWait {}
    try require(
      log.removeAll().map(\.name), ["did-change"], .missedNotification, "the notifications of an enqueued block")
  }
}

/// Counts the methods that it overrides.
private final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
  // Sendable: the calls lock themselves.
  let calls = Locked<[String]>([])

  override func perform(_ block: @escaping @Sendable () -> Void) {
    calls.withLock { $0.append("perform") }
    super.perform(block)
  }

  override func performAndWait(_ block: () -> Void) {
    calls.withLock { $0.append("performAndWait") }
    super.performAndWait(block)
  }

  override func save() throws {
    calls.withLock { $0.append("save") }
    try super.save()
  }
}
