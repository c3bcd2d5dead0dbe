import Checking
import CoreData
import Scheduling

// S1.3, S1.4, S7.4: an asynchronous fetch gives one state, whatever others save meanwhile; blocks run in the order in which they were
// asked for, nested ones at once; changes are processed at the end of a block of `perform`, and not of `performAndWait`.

extension RuleTrial {
  func asynchronous() throws {
    let coordinator = try open()
    let other = chance(1, of: 2) ? coordinator : try open()
    let writer = context(other)
    try writer.performAndWait {
      for _ in 0..<8 { insert("Item", writer).setValue(100, forKey: "rank") }
      try save(writer)
    }
    try fetchBesideSaves(coordinator, writer)
    try fetchBesideOwnSave(coordinator)
    for _ in 0..<3 { try fetchBesideRead(coordinator, writer) }
    try runInOrder(coordinator)
    try processWhenDue(coordinator)
  }

  // MARK: Fetches

  /// Saves move a rank from one item to another: of one state the sum is always the same.
  private func fetchBesideSaves(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let (reader, count) = (context(coordinator, merges: chance(1, of: 3)), 4 + draw(6))
    let problem = Locked<String?>(nil)
    let moves = (0..<400).map { _ in (from: draw(8), to: draw(8), amount: 1 + draw(30)) }
    let isDone = Locked(false)
    note("saves that move ranks, beside \(count) asynchronous fetches")
    let begun = Latch(label: "saves beside asynchronous fetches")
    writer.perform { [session] in
      begun.open()
      do {
        let items = try writer.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
        for move in moves where move.from != move.to && !isDone.withLock({ $0 }) {
          for (index, amount) in [(move.from, -move.amount), (move.to, move.amount)] {
            let rank = (items[index].value(forKey: "rank") as? NSNumber)?.intValue ?? 0
            items[index].setValue(rank + amount, forKey: "rank")
          }
          try writer.save()
        }
      } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    begun.wait()
    for number in 0..<count {
      let latch = Latch(label: "asynchronous fetch \(number)")
      let isCancelled = chance(1, of: 6)
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.returnsObjectsAsFaults = chance(1, of: 2)
      if chance(1, of: 2) { request.predicate = NSPredicate(format: "rank > -100000") }
      if chance(1, of: 2) { request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)] }
      try reader.performAndWait {
        let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          let found = result.finalResult ?? []
          let ranks = found.map { ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0 }
          let isRight =
            result.operationError != nil ? isCancelled && found.isEmpty : ranks.count == 8 && ranks.reduce(0, +) == 800
          let isSorted = request.sortDescriptors == nil || ranks == ranks.sorted()
          if !isRight || !isSorted {
            problem.withLock { $0 = "\(ranks), error \(result.operationError.map { "\($0)" } ?? "none")" }
          }
          latch.open()
        }
        let result = try reader.execute(later) as? NSAsynchronousFetchResult<NSManagedObject>
        if isCancelled { result?.cancel() }
      }
      latch.wait()
      reader.performAndWait { reader.reset() }
    }
    isDone.withLock { $0 = true }
    writer.performAndWait {}
    if let problem = problem.withLock({ $0 }) {
      try report(.tornRead, "ranks of an asynchronous fetch", expected: "8 of one state, 800 together", seen: problem)
    }
  }

  /// A save of the context after it has asked is part of the answer: no row is older than the context's.
  private func fetchBesideOwnSave(_ coordinator: NSPersistentStoreCoordinator) throws {
    let reader = context(coordinator, .mergeByPropertyObjectTrump)
    let latch = Latch(label: "asynchronous fetch beside a save of its context")
    let found = Locked<[Int: Int]>([:])
    let isFault = chance(1, of: 2)
    let expected = try reader.performAndWait {
      let items = try all("Item", reader)
      // The block of `perform` runs on the context's queue as well.
      nonisolated(unsafe) let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "rank >= 7000")
      request.returnsObjectsAsFaults = isFault
      let ask: @Sendable () throws -> Void = {
        let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
          let ranks = (result.finalResult ?? []).map {
            (RulePicture.number($0), ($0.value(forKey: "rank") as? NSNumber)?.intValue ?? 0)
          }
          found.withLock { $0 = Dictionary(uniqueKeysWithValues: ranks) }
          latch.open()
        }
        _ = try reader.execute(later)
      }
      note("an asynchronous fetch, and a save of the context before its block")
      if chance(3, of: 4) { try ask() } else { reader.perform { try? ask() } }
      var expected: [Int: Int] = [:]
      for item in some(items, atMost: 4) {
        item.setValue(7_000 + draw(9), forKey: "rank")
        expected[RulePicture.number(item)] = (item.value(forKey: "rank") as? NSNumber)?.intValue
      }
      if let deleted = pick(items), chance(1, of: 2) {
        expected[RulePicture.number(deleted)] = nil
        reader.delete(deleted)
      }
      let new = insert("Item", reader)
      new.setValue(7_500, forKey: "rank")
      expected[RulePicture.number(new)] = 7_500
      try save(reader)
      if chance(1, of: 2) { reader.reset() }
      return expected
    }
    latch.wait()
    try require(
      found.withLock { $0 }, expected, .readYourWrites,
      "an asynchronous fetch, and a save of its context before its block")
  }

  /// Others insert a row after a context has asked, which reads it before the answer: that is not older.
  private func fetchBesideRead(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let reader = context(coordinator)
    let (latch, rank) = (Latch(label: "asynchronous fetch beside a read of its context"), 9_000 + newNumber())
    let found = Locked(0)
    note("an asynchronous fetch, an insertion of others, and a fetch of the context before its block")
    let seen = try reader.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "rank == %ld", rank)
      let later = NSAsynchronousFetchRequest(fetchRequest: request) { result in
        found.withLock { $0 = result.finalResult?.count ?? -1 }
        latch.open()
      }
      _ = try reader.execute(later)
      try writer.performAndWait {
        for _ in 0..<8 { insert("Item", writer).setValue(rank, forKey: "rank") }
        try save(writer)
      }
      return chance(2, of: 3) ? try reader.fetch(request).count : try reader.count(for: request)
    }
    latch.wait()
    try require(
      found.withLock { $0 }, seen, .staleRead, "an asynchronous fetch of what its context has read meanwhile")
  }

  // MARK: Blocks

  /// Blocks of several contexts, and of their parents inside them.
  private func runInOrder(_ coordinator: NSPersistentStoreCoordinator) throws {
    let root = context(coordinator)
    let middle = context(in: root)
    let contexts = [root, middle, context(in: middle), context(coordinator)]
    let log = Locked<[[Int]]>(contexts.map { _ in [] })
    let problem = Locked<String?>(nil)
    for number in 0..<(10 + draw(20)) {
      let place = draw(contexts.count)
      let context = contexts[place]
      let (isNested, waits) = (chance(1, of: 2), chance(1, of: 4))
      let block: @Sendable () -> Void = {
        log.withLock { $0[place].append(number) }
        guard isNested, let parent = context.parent else { return }
        let inner = parent.performAndWait { context.performAndWait { number } }
        if inner != number { problem.withLock { $0 = "\(inner) from the nested block \(number)" } }
      }
      if waits {
        context.performAndWait(block)
        let last = log.withLock { $0[place].last }
        if last != number { problem.withLock { $0 = "performAndWait returned before its block \(number)" } }
      } else {
        context.perform(block)
      }
    }
    for context in contexts { context.performAndWait {} }
    for (place, numbers) in log.withLock({ $0 }).enumerated() {
      try require(
        numbers, numbers.sorted(), .incompatibleOrder, "the blocks of context \(place) in the order asked for")
    }
    if let problem = problem.withLock({ $0 }) {
      try report(.incompatibleOrder, "nested blocks", expected: "run before the call returns", seen: problem)
    }
  }

  /// The observers that are notified of a change, after each kind of block.
  private func processWhenDue(_ coordinator: NSPersistentStoreCoordinator) throws {
    let owner = context(coordinator)
    let notified = Locked(0)
    let observer = session.environment.addObserver(forName: .NSManagedObjectContextObjectsDidChange, object: owner) {
      _ in
      notified.withLock { $0 += 1 }
    }
    defer { session.environment.removeObserver(observer) }
    var expected = 0
    for _ in 0..<4 {
      let value = newNumber()
      let insert: @Sendable () -> Void = {
        NSEntityDescription.insertNewObject(forEntityName: "Box", into: owner).setValue(value, forKey: RuleModel.number)
      }
      if chance(1, of: 2) {
        owner.perform(insert)
        owner.performAndWait {}
      } else {
        owner.performAndWait(insert)
        try require(
          notified.withLock { $0 }, expected, .duplicateNotification,
          "did-change notifications after a block of performAndWait")
        owner.performAndWait { owner.processPendingChanges() }
      }
      expected += 1
      try require(notified.withLock { $0 }, expected, .missedNotification, "did-change notifications that are due")
    }
  }
}
