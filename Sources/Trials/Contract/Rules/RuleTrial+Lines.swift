import Checking
import CoreData
import Scheduling

// S1.3, S1.9, S6.1: of as many blocks, threads and saves as are in line for a context, for main or for the writer's turn, each has its
// turn, once, in the order in which they came.

extension RuleTrial {
  /// At each of them, or above it, a line may be kept in another way.
  private static let lineSizes = [1, 2, 63, 64, 65, 66, 67, 127, 128, 129, 130, 300]

  func lines() throws {
    let coordinator = try open()
    let (owner, main) = (context(coordinator), mainContext(coordinator))
    for size in shuffled(Simulation.isCurrent ? [1, 2, 66] : Self.lineSizes) {
      try lineUp(size, owner)
      if chance(1, of: 3) { try lineUp(size, main) }
    }
    let length = pick([1, 3, 64, 66, 70]) ?? 1
    try keepLine(of: length, Simulation.isCurrent ? 140 : 300, chance(1, of: 4) ? main : owner)
    try lineUpThreads(owner, coordinator)
    try lineUpForStore()
    main.performAndWait { main.reset() }
  }

  /// Blocks of a context while another block has its turn; they begin once it ends.
  private func lineUp(_ count: Int, _ owner: NSManagedObjectContext) throws {
    note("\(count) blocks in line for \(owner.name ?? "")")
    let (log, isDone) = (Locked<[Int]>([]), Latch(label: "the last block in line"))
    let mayEnd = try hold(owner)
    for place in 0..<count {
      owner.perform { log.withLock { $0.append(place) } }
    }
    owner.perform { isDone.open() }
    mayEnd.open()
    try requireLine(log, count, isDone, "blocks that were in line together")
  }

  /// Lets a block of a context run until it may end.
  private func hold(_ owner: NSManagedObjectContext) throws -> Latch {
    let (isHeld, mayEnd) = (Latch(label: "the block that others wait for"), Latch(label: "the end of that block"))
    owner.perform {
      isHeld.open()
      mayEnd.wait()
    }
    try require(isHeld.wait(atMost: 20), true, .hang, "whether a block runs that is alone in line")
    return mayEnd
  }

  /// Each of the blocks has run, once, in order.
  private func requireLine(_ log: Locked<[Int]>, _ count: Int, _ isDone: Latch, _ what: String) throws {
    precondition(count > 0, "some are in line")
    let isOver = isDone.wait(atMost: 20)
    let ran = log.withLock { $0 }
    let lost = Set(0..<count).subtracting(ran).sorted()
    try require(lost, [], .hang, "places of \(what), of \(count), that never ran")
    try require(ran, Array(0..<count), .incompatibleOrder, "places of \(what) as they ran")
    try require(isOver, true, .hang, "whether the last one runs of \(what)")
  }

  /// A line that never ends: each block enqueues another one.
  private func keepLine(of length: Int, _ count: Int, _ owner: NSManagedObjectContext) throws {
    precondition(length > 0 && length < count, "blocks in line enqueue others")
    note("\(count) blocks, \(length) at a time in line for \(owner.name ?? "")")
    let (log, isDone) = (Locked<[Int]>([]), Latch(label: "the last block that others enqueued"))
    let mayEnd = try hold(owner)
    @Sendable func enqueue(_ place: Int) {
      owner.perform {
        log.withLock { $0.append(place) }
        if place + length < count { enqueue(place + length) }
        if place == count - 1 { isDone.open() }
      }
    }
    for place in 0..<length { enqueue(place) }
    mayEnd.open()
    try requireLine(log, count, isDone, "blocks that others enqueued")
  }

  /// Threads that wait among blocks: each block and each thread has its turn.
  private func lineUpThreads(_ owner: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    let (blocks, others) = (
      Simulation.isCurrent ? 66 : pick([4, 66, 130]) ?? 4, (0..<4).map { _ in context(coordinator) }
    )
    let turns = 3
    note("\(blocks) blocks in line for \(owner.name ?? ""), and \(others.count) threads, \(turns) times each")
    let (log, served) = (Locked<[Int]>([]), Locked<[Int]>([]))
    let (isDone, areServed) = (Latch(label: "the last block among threads"), Latch(label: "the threads in line"))
    let mayEnd = try hold(owner)
    defer { mayEnd.open() }
    let coming = others.map { _ in Latch(label: "a thread that comes into line") }
    for place in 0..<blocks {
      if let number = others.indices.first(where: { place == blocks * $0 / others.count }) {
        others[number].perform {
          coming[number].open()
          for _ in 0..<turns { owner.performAndWait { served.withLock { $0.append(number) } } }
          if served.withLock({ $0.count }) == others.count * turns { areServed.open() }
        }
        try require(
          coming[number].wait(atMost: 20), true, .hang, "whether a block runs that is to wait for another context")
      }
      owner.perform { log.withLock { $0.append(place) } }
    }
    owner.perform { isDone.open() }
    mayEnd.open()
    try requireLine(log, blocks, isDone, "blocks among threads")
    let isOver = areServed.wait(atMost: 20)
    try require(
      served.withLock { $0.sorted() }, others.indices.flatMap { Array(repeating: $0, count: turns) }, .hang,
      "turns of threads among blocks")
    try require(isOver, true, .hang, "whether the last thread in line has its turn")
  }

  // MARK: The writer's turn

  /// Saves, and in memory fetches, that wait for a save of which the policy decides.
  private func lineUpForStore() throws {
    let isInMemory = chance(1, of: 2)
    let coordinator = try open(at: newURL(), type: isInMemory ? NSInMemoryStoreType : NSSQLiteStoreType)
    let policy = WaitingPolicy()
    let (holder, other) = (context(coordinator, policy), context(coordinator))
    try other.performAndWait {
      insertPlain(other, rank: 0)
      try save(other)
    }
    for context in [holder, other] {
      try context.performAndWait { try all("Plain", context).first?.setValue(newNumber(), forKey: "rank") }
    }
    try other.performAndWait { try save(other) }
    let count = Simulation.isCurrent ? 4 : pick([1, 2, 70, 70, 140]) ?? 1
    let fetchers = isInMemory ? count / 2 : 0
    note("\(count - fetchers) saves and \(fetchers) fetches wait for a save\(isInMemory ? " in memory" : "")")
    holder.perform { [session] in
      do { try holder.save() } catch { if !session.faults.explains(error) { session.fail(error) } }
    }
    try require(policy.isDeciding.wait(atMost: 20), true, .hang, "whether a policy is asked")
    let waiting = (0..<count).map { _ in context(coordinator) }
    let (served, areServed) = (Locked<[Int]>([]), Latch(label: "all that wait for a save"))
    for (place, context) in waiting.enumerated() {
      let begins = Latch(label: "a save or fetch that is to wait")
      context.perform { [session] in
        begins.open()
        do {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
          if place % 2 == 1, place / 2 < fetchers {
            _ = try context.count(for: request)
          } else {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Plain", into: context)
            object.setValue(-1 - place, forKey: RuleModel.number)
            try context.save()
          }
        } catch { if !session.faults.explains(error) { session.fail(error) } }
        let isLast = served.withLock {
          $0.append(place)
          return $0.count == count
        }
        if isLast { areServed.open() }
      }
      guard begins.wait(atMost: 20) else {
        policy.mayEnd.open()
        return try report(.hang, "a context's block beside \(place) that wait", expected: "runs", seen: "waits")
      }
    }
    policy.mayEnd.open()
    let isOver = areServed.wait(atMost: 30)
    try require(
      served.withLock { $0.sorted() }, Array(0..<count), .hang, "saves and fetches that were served after a long save")
    try require(isOver, true, .hang, "whether the last one is served")
    for context in waiting + [holder] { context.performAndWait {} }
    let rows = try other.performAndWait { try all("Plain", other).count }
    try require(rows, 1 + count - fetchers, .lostRecord, "rows of saves that waited")
    try close(coordinator)
  }
}
