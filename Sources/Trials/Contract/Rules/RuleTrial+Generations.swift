import Checking
import CoreData

// S6.17: a context with a query generation, its children, and contexts with its token read one state, whatever others do; a save, a
// reset, a merge and a new generation move it, and nothing else does; one context goes to newer and older states in any order.

extension RuleTrial {
  func generations() throws {
    // Of two that write, both record the history, or neither.
    let hasHistory = chance(1, of: 2)
    let coordinator = try open(history: hasHistory)
    let other = chance(1, of: 2) ? coordinator : try open(history: hasHistory)
    let writer = context(other)
    try writer.performAndWait {
      populate(writer, items: 5)
      try save(writer)
    }
    let saves = SaveLog(session.environment, of: writer)
    defer { saves.end() }
    let pinned = context(coordinator, .mergeByPropertyObjectTrump)
    let child = context(in: pinned)
    var state = try pin(pinned)
    for _ in 0..<(4 + draw(6)) {
      try write(writer, coordinator)
      switch draw(9) {
      case 0: state = try pin(pinned)
      case 1:
        state = try move(pinned, "save") { pinned in
          pinned.refreshAllObjects()
          if let box = try all("Box", pinned).first { set("title", of: box) }
          try pinned.save()
        }
      case 2: state = try move(pinned, "reset") { $0.reset() }
      case 3:
        try hand(pinned, to: context(coordinator), state, writer)
        continue
      case 4: try free(pinned, coordinator, &state)
      case 5:
        guard let save = saves.removeLast() else { break }
        state = try move(pinned, "merge") { $0.mergeChanges(fromContextDidSave: save) }
      default: break
      }
      // It is read again, so that the store answers.
      for reader in [child, pinned] where chance(2, of: 3) {
        for context in [pinned, reader] { context.performAndWait { context.refreshAllObjects() } }
        try require(try picture(reader), state, .generationChange, "in \(reader.name ?? "") with a query generation")
        let counted = try reader.performAndWait {
          try reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
        }
        try require(
          counted, state.objects.values.filter { $0["entity"]?.hasSuffix("Item") == true }.count, .generationChange,
          "a count")
      }
    }
    if chance(1, of: 2) { try goThroughStates(coordinator, writer) }
  }

  // MARK: From state to state

  /// A context and what it is to show for as long as nothing moves it.
  private struct Pinned {
    let context: NSManagedObjectContext
    let state: RulePicture
  }

  /// A context goes to the current state, to those of other contexts, and to none, in any order, whatever the row cache has: its faults, and
  /// everything that it reads, are of that state, and of no other one that others read meanwhile.
  private func goThroughStates(_ coordinator: NSPersistentStoreCoordinator, _ writer: NSManagedObjectContext) throws {
    let mover = context(coordinator)
    var holders: [Pinned] = []
    for _ in 0..<(2 + draw(3)) {
      let holder = chance(1, of: 3) ? pick(holders) : nil
      let first = try holder?.state ?? stored(coordinator)
      let faults = try faultsBefore(mover, writer, of: first)
      let isCurrent = holder == nil && chance(2, of: 3)
      note(
        "to \(holder.map { "the state of \($0.context.name ?? "")" } ?? (isCurrent ? "the current state" : "no state"))"
      )
      let token = holder?.context.performAndWait { holder?.context.queryGenerationToken }
      try mover.performAndWait {
        try mover.setQueryGenerationFrom(isCurrent ? .current : token ?? nil)
        // Without a state it is as all contexts, which may show older rows of the cache.
        mover.stalenessInterval = isCurrent || holder != nil ? -1 : 0
      }
      try requireFaults(faults, mover, first)
      if isCurrent {
        try require(try readAnew(mover), first, .generationChange, "in the current state")
        let other = context(coordinator)
        try hand(mover, to: other, first, writer)
        holders.append(Pinned(context: other, state: first))
      }
      let state = isCurrent ? first : holder?.state
      let child = context(in: mover)
      for _ in 0..<(1 + draw(2)) {
        // Rows that none has read since, and rows of the newest state in the cache. A child asks the cache by itself.
        if chance(2, of: 3) { try write(writer, coordinator) }
        if chance(1, of: 2) { try readNewest(coordinator) }
        let reader = state != nil && chance(1, of: 3) ? child : mover
        try read(reader, mover, try state ?? stored(coordinator))
        guard chance(1, of: 3), let holder = pick(holders) else { continue }
        try read(holder.context, holder.context, holder.state)
      }
    }
  }

  private typealias NumberedFault = (object: NSManagedObject, number: Int)

  /// Faults of a context for the items of a state that are still there; it has read nothing of them.
  private func faultsBefore(
    _ context: NSManagedObjectContext, _ writer: NSManagedObjectContext, of state: RulePicture
  ) throws -> [NumberedFault] {
    precondition(context !== writer, "another context changes the rows of the faults")
    let items = try writer.performAndWait {
      writer.reset()
      return try all("Item", writer).map { (id: $0.objectID, number: RulePicture.number($0)) }
    }
    return context.performAndWait {
      context.refreshAllObjects()
      return items.filter { state.objects[$0.number] != nil }.map { (context.object(with: $0.id), $0.number) }
    }
  }

  /// Faults that were made before a context went to a state show that one.
  private func requireFaults(
    _ faults: [NumberedFault], _ context: NSManagedObjectContext, _ state: RulePicture
  ) throws {
    try context.performAndWait {
      for (object, number) in faults {
        guard let expected = state.objects[number] else { continue }
        let seen = RulePicture.properties(of: object)
        for key in ["name", "rank", "weight", "box", "tags"] {
          try require(
            seen[key], expected[key], .generationChange, "\(key) of \(number), a fault from before the state was chosen"
          )
        }
      }
    }
  }

  /// The state that a context reads from now on.
  private func pin(_ context: NSManagedObjectContext) throws -> RulePicture {
    note("pin")
    try context.performAndWait { try context.setQueryGenerationFrom(.current) }
    return try readAnew(context)
  }

  private func readAnew(_ context: NSManagedObjectContext) throws -> RulePicture {
    context.performAndWait { context.refreshAllObjects() }
    return try picture(context)
  }

  /// A step that moves a context moves it to the newest state.
  private func move(
    _ context: NSManagedObjectContext, _ step: String, _ body: (NSManagedObjectContext) throws -> Void
  ) throws -> RulePicture {
    note("\(step) of the pinned context")
    try context.performAndWait { try body(context) }
    let state = try readAnew(context)
    let coordinator = context.persistentStoreCoordinator
    if let coordinator {
      try require(state, try stored(coordinator), .staleRead, "in a pinned context after its \(step)")
    }
    return state
  }

  /// Another context with the token reads the same state, whatever it has read before, and whatever others save afterwards.
  private func hand(
    _ pinned: NSManagedObjectContext, to other: NSManagedObjectContext, _ state: RulePicture,
    _ writer: NSManagedObjectContext
  ) throws {
    guard let coordinator = other.persistentStoreCoordinator, coordinator === pinned.persistentStoreCoordinator,
      other !== pinned
    else { preconditionFailure("another context of the same coordinator has the state") }
    if chance(1, of: 3) { _ = try pin(other) } else if chance(1, of: 2) { _ = try picture(other) }
    note("hand the token to another context")
    guard let token = pinned.performAndWait({ pinned.queryGenerationToken }) else {
      return try report(.generationChange, "the token of a pinned context", expected: "a token", seen: "none")
    }
    try other.performAndWait { try other.setQueryGenerationFrom(token) }
    try require(try readAnew(other), state, .generationChange, "in a context that was given a token")
    guard chance(1, of: 2) else { return }
    try write(writer, coordinator)
    try readNewest(coordinator)
    try require(
      try readAnew(other), state, .generationChange, "in a context that was given a token, after others have saved")
  }

  /// Without a generation a context reads the newest state.
  private func free(
    _ pinned: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ state: inout RulePicture
  ) throws {
    precondition(pinned.persistentStoreCoordinator === coordinator, "the newest state is that of this file")
    note("no generation")
    try pinned.performAndWait { try pinned.setQueryGenerationFrom(nil) }
    try require(
      pinned.performAndWait { pinned.queryGenerationToken } == nil, true, .generationChange,
      "whether a context without a generation has a token")
    pinned.performAndWait { pinned.stalenessInterval = 0 }
    try require(
      try readAnew(pinned), try stored(coordinator), .staleRead,
      "in a context without a query generation")
    pinned.performAndWait { pinned.stalenessInterval = -1 }
    state = try pin(pinned)
  }

  /// Others save, and batch requests change rows.
  private func write(_ writer: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    try writer.performAndWait {
      writer.reset()
      switch draw(5) {
      case 0:
        note("batch update of items")
        let request = NSBatchUpdateRequest(entityName: "Item")
        request.propertiesToUpdate = ["name": "batch \(draw(9))", "rank": draw(9)]
        _ = try writer.execute(request)
      case 1:
        guard let item = pick(try all("Item", writer)) else { return }
        note("batch delete of item \(RulePicture.number(item))")
        _ = try writer.execute(NSBatchDeleteRequest(objectIDs: [item.objectID]))
      default:
        for _ in 0..<(1 + draw(3)) { try changeSomething(writer) }
        try save(writer)
      }
    }
    guard chance(1, of: 4), coordinator.persistentStores.first?.options?[NSPersistentHistoryTrackingKey] != nil else {
      return
    }
    let reader = context(coordinator)
    note("delete the history")
    _ = try reader.performAndWait { try reader.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date())) }
  }
}
