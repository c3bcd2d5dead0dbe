import Checking
import CoreData

// S6.17: a context with a query generation, its children, and contexts with its token read one state, whatever others do; a
// save, a reset, a merge and a new generation move it, and nothing else does.

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
        try hand(pinned, to: context(coordinator), state)
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

  /// Another context with the token reads the same state.
  private func hand(_ pinned: NSManagedObjectContext, to other: NSManagedObjectContext, _ state: RulePicture) throws {
    note("hand the token to another context")
    guard let token = pinned.performAndWait({ pinned.queryGenerationToken }) else {
      return try report(.generationChange, "the token of a pinned context", expected: "a token", seen: "none")
    }
    try other.performAndWait { try other.setQueryGenerationFrom(token) }
    try require(try picture(other), state, .generationChange, "in a context that was given a token")
  }

  /// Without a generation a context reads the newest state.
  private func free(
    _ pinned: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator, _ state: inout RulePicture
  ) throws {
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
