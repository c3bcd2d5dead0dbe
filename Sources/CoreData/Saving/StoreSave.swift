import SQLite
import RowStore

/// One save of a context: to one store as a rule, else to each store with objects that it changes.
///
/// Every store is written in a transaction of its own. All of them are written before the first is committed, and the writes
/// are in the files by then, so that little is left that could fail between two commits: a crash there, or an error of the file
/// system, leaves the stores committed so far with their part of the save and the others without. Only used in the writer's
/// turn, on the context's queue.
struct StoreSave {
  /// How many attempts may fail without a new group of objects that violate a uniqueness constraint.
  private static let attemptsMax = 10

  /// The part of one store.
  private struct Part {
    let store: SQLiteStore
    var planned: PlannedSave
    /// Whether the store's transaction is this save's.
    var isBegun = false

    init(_ store: SQLiteStore, _ changes: ChangeLists, of context: NSManagedObjectContext) {
      self.store = store
      planned = PlannedSave(changes, of: context, in: store.tag)
    }
  }

  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// The store that gets every change; nil where there are several, or one does not take all of them.
  private var onlyStore: SQLiteStore?
  /// In one order whatever the coordinator, so that two saves never wait for each other's files.
  private var parts: [Part] = []
  /// Read-only stores with objects that only must have their rows as they were read.
  private var checked: [Part] = []
  /// Changes by merge policies in the context, once the save is carried out.
  private(set) var resolution = ObjectSets()
  /// Objects of which merge policies have left nothing to save, with their rows.
  private var settled: ContiguousArray<SavedRow> = []

  /// - Throws: 134070 when the store of a changed object is not open, 134080 when none is.
  init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    self.context = context
    self.coordinator = coordinator
    let all = coordinator.stores.all
    guard !all.isEmpty else { throw coordinator.hasNoStore }
    onlyStore = all.count == 1 && Self.mayBeWhole(context, for: all[0].sqlite) ? all[0].sqlite : nil
    try plan()
  }

  // MARK: Parts

  /// Whether every change is one of the only store, as far as that shows before it is planned.
  private static func mayBeWhole(_ context: NSManagedObjectContext, for store: SQLiteStore) -> Bool {
    !context.tree.assignments.isUsed && store.takesEveryEntity
      && context.held.locked.allSatisfy { $0.key < 0 || store.tag.owns($0.key) }
  }

  /// Plans the part of every store, from the context's changes now. A store with an open transaction stays among them.
  private mutating func plan() throws {
    let begun = parts.filter(\.isBegun).map(\.store)
    let only = onlyStore.map { Part($0, context.changes, of: context) }
    // A store that was closed may still have objects here.
    if let only, parts.isEmpty, !only.planned.isWhole { onlyStore = nil }
    if let only, onlyStore != nil {
      parts = [only]
    } else {
      let division = try StoreDivision(of: context, coordinator)
      let all = coordinator.stores.all.map(\.sqlite)
      // Unsaved metadata of a store are written even where none of its objects changed.
      let written =
        division.written
        + all.filter { sqlite in
          sqlite.hasUnsavedMetadata && !division.written.contains { $0 === sqlite }
        }
      let others = written.filter { store in !begun.contains { $0 === store } }
      parts = (begun + others.sorted { $0.identity.uuid < $1.identity.uuid })
        .map { Part($0, division.changes(of: $0), of: context) }
      checked = division.checked.map { Part($0, ChangeLists(), of: context) }
    }
    precondition(begun.count <= parts.count, "a store with a transaction of this save is one of the save's")
    for index in begun.indices { parts[index].isBegun = true }
  }

  // MARK: Carrying out

  /// Rows are first written as if nothing had changed meanwhile; only when a row's version is not the expected one, or a
  /// uniqueness constraint is violated, all is taken back and looked at row by row.
  mutating func run() throws -> SaveRecord {
    var backup: SaveBackup?
    var committed = 0
    do {
      try begin()
      if try !write(freeingValues: false) {
        backup = SaveBackup(context)
        try writeResolvingConflicts()
      }
      for index in parts.indices {
        try on(index) { part in
          try part.store.recordHistory(part.planned.plan, by: HistoryStamp(of: context))
          try part.store.prepareCommit()
          if parts.count > 1 { try part.store.connection.flush() }
        }
      }
      Checkpoints.beforeCommit.reach(context.label)
      for index in parts.indices {
        try on(index) { part in try part.store.commit(part.planned.plan) }
        committed += 1
      }
    } catch {
      for part in parts where part.isBegun { part.store.rollBack() }
      guard committed > 0 else {
        backup?.restore(context)
        throw error
      }
      precondition(committed < parts.count, "a save that failed lacks a store")
      let lacking = parts[committed...].map(\.store)
      throw PartialSave(publish(committed, backup != nil), error, lacking: openStores(lacking))
    }
    if let backup {
      resolution = backup.resolution(context)
      settled = backup.settled
    }
    precondition(committed == parts.count, "each store of a save has committed it")
    let record = publish(committed, backup != nil)
    Checkpoints.afterCommit.reach(context.label)
    return record
  }

  private func openStores(_ lacking: [SQLiteStore]) -> [NSPersistentStore] {
    coordinator.stores.all.filter { entry in lacking.contains { $0 === entry.sqlite } }.map(\.store)
  }

  /// Does something with a part; an error of its store becomes the error of the save.
  private func on<Result>(_ index: Int, _ body: (Part) throws -> Result) throws -> Result {
    try on(parts[index]) { try body(parts[index]) }
  }

  private func on<Result>(_ part: Part, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      throw part.planned.translation(of: error, from: part.store)
    }
  }

  /// Begins the transactions that are not open yet.
  private mutating func begin() throws {
    for index in parts.indices where !parts[index].isBegun {
      try on(index) { try $0.store.begin() }
      parts[index].isBegun = true
    }
  }

  /// False when a row is not as it was read, or a constraint is violated.
  private mutating func write(freeingValues freesValues: Bool) throws -> Bool {
    for index in parts.indices {
      let store = parts[index].store
      do {
        guard try store.write(&parts[index].planned.plan, freeingValues: freesValues) == .written else { return false }
      } catch {
        throw parts[index].planned.translation(of: error, from: store)
      }
    }
    return try checked.allSatisfy { part in try part.store.staleRows(part.planned.plan).isEmpty }
  }

  /// Gives the conflicts to the context's merge policy and writes; transactions are open before and after.
  ///
  /// - Throws: the policy's error, 133020 or 133021 when it leaves conflicts unresolved.
  private mutating func writeResolvingConflicts() throws {
    guard let policy = context.mergePolicy as? NSMergePolicy else {
      preconditionFailure("a merge policy is an NSMergePolicy")
    }
    // The rows to decide by are those that the save meets, not those of the context's query generation.
    let pinned = context.reading.state
    context.reading.state = nil
    defer {
      if let pinned {
        context.reading.state = pinned
        context.reading.usualCache = nil
      }
    }
    var (known, attempts) = (Set<Set<NSManagedObject>>(), 0)
    // Each object may give its place back once. A policy that inserts objects could bring new conflicts for ever.
    for _ in 0..<(Self.attemptsMax + context.changes.all.count) where attempts < Self.attemptsMax {
      for index in parts.indices { try on(index) { try $0.store.beginAgain() } }
      let stale = try mergeConflicts()
      if !stale.isEmpty {
        try policy.resolve(mergeConflicts: stale)
        // The policy decides for each object alone, and an object may lead to one of which nothing is to be saved.
        context.changes.clean()
        try SideSettling(in: context).settle(isResolving: true)
      }
      try planAgain()
      let colliding = try constraintConflicts()
      if !colliding.isEmpty {
        try policy.resolve(mergeConflicts: colliding)
        try DeleteRules(in: context).followNew()
        try SideSettling(in: context).settle(isResolving: true)
        callWillSave(colliding)
      }
      try planAgain()
      try context.validation.validateResolution()
      if try write(freeingValues: true) { return }
      let before = known.count
      known.formUnion(colliding.map { Set($0.conflictingObjects + [$0.databaseObject].compactMap { $0 }) })
      if known.count == before { attempts += 1 }
    }
    let stale = try mergeConflicts()
    throw NSError.coreData(
      stale.isEmpty ? NSManagedObjectConstraintMergeError : NSManagedObjectMergeError,
      "The merge policy left conflicts unresolved.",
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: stale.isEmpty ? try constraintConflicts() : stale])
  }

  /// Sends `willSave` to objects of rows that took over another one's values: they are part of the save from now on.
  private func callWillSave(_ conflicts: [NSConstraintConflict]) {
    var winners: [NSManagedObject] = []
    for winner in conflicts.compactMap(\.databaseObject)
    where winner.state.contains(.updated) && !winner.state.contains(.deleted) && !winners.contains(winner) {
      winners.append(winner)
      winner.willSave()
    }
  }

  /// Plans again after the policy, which may have changed objects, of other stores too.
  private mutating func planAgain() throws {
    try DeleteRules(in: context).followNew()
    try plan()
    try begin()
  }

  private func mergeConflicts() throws -> [NSMergeConflict] {
    try (parts + checked).flatMap { part in
      try on(part) {
        try part.store.staleRows(part.planned.plan).map { stale in
          NSMergeConflict(part.planned.object(at: stale.place), row: stale.row, isPersisted: stale.isPersisted)
        }
      }
    }
  }

  private func constraintConflicts() throws -> [NSConstraintConflict] {
    try parts.flatMap { part in
      try on(part) {
        try part.store.collidingRows(part.planned.plan).map { colliding in
          let database = colliding.row.map(context.object(of:))
          if let database, let row = colliding.row, database.values == nil { database.fill(row) }
          return NSConstraintConflict(
            colliding.constraint, row: colliding.row, database: database,
            colliding.places.map(part.planned.object(at:)))
        }
      }
    }
  }

  /// Publishes the rows of the first so many stores to the objects and the row caches.
  private func publish(_ committed: Int, _ wasResolved: Bool) -> SaveRecord {
    let records = parts[..<committed].map { part in
      part.planned.adopt(part.store.publish(part.planned.plan), settled: settled, wasResolved: wasResolved, in: context)
    }
    return records.count == 1 ? records[0] : SaveRecord(records)
  }
}

extension PlannedSave {
  /// The error that a save throws where a store could not write the plan; it names the objects that it is about.
  func translation(of error: any Error, from store: SQLiteStore) -> any Error {
    switch error {
    case let error as SQLiteError:
      store.failure(NSPersistentStoreSaveError, "The store \(store.place.label) could not be written", error)
    case let error as CrossStoreReference: crossingError(error)
    case let error as UnencodableValue:
      NSError.coreData(
        NSManagedObjectValidationError, "\(error.reason)",
        userInfo: [
          NSValidationObjectErrorKey: object(with: error.owner) as Any, NSValidationKeyErrorKey: error.property.name,
        ])
    default: error
    }
  }

  private func crossingError(_ error: CrossStoreReference) -> NSError {
    let object = object(with: error.owner)
    return NSError.coreData(
      NSManagedObjectReferentialIntegrityError,
      """
      The relationship '\(error.property.name)' of \(object.map { "\($0.objectID)" } ?? "an object") leads to an object of \
      another store; a relationship stays within one store: give a new object the store of the other with assign(_:to:), \
      or keep the other's URI.
      """,
      userInfo: [
        NSAffectedObjectsErrorKey: object.map { [$0] } ?? [], NSValidationKeyErrorKey: error.property.name,
      ])
  }
}
