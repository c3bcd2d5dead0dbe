import Checking
import CoreData
import Scheduling

// S1.2 to S1.5, S1.8, S1.9: contexts run at the same time, and one block of each at a time; changes on main are processed at
// the end of its turn; a wait that is over closes no cycle; readers do not wait for savers; released contexts are gone.

extension RuleTrial {
  func queues() throws {
    let coordinator = try open()
    let maker = context(coordinator)
    try maker.performAndWait {
      for _ in 0..<4 { _ = insert("Item", maker) }
      try save(maker)
    }
    try meet(coordinator)
    try runOneByOne(coordinator)
    try changeOnMain(coordinator)
    endWaits(coordinator)
    try readBesideWaitingSaves(coordinator)
    try release(coordinator)
  }

  /// Two contexts' blocks that wait for each other.
  private func meet(_ coordinator: NSPersistentStoreCoordinator) throws {
    let contexts = [context(coordinator), context(coordinator)]
    precondition(contexts[0] !== contexts[1], "two contexts meet")
    let latches = contexts.indices.map { Latch(label: "block \($0) runs") }
    let met = Locked(0)
    note("two contexts' blocks wait for each other")
    for (index, context) in contexts.enumerated() {
      context.perform {
        latches[index].open()
        if latches[1 - index].wait(atMost: 20) { met.withLock { $0 += 1 } }
      }
    }
    for context in contexts { context.performAndWait {} }
    try require(met.withLock { $0 }, 2, .hang, "blocks of two contexts that met")
  }

  /// Blocks of one context from several threads.
  private func runOneByOne(_ coordinator: NSPersistentStoreCoordinator) throws {
    let (owner, others) = (context(coordinator), (0..<3).map { _ in context(coordinator) })
    let (inside, overlaps, sum) = (Locked(0), Locked(0), Locked(0))
    let block: @Sendable () -> Void = {
      if inside.withLock({
        $0 += 1; return $0
      }) != 1 {
        overlaps.withLock { $0 += 1 }
      }
      _ = owner.registeredObjects.count
      sum.withLock { $0 += 1 }
      inside.withLock { $0 -= 1 }
    }
    note("blocks of one context from three others")
    for other in others {
      other.perform { for _ in 0..<5 { owner.performAndWait(block) } }
      owner.perform(block)
    }
    for other in others { other.performAndWait {} }
    owner.performAndWait {}
    try require(
      [overlaps.withLock { $0 }, sum.withLock { $0 }], [0, 18], .incompatibleOrder,
      "blocks of one context that overlapped, and all")
  }

  // MARK: Main

  /// Changes outside blocks are processed once, at the end of main's turn; changes by an observer then, in the next one.
  private func changeOnMain(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    owner.persistentStoreCoordinator = coordinator
    session.environment.adopt(owner, name: "queues on main \(newNumber())")
    let (turns, changesAgain) = (1 + draw(3), chance(2, of: 3))
    let log = Locked<[Int]>([])
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: owner) {
      notification in
      let inserted = (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []).count
      let isFirst = log.withLock { log in
        log.append(inserted)
        return log.count == 1
      }
      if isFirst, changesAgain { Self.insertBox(into: owner, -1) }
    }
    defer { session.environment.removeObserver(observer) }
    note("\(turns) turns of main that insert outside a block\(changesAgain ? "; an observer inserts once more" : "")")
    var expected: [Int] = []
    for turn in 0..<turns {
      let count = 1 + draw(3)
      SerialQueue.main.sync {
        for number in 0..<count { Self.insertBox(into: owner, turn * 10 + number) }
      }
      // Two turns of main later everything is processed.
      for _ in 0..<3 {
        let turn = Latch(label: "a turn of main")
        SerialQueue.main.async { turn.open() }
        turn.wait()
      }
      expected.append(count)
      if turn == 0, changesAgain { expected.append(1) }
    }
    let seen = log.withLock { $0 }
    try require(
      seen, expected, seen.count < expected.count ? .missedNotification : .wrongNotification,
      "how many objects each notification of main's turns names")
    owner.performAndWait { owner.reset() }
  }

  private static func insertBox(into context: NSManagedObjectContext, _ number: Int) {
    NSEntityDescription.insertNewObject(forEntityName: "Box", into: context).setValue(number, forKey: RuleModel.number)
  }

  /// Main has served a thread's wait, and waits for the queue that this thread holds: no cycle, since the first wait is over.
  ///
  /// A graph of waits that takes it for one reports a deadlock.
  private func endWaits(_ coordinator: NSPersistentStoreCoordinator) {
    let owner = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    owner.persistentStoreCoordinator = coordinator
    session.environment.adopt(owner, name: "waits for main \(newNumber())")
    let holders = [context(coordinator), context(coordinator)]
    note("waits for main and for each other's contexts that are over")
    for round in 0..<20 {
      let holder = holders[round % 2]
      let isDone = Latch(label: "main's turn after a wait")
      holder.performAndWait {
        owner.performAndWait {
          SerialQueue.main.async {
            holder.performAndWait {}
            isDone.open()
          }
        }
      }
      isDone.wait()
      let other = holders[1 - round % 2]
      let isServed = Latch(label: "another context's block after a wait")
      holder.performAndWait {
        other.performAndWait {}
        other.perform {
          holder.performAndWait {}
          isServed.open()
        }
      }
      isServed.wait()
    }
  }

  // MARK: Saves

  /// A save holds the writer's turn as long as its policy decides: many others wait for it, and a reader does not.
  private func readBesideWaitingSaves(_ coordinator: NSPersistentStoreCoordinator) throws {
    let policy = WaitingPolicy()
    let holder = context(coordinator, policy)
    let (other, reader) = (context(coordinator), context(coordinator))
    for (context, rank) in [(holder, 1), (other, 2)] {
      try context.performAndWait { try all("Item", context).first?.setValue(1_000 + rank, forKey: "rank") }
    }
    try other.performAndWait { try other.save() }
    // More than any pool has threads, now and then.
    let saves = Simulation.isCurrent ? 4 : chance(1, of: 4) ? 140 : 20
    let waiting = (0..<saves).map { _ in context(coordinator) }
    note("\(waiting.count) saves wait for one that holds the writer's turn")
    holder.perform { [session] in
      do { try holder.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    precondition(!waiting.isEmpty, "some saves wait")
    let isHeld = policy.isDeciding.wait(atMost: 20)
    for context in waiting {
      context.perform { [session] in
        Self.insertBox(into: context, 1)
        do { try context.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
      }
    }
    let hasRead = Latch(label: "a read beside waiting saves")
    reader.perform {
      _ = try? reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
      hasRead.open()
    }
    let isFree = hasRead.wait(atMost: 20)
    policy.mayEnd.open()
    for context in waiting + [holder, reader] { context.performAndWait {} }
    try require([isHeld, isFree], [true, true], .hang, "whether a policy was asked, and who reads runs beside it")
    let count = try reader.performAndWait { try all("Box", reader).count }
    try require(count, waiting.count, .lostRecord, "boxes of saves that waited")
  }

  // MARK: Releases

  /// A released context is gone, with its objects; changed or locked objects are kept while there is a context.
  private func release(_ coordinator: NSPersistentStoreCoordinator) throws {
    weak var gone: NSManagedObjectContext?
    weak var goneItem: NSManagedObject?
    note("a context, a child of it and their objects are released")
    try {
      let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      parent.persistentStoreCoordinator = coordinator
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      (gone, goneItem) = (parent, nil)
      let plan = draw(3)
      let id: NSManagedObjectID? = try child.performAndWait {
        guard let item = pick(try all("Item", child)) else { return nil }
        switch plan {
        case 0: item.setValue(newNumber(), forKey: "rank")
        case 1: child.detectConflicts(for: item)
        default: child.delete(item)
        }
        goneItem = item
        return item.objectID
      }
      try child.performAndWait {
        guard let id else { return }
        try require(
          child.registeredObject(for: id) != nil, true, .lostUpdate,
          "whether an object that was \(["changed", "locked", "deleted"][plan]) is kept by its context")
      }
      parent.performAndWait {}
    }()
    // The last block of a queue may still be on its way out.
    for _ in 0..<200 where gone != nil { SerialQueue.main.sync {} }
    try require(
      [gone == nil, goneItem == nil], [true, true], .contextLeak,
      "whether a context and its object that nothing holds are gone")
  }
}

/// Decides as object trump does, once it may.
final class WaitingPolicy: NSMergePolicy, @unchecked Sendable {
  // Sendable: latches lock themselves.
  let isDeciding = Latch(label: "a policy is asked")
  let mayEnd = Latch(label: "a policy may decide")

  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(mergeConflicts list: [Any]) throws {
    isDeciding.open()
    mayEnd.wait()
    try super.resolve(mergeConflicts: list)
  }
}
