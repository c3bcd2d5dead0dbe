import Checking
import CoreData
import SQLite
import Scheduling

// S3.1, S6.4, S6.5, S10.1: a save that fails at one of its writes, whichever it is, or at its commit, leaves nothing of itself in the
// file, its history and its folder; its context has its changes still, and the next save is as if there had been no other.

extension RuleTrial {
  /// An obstacle to a save.
  private enum Obstacle {
    /// Triggers of the file, which end the save that writes into a table.
    case triggers
    /// Someone who reads a file without a log.
    case reader(Connection)
  }

  func failures() throws {
    // A simulated file is open to the stack alone.
    guard !Simulation.isCurrent else { return }
    let (hasLog, hasHistory) = (chance(1, of: 2), chance(3, of: 4))
    note("saves that fail\(hasLog ? "" : ", without a log")\(hasHistory ? ", with a history" : "")")
    var options: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: 0.005]
    if !hasLog { options[NSSQLitePragmasOption] = ["journal_mode": "DELETE"] }
    let coordinators = try (0..<2).map { _ in try open(RuleModel.shared, at: file, options, history: hasHistory) }
    let root = context(coordinators[0], .mergeByPropertyObjectTrump)
    let editor = chance(1, of: 3) ? context(in: root) : root
    root.performAndWait { root.transactionAuthor = "the first author" }
    try editor.performAndWait {
      populate(editor, items: 6)
      for item in try all("Item", editor).prefix(3) { set("photo", of: item) }
      insertPlain(editor, rank: 0)
      try save(editor)
    }
    if editor !== root { try root.performAndWait { try save(root) } }
    for _ in 0..<(9 + draw(6)) {
      try saveAtSecondTry(root, editor, coordinators, hasLog: hasLog, hasHistory: hasHistory)
    }
    try failAtLock(coordinators, hasHistory)
  }

  /// A save that gives the members of a list other places fails at its last check, of a locked object that is newer by then.
  private func failAtLock(_ coordinators: [NSPersistentStoreCoordinator], _ hasHistory: Bool) throws {
    precondition(coordinators.count == 2, "a save of another coordinator is in the way")
    let (mine, other) = (context(coordinators[0]), context(coordinators[1]))
    try mine.performAndWait {
      let (box, items) = (insertNumbered("Box", mine), (0..<(2 + draw(3))).map { _ in insertNumbered("Item", mine) })
      box.setValue(NSOrderedSet(array: items), forKey: "list")
      try save(mine)
      for plain in try all("Plain", mine) {
        _ = plain.value(forKey: "rank")
        mine.detectConflicts(for: plain)
      }
      box.setValue(NSOrderedSet(array: items.reversed()), forKey: "list")
    }
    try other.performAndWait {
      pick(try all("Plain", other))?.setValue(newNumber(), forKey: "rank")
      try save(other)
    }
    note("a save fails at an object that it has locked")
    let error = mine.performAndWait { AnythingClient.error { try mine.save() } }
    try require(error?.code, NSManagedObjectMergeError, .lostUpdate, "the error of a save with a lock on what is newer")
    _ = try changeByBatch(coordinators, try history(coordinators[1], hasHistory), hasHistory)
    mine.performAndWait { mine.rollback() }
  }

  private func saveAtSecondTry(
    _ root: NSManagedObjectContext, _ editor: NSManagedObjectContext,
    _ coordinators: [NSPersistentStoreCoordinator], hasLog: Bool, hasHistory: Bool
  ) throws {
    precondition(coordinators.count == 2, "another coordinator of the file looks at it")
    let author = chance(1, of: 2) ? "author \(newNumber())" : pick(["the first author", nil])?.flatMap { $0 }
    note("author \(author ?? "none")")
    root.performAndWait { root.transactionAuthor = author }
    let rows = try stored(coordinators[1])
    var past = try history(coordinators[1], hasHistory)
    let mark = chance(1, of: 3) ? "mark \(newNumber())" : nil
    if let mark { try setMark(mark, coordinators[0]) }
    if mark == nil || chance(1, of: 2) { try edit(editor) }
    var edited = try picture(root)
    if let obstacle = try place(hasLog: hasLog, table: mark == nil || chance(1, of: 3) ? nil : "Z_METADATA") {
      let error = root.performAndWait { AnythingClient.error { try root.save() } }
      try remove(obstacle)
      note(error.map { "it fails: \($0.code)" } ?? "it meets nothing")
      if error != nil {
        try requireNothing(of: rows, past, coordinators, hasHistory)
        try require(try picture(root), edited, .wrongValue, "in the context of a save that failed")
        if chance(1, of: 2) { past = try changeByBatch(coordinators, past, hasHistory) }
        if chance(1, of: 3) {
          note("roll back, and change something else")
          root.performAndWait { root.rollback() }
          editor.performAndWait { editor.reset() }
          try require(
            try picture(root).withoutDerived, rows.withoutDerived, .wrongValue, "after the rollback of a failed save")
          try edit(editor)
          edited = try picture(root)
        }
      }
    }
    try root.performAndWait { try save(root) }
    for coordinator in coordinators {
      try require(
        try stored(coordinator).withoutDerived, edited.withoutDerived, .unpersistedSave, "in the file, at last")
    }
    try requireRecord(after: past, root, coordinators[1], wrote: rows != edited, hasHistory)
    guard let mark else { return }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file)
    try require(metadata["mark"] as? String, mark, .unpersistedSave, "metadata in the file, at last")
  }

  /// Sets metadata, which the next save writes, whether it has anything else to write or not.
  private func setMark(_ mark: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    guard let store = coordinator.persistentStores.first else { return }
    precondition(!mark.isEmpty, "a mark can be looked for")
    note("metadata have \(mark)")
    var metadata = coordinator.metadata(for: store)
    metadata["mark"] = mark
    coordinator.setMetadata(metadata, for: store)
  }

  /// Some changes, large values among them; a child's are in its parent then.
  private func edit(_ editor: NSManagedObjectContext) throws {
    try editor.performAndWait {
      for _ in 0..<(1 + draw(4)) { try changeSomething(editor) }
      if let item = pick(try all("Item", editor)), chance(1, of: 2) { set("photo", of: item) }
      if let box = pick(try all("Box", editor)), chance(1, of: 2) {
        let list = Array(shuffled(try all("Item", editor)).prefix(2 + draw(3)))
        note("list of \(RulePicture.number(box)) = \(list.map(RulePicture.number))")
        box.setValue(NSOrderedSet(array: list), forKey: "list")
      }
      if editor.parent != nil { try save(editor) }
    }
  }

  /// A batch request after a save that failed: the history has what it has changed, and nothing else.
  private func changeByBatch(
    _ coordinators: [NSPersistentStoreCoordinator], _ past: [NSPersistentHistoryTransaction], _ hasHistory: Bool
  ) throws -> [NSPersistentHistoryTransaction] {
    precondition(coordinators.count == 2, "one coordinator changes, the other one looks")
    let (owner, rank, isInsert) = (context(coordinators[0]), newNumber(), chance(1, of: 3))
    note("batch \(isInsert ? "insert" : "update") of plain objects, rank \(rank)")
    let request = NSBatchUpdateRequest(entityName: "Plain")
    request.propertiesToUpdate = ["rank": rank]
    let insertion = NSBatchInsertRequest(entityName: "Plain", objects: [[RuleModel.number: rank, "rank": rank]])
    _ = try owner.performAndWait { try owner.execute(isInsert ? insertion : request) }
    let now = try history(coordinators[1], hasHistory)
    let changes = now.dropFirst(past.count).flatMap { $0.changes ?? [] }
    let type: NSPersistentHistoryChangeType = isInsert ? .insert : .update
    let others = changes.filter { $0.changedObjectID.entity.name != "Plain" || $0.changeType != type }
    try require(
      others.map { "\($0.changeType.rawValue) of \($0.changedObjectID.entity.name ?? "")" }, [], .historyDivergence,
      "what a batch request has not changed, in the history after a save that failed")
    return now
  }

  // MARK: Obstacles

  /// Puts an obstacle in the way of one of the writes of a save; nil for none.
  private func place(hasLog: Bool, table given: String?) throws -> Obstacle? {
    if !hasLog, chance(2, of: 3) {
      note("someone reads the file, who keeps a commit from it")
      let reader = try Connection(path: file.path, mode: .readOnly)
      try reader.execute("BEGIN")
      _ = try reader.int64("SELECT count(*) FROM ZITEM")
      return .reader(reader)
    }
    let connection = try Connection(path: file.path, mode: .readWrite, busyTimeoutMilliseconds: 1_000)
    defer { connection.close() }
    var tables: [String] = []
    let statement = try connection.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB 'Z*' OR name GLOB 'A*') ORDER BY name")
    while try statement.step() { tables += [statement.text(at: 0)].compactMap { $0 } }
    statement.reset()
    // The history is written last.
    let late = tables.filter { $0.hasPrefix("A") }
    guard let table = given ?? pick(chance(1, of: 2) ? late : tables) ?? pick(tables) else { return nil }
    let moment = chance(1, of: 2) ? "BEFORE" : "AFTER"
    let end = chance(1, of: 3) ? "ROLLBACK" : "ABORT"
    note("a trigger \(moment.lowercased()) each write of \(table) ends the save: \(end)")
    for write in Self.writes {
      try connection.execute(
        "CREATE TRIGGER refusal_\(write) \(moment) \(write) ON \(table) "
          + "BEGIN SELECT RAISE(\(end), 'refused by a trigger'); END")
    }
    return .triggers
  }

  private static let writes = ["INSERT", "UPDATE", "DELETE"]

  private func remove(_ obstacle: Obstacle) throws {
    switch obstacle {
    case .reader(let reader):
      try reader.execute("COMMIT")
      reader.close()
    case .triggers:
      let connection = try Connection(path: file.path, mode: .readWrite, busyTimeoutMilliseconds: 1_000)
      defer { connection.close() }
      for write in Self.writes { try connection.execute("DROP TRIGGER refusal_\(write)") }
    }
  }

  // MARK: Looking

  private func history(
    _ coordinator: NSPersistentStoreCoordinator, _ isKept: Bool
  ) throws -> [NSPersistentHistoryTransaction] {
    guard isKept else { return [] }
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: NSPersistentHistoryToken?.none)
    return try answer(request, coordinator) as? [NSPersistentHistoryTransaction] ?? []
  }

  /// Nothing is seen of a save that failed.
  private func requireNothing(
    of rows: RulePicture, _ past: [NSPersistentHistoryTransaction], _ coordinators: [NSPersistentStoreCoordinator],
    _ hasHistory: Bool
  ) throws {
    for coordinator in shuffled(coordinators) {
      try require(try stored(coordinator), rows, .dirtyRead, "in the file, after a save that failed")
      let seen = try history(coordinator, hasHistory)
      try require(
        seen.map(\.transactionNumber), past.map(\.transactionNumber), .historyDivergence,
        "the transactions after a save that failed")
    }
  }

  /// The history has one transaction for what was written, of who wrote it.
  private func requireRecord(
    after past: [NSPersistentHistoryTransaction], _ root: NSManagedObjectContext,
    _ coordinator: NSPersistentStoreCoordinator, wrote: Bool, _ hasHistory: Bool
  ) throws {
    guard hasHistory else { return }
    let new = try history(coordinator, true).dropFirst(past.count)
    try require(
      new.count <= 1 && (!wrote || new.count == 1), true, .historyDivergence, "whether a save is one transaction")
    guard let transaction = new.first else { return }
    let (author, name) = root.performAndWait { (root.transactionAuthor, root.name) }
    try require(
      [transaction.author ?? "none", transaction.contextName ?? "none"], [author ?? "none", name ?? "none"],
      .historyDivergence, "the author and the context of a save after one that failed")
  }
}
