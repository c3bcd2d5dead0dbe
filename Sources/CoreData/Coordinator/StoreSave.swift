import SQLite

/// One save of a context: to one store as a rule, else to each store whose objects it changes.
///
/// Every store is written in a transaction of its own. All of them are written before the first is committed, and what is
/// written lies in the files by then, so that little is left that could fail between two commits: a crash there, or an
/// error of the file system, leaves the stores committed so far with their part of the save and the others without. Only
/// used in the writer's turn, on the context's queue.
struct StoreSave {
  /// How often a merge policy may resolve conflicts of one save; within one transaction a second round only finds what
  /// a policy left unresolved, or what resolving one kind of conflict brought of the other.
  private static let resolutionsMax = 10

  private let context: NSManagedObjectContext
  private let coordinator: NSPersistentStoreCoordinator
  /// In one order whatever the coordinator, so that two of them never wait for each other's files.
  private var stores: [SQLiteStore] = []
  /// Read-only stores whose objects are only to be as they were read.
  private var checkedStores: [SQLiteStore] = []
  /// What goes to each of several stores; empty where one gets everything.
  private var parts: [StoreTag: ChangeLists] = [:]
  /// Those whose transaction is this save's.
  private var begun: [SQLiteStore] = []
  /// What merge policies have changed in the context, once the save is carried out.
  private(set) var resolution = ObjectSets()

  /// - Throws: 134070 when the store of a changed object is not open, 134080 when none is.
  init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) throws {
    self.context = context
    self.coordinator = coordinator
    let all = coordinator.stores.all
    guard !all.isEmpty else { throw coordinator.hasNoStore }
    if all.count == 1, isWhole(for: all[0].sqlite) {
      stores = [all[0].sqlite]
    } else {
      try divide()
      stores.sort { $0.identity.uuid < $1.identity.uuid }
    }
  }

  // MARK: Parts

  /// Whether every change is one of the only store.
  private func isWhole(for store: SQLiteStore) -> Bool {
    guard !context.assignments.isUsed, store.takesEveryEntity else { return false }
    var isWhole = true
    for list in [context.changes.inserted, context.changes.updated, context.changes.deleted] {
      list.forEachBorrowed { object in
        let key = object.key
        if key > 0, !store.tag.owns(key) { isWhole = false }
      }
    }
    return isWhole && context.held.locked.allSatisfy { $0.key < 0 || store.tag.owns($0.key) }
  }

  /// Deals the changes out; again when a merge policy has changed them.
  private mutating func divide() throws {
    typealias Objects = ContiguousArray<NSManagedObject>
    var parts: [StoreTag: (Objects, Objects, Objects)] = [:]
    var homes: [Int: SQLiteStore] = [:]
    func home(_ object: NSManagedObject) throws -> StoreTag {
      let key = object.key
      let store: SQLiteStore
      if key > 0 {
        store = try coordinator.store(of: key)
      } else if let known = homes[object.layout.number], context.assignments.store(of: key) == nil {
        store = known
      } else {
        store = try coordinator.home(of: object.layout, key: key, in: context)
        if context.assignments.store(of: key) == nil { homes[object.layout.number] = store }
      }
      if !stores.contains(where: { $0 === store }) { stores.append(store) }
      return store.tag
    }
    for object in context.changes.inserted { parts[try home(object), default: ([], [], [])].0.append(object) }
    for object in context.changes.updated { parts[try home(object), default: ([], [], [])].1.append(object) }
    for object in context.changes.deleted { parts[try home(object), default: ([], [], [])].2.append(object) }
    for object in context.held.locked where object.key > 0 {
      let store = try coordinator.store(of: object.key)
      guard !stores.contains(where: { $0 === store }), !checkedStores.contains(where: { $0 === store }) else {
        continue
      }
      if store.options.isReadOnly { checkedStores.append(store) } else { stores.append(store) }
    }
    self.parts = parts.mapValues { ChangeLists(inserted: $0.0, updated: $0.1, deleted: $0.2) }
    for store in stores where self.parts[store.tag] == nil { self.parts[store.tag] = ChangeLists() }
  }

  private func changes(of store: SQLiteStore) -> ChangeLists {
    parts.isEmpty ? context.changes : parts[store.tag] ?? ChangeLists()
  }

  // MARK: Carrying out

  /// Rows are first written as if nothing had changed meanwhile; only when a row's version is not the expected one, or a
  /// uniqueness constraint is violated, all is taken back and looked at row by row.
  mutating func run() throws -> SaveRecord {
    var backup: SaveBackup?
    var committed = 0
    do {
      for store in stores { try begin(store) }
      if try !write() {
        // The policy, and the backup, see values and no files that are taken away.
        for store in begun { store.files.undo() }
        backup = SaveBackup(context)
        try writeResolvingConflicts()
      }
      for store in stores {
        try on(store) {
          try store.prepareCommit()
          if stores.count > 1 { try store.connection.flush() }
        }
      }
      Checkpoints.beforeCommit.reach(context.label)
      for store in stores {
        try on(store) { try store.commit(changes(of: store)) }
        committed += 1
      }
    } catch {
      for store in begun { store.rollBack() }
      let partial =
        committed > 0
        ? PartialSave(publish(committed, backup != nil), error, lacking: openStores(stores[committed...])) : nil
      if partial == nil { backup?.restore(context) }
      for object in context.changes.inserted where object.key < 0 { object.reservedKey = 0 }
      throw partial ?? error
    }
    if let backup { resolution = backup.resolution(context) }
    let record = publish(committed, backup != nil)
    Checkpoints.afterCommit.reach(context.label)
    return record
  }

  private func openStores(_ lacking: ArraySlice<SQLiteStore>) -> [NSPersistentStore] {
    coordinator.stores.all.filter { entry in lacking.contains { $0 === entry.sqlite } }.map(\.store)
  }

  private func on<Result>(_ store: SQLiteStore, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw store.failure(NSPersistentStoreSaveError, "The store \(store.place.label) could not be written", error)
    }
  }

  /// False when a row is not as it was read, or a constraint is violated.
  private func write() throws -> Bool {
    for store in stores {
      let isWritten = try on(store) {
        try store.write(changes(of: store)) == .written && store.findLockConflicts(context).isEmpty
      }
      guard isWritten else { return false }
    }
    return try checkedStores.allSatisfy { try $0.findLockConflicts(context).isEmpty }
  }

  /// Gives what stands in the way to the context's merge policy and writes; transactions are open before and after.
  ///
  /// - Throws: what the policy throws, 133020 or 133021 when it leaves conflicts unresolved.
  private mutating func writeResolvingConflicts() throws {
    guard let policy = context.mergePolicy as? NSMergePolicy else {
      preconditionFailure("a merge policy is an NSMergePolicy")
    }
    for _ in 0..<Self.resolutionsMax {
      for store in stores { try on(store) { try store.beginAgain() } }
      let stale = try staleObjects()
      if !stale.isEmpty { try policy.resolve(mergeConflicts: stale) }
      try takeResolution()
      let rivals = try rivals()
      if !rivals.isEmpty { try policy.resolve(mergeConflicts: rivals) }
      try takeResolution()
      if try writeGivingUpFirst() { return }
    }
    let stale = try staleObjects()
    throw NSError.coreData(
      stale.isEmpty ? NSManagedObjectConstraintMergeError : NSManagedObjectMergeError,
      "The merge policy left conflicts unresolved \(Self.resolutionsMax) times.",
      userInfo: [NSPersistentStoreSaveConflictsErrorKey: stale.isEmpty ? try rivals() : stale])
  }

  /// The policy may have changed objects, of other stores too.
  private mutating func takeResolution() throws {
    context.changes.clean()
    guard !parts.isEmpty else { return }
    let before = stores.count
    try divide()
    for store in stores[before...] { try begin(store) }
  }

  private mutating func begin(_ store: SQLiteStore) throws {
    try on(store) { try store.begin() }
    begun.append(store)
  }

  private func staleObjects() throws -> [NSMergeConflict] {
    try (stores + checkedStores).flatMap { store in
      try on(store) { try store.findConflicts(changes(of: store)) + store.findLockConflicts(context) }
    }
  }

  private func rivals() throws -> [NSConstraintConflict] {
    try stores.flatMap { store in
      try on(store) { try store.findConstraintConflicts(changes(of: store), of: context) }
    }
  }

  private func writeGivingUpFirst() throws -> Bool {
    for store in stores {
      let isWritten = try on(store) {
        try store.writeGivingUpFirst(changes(of: store)) == .written && store.findLockConflicts(context).isEmpty
      }
      guard isWritten else { return false }
    }
    return true
  }

  /// What the first so many stores have becomes the objects' and the row caches'.
  private func publish(_ committed: Int, _ wasResolved: Bool) -> SaveRecord {
    let records = stores[..<committed].map { store in
      store.publish(changes(of: store), of: context, wasResolved: wasResolved)
    }
    return records.count == 1 ? records[0] : SaveRecord(records)
  }
}

/// A save to several stores whose later commits failed: the earlier ones stay.
struct PartialSave: Error {
  /// What was saved.
  let record: SaveRecord
  /// Why the rest was not.
  let error: NSError

  init(_ record: SaveRecord, _ underlying: any Error, lacking stores: [NSPersistentStore]) {
    self.record = record
    let names = stores.map(\.sqlite.place.label).joined(separator: ", ")
    error = NSError.coreData(
      NSPersistentStoreIncompleteSaveError,
      "The save is only in some of its stores; the changes of \(names) are still unsaved: "
        + (underlying as NSError).localizedDescription,
      underlying: underlying, userInfo: [NSAffectedStoresErrorKey: stores])
  }
}
