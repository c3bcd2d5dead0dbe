import Cells
import Checking
import CoreData
import Scheduling

// S1.2 to S1.5, S1.8, S1.9: contexts run at the same time, and one block of each at a time; changes on main are processed at
// the end of its turn; a wait that is over closes no cycle; contexts that could wait for each other are reported; readers do not wait
// for savers.

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
    for _ in 0..<2 { try nest(coordinator) }
    try changeOnMain(coordinator)
    endWaits(coordinator)
    try readBesideWaitingSaves(coordinator)
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

  /// Contexts enter each other, one after the other: each ring of them, which could wait for each other, is reported, once.
  private func nest(_ coordinator: NSPersistentStoreCoordinator) throws {
    let contexts = (0..<3).map { _ in context(coordinator) }
    precondition(contexts.count == 3, "three contexts make a ring in two directions, and three of two")
    let sets = [[0, 1], [0, 2], [1, 2], [0, 1, 2]]
    var (known, reported) = (Set<[Int]>(), Set<[Int]>())
    for _ in 0..<8 {
      guard let ends = pick([[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]]) else { return }
      note("context \(ends[1]) is entered in a block of \(ends[0])")
      let seen = CellReports.mistakes(with: contexts.map { $0.name ?? "" }) {
        let (outer, inner) = (contexts[ends[0]], contexts[ends[1]])
        outer.perform { inner.performAndWait {} }
        outer.performAndWait {}
      }
      known.insert(ends)
      let rings = sets.filter { set in
        [set, set.reversed()].contains { ring in
          ring.indices.allSatisfy { known.contains([ring[$0], ring[($0 + 1) % ring.count]]) }
        }
      }
      try require(seen.count, rings.count - reported.count, .wrongValue, "rings of contexts that are reported anew")
      reported.formUnion(rings)
    }
  }

  // MARK: Main

  /// Changes outside blocks are processed once: by what processes them in main's turn, or else at its end; changes by an observer then,
  /// in the next one.
  private func changeOnMain(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = mainContext(coordinator)
    let changesAgain = Locked(false)
    let log = Locked<[Int]>([])
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: owner) {
      notification in
      let inserted = (notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []).count
      log.withLock { $0.append(inserted) }
      let isAsked = changesAgain.withLock { old in
        defer { old = false }
        return old
      }
      if isAsked { Self.insert("Plain", into: owner, -1) }
    }
    defer { session.environment.removeObserver(observer) }
    for turn in 0..<(3 + draw(5)) {
      // In a turn that processes nothing itself, and in a block, an observer inserts once more.
      let steps = (0..<(1 + draw(4))).map { _ in chance(1, of: 2) ? MainStep.insert : pick(MainStep.allCases) ?? .insert
      }
      let again = steps.allSatisfy { $0 == .insert } && chance(1, of: 2)
      changesAgain.withLock { $0 = again }
      note("a turn of main outside a block: \(steps.map(\.rawValue))\(again ? "; an observer inserts once more" : "")")
      var pending = 0
      try SerialQueue.main.sync {
        for step in steps {
          log.withLock { $0 = [] }
          let expected = step == .insert || pending == 0 ? [] : [pending]
          try carryOut(step, owner)
          pending = step == .insert ? pending + 1 : 0
          // Reports of changes that are dropped are tried elsewhere.
          guard step != .rollback, step != .reset else { continue }
          try require(
            log.withLock { $0 }, expected, .wrongNotification, "how many objects each notification names at \(step)")
        }
        log.withLock { $0 = [] }
      }
      // Two turns of main later everything is processed.
      for _ in 0..<3 {
        let turn = Latch(label: "a turn of main")
        SerialQueue.main.async { turn.open() }
        turn.wait()
      }
      let (seen, expected) = (log.withLock { $0 }, pending == 0 ? [] : again ? [pending, 1] : [pending])
      try require(
        seen, expected, seen.count < expected.count ? .missedNotification : .wrongNotification,
        "how many objects each notification names at the end of turn \(turn) of main: \(steps.map(\.rawValue))")
    }
    owner.performAndWait { owner.reset() }
  }

  /// Something in a turn of main outside blocks: each but the first leaves nothing to process.
  private enum MainStep: String, CaseIterable {
    case insert, process, save, fetch, rollback, reset
  }

  private func carryOut(_ step: MainStep, _ owner: NSManagedObjectContext) throws {
    precondition(owner.concurrencyType == .mainQueueConcurrencyType, "the steps are those of a context of main")
    switch step {
    case .insert: Self.insert("Plain", into: owner, newNumber())
    case .process: owner.processPendingChanges()
    case .save: try save(owner)
    case .fetch: _ = try owner.fetch(NSFetchRequest<NSManagedObject>(entityName: "Plain"))
    case .rollback: owner.rollback()
    case .reset: owner.reset()
    }
  }

  private static func insert(_ entity: String, into context: NSManagedObjectContext, _ number: Int) {
    NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(number, forKey: RuleModel.number)
  }

  /// Main has served a thread's wait, and waits for the queue that this thread holds: no cycle, since the first wait is over.
  ///
  /// A graph of waits that takes it for one reports a deadlock.
  private func endWaits(_ coordinator: NSPersistentStoreCoordinator) {
    let owner = mainContext(coordinator)
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
        Self.insert("Box", into: context, 1)
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
