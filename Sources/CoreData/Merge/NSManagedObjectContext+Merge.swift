import SQLite
import Scheduling
import RowStore

extension NSManagedObjectContext {
  // MARK: By itself

  final func addObserver(_ context: NSManagedObjectContext) { observers.add(context) }

  final func removeObserver(_ context: NSManagedObjectContext) { observers.remove(context) }

  /// A save of another context is to be merged here. Any thread.
  ///
  /// It waits in a list as well as on the queue, so that whoever enters the queue next sees it merged.
  final func arrive(_ record: SaveRecord) {
    guard queue.acceptsBlocks else { return }
    DeliveryHooks.deliver { [weak self] in
      guard let self else { return }
      arrivals.withLock { $0.append(record) }
      queue.async { [weak self] in self?.mergeArrivals() }
    }
  }

  /// Merges what arrived, in the order in which it came; on the context's queue.
  ///
  /// Inside a save, a merge, or the processing of changes it waits: what is under way finds everything as it was, and
  /// nothing that arrives later is merged before it.
  final func mergeArrivals() {
    guard mergeBarriers == 0 else { return }
    if !unsettled.movedPartners.isEmpty { _ = withAncestorsIfFree { withoutMerging(settleMovedPartners) } }
    while true {
      let records = arrivals.withLock { arrivals in
        defer { arrivals = [] }
        return arrivals
      }
      if records.isEmpty { pushesAhead = PushesAhead() }
      guard !records.isEmpty, automaticallyMergesChangesFromParent else { return }
      withoutMerging {
        ServedWork.merge.run {
          for record in records { merge(record, inOrder: true) }
        }
      }
    }
  }

  // MARK: By call

  /// Merges what another context saved: inserted objects become known as faults, registered ones are brought up to
  /// date under their unsaved changes, deleted ones are deleted; then `NSManagedObjectContextObjectsDidChange` tells.
  ///
  /// On this context's queue. A late notification, or one merged twice, does no harm; one of another store is none of this
  /// context's business. What another coordinator saved, or who built the notification says, is read again from the store.
  public final func mergeChanges(fromContextDidSave notification: Notification) {
    touch("mergeChanges(fromContextDidSave:)")
    if let record = notification.userInfo?[SaveRecord.userInfoKey] as? SaveRecord {
      withoutMerging { merge(record) }
    } else if let coordinator = persistentStoreCoordinator {
      let isOwn = notification.object as? NSManagedObjectContext === self
      guard !isOwn || notification.name != .NSManagedObjectContextDidSave else { return }
      let record = RemoteSave(notification.userInfo ?? [:]).record(coordinator, contexts: [self])
      withoutMerging { merge(record) }
    }
  }

  /// Merges a save, perhaps of another process, into contexts on their queues: IDs, or URIs of IDs, by
  /// Apple's keys (`NSInsertedObjectsKey`, `NSUpdatedObjectIDsKey`, …). Any thread.
  ///
  /// The row caches read the objects again first. A child's parents take the changes before it does, whether they are
  /// among `contexts` or not.
  public final class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    let save = RemoteSave(changeNotificationData)
    var roots: [(coordinator: NSPersistentStoreCoordinator, contexts: [NSManagedObjectContext])] = []
    for context in contexts {
      guard let coordinator = context.persistentStoreCoordinator else { continue }
      let position = roots.firstIndex { $0.coordinator === coordinator } ?? roots.count
      if position == roots.count { roots.append((coordinator, [])) }
      for ancestor in context.lineage where !roots[position].contexts.contains(where: { $0 === ancestor }) {
        roots[position].contexts.append(ancestor)
      }
    }
    for (coordinator, contexts) in roots {
      let record = save.record(coordinator, contexts: contexts)
      for context in contexts {
        if context.queue.acceptsBlocks {
          context.performAndWait { context.merge(record) }
        } else {
          context.touch("mergeChanges(fromRemoteContextSave:into:)")
          context.merge(record)
        }
      }
    }
  }

  /// This context's ancestors from the root down, and itself.
  private final var lineage: [NSManagedObjectContext] { (parentContext?.lineage ?? []) + [self] }

  // MARK: Merging

  /// Merges a save on the context's queue; in order, where later saves are merged after it.
  final func merge(_ record: SaveRecord, inOrder: Bool = false) {
    guard registry != nil, record.source?.context != number else { return }
    guard let coordinator = persistentStoreCoordinator else { return }
    mergeOwn(record.family == coordinator.family ? record : coordinator.reread(record), inOrder: inOrder)
  }

  /// Merges a save whose rows this context's coordinator knows.
  private final func mergeOwn(_ record: SaveRecord, inOrder: Bool) {
    leaveReadState()
    held.returnAll()
    registry?.mergedSaves &+= 1
    var reported = ObjectChanges()
    var gone: Set<RowIdentity> = []
    var departures = Departures()
    for entry in record.deleted {
      guard let object = registered(key: entry.key, layout: entry.layout), object.state.isDisjoint(with: .gone),
        !isBack(entry)
      else { continue }
      gone.insert(object.identity)
      mergeDeletion(of: object, &departures)
      reported.deleted.append(object)
    }
    if !gone.isEmpty {
      leaveLists(&departures)
      departures.bereft += clearReferences(to: gone) + leaveUnreachedLists()
    }
    let watchers = trackers.active
    let source = rowSource(record, watchers)
    for entry in record.inserted {
      if let object = mergeInsertion(entry, source, inOrder: inOrder) { reported.inserted.append(object) }
    }
    var unseen: ContiguousArray<NSManagedObject> = []
    let registeredObjects = registry?.objects.objects(record.updated.count) { record.updated[$0].identity } ?? []
    if let parentContext, record.source?.context == parentContext.number { mergeSettled(record, source, &reported) }
    for (entry, registeredObject) in zip(record.updated, registeredObjects) {
      let known =
        registeredObject ?? (aliases.areKnown ? registered(key: entry.key, layout: entry.layout) : nil)
      if let known, mergeUpdate(entry, source, into: known) {
        reported.refreshed.append(known)
      } else if known?.values == nil, watchers.contains(where: { $0.concerns(entry.layout) }),
        let row = newestRow(entry, source)
      {
        // A controller may list the object though it was never read, or has to list it from now on.
        unseen.append(object(key: entry.key, layout: row.layout, row: row))
      }
    }
    mergeDerived(record, source, watchers, &reported, &unseen)
    reported.addRefreshed(departures.bereft)
    if case .parentsSave(let save, let isNewest) = source {
      registry?.seenSaves = save
      rowsAtHand = RowsAtHand(record, save, pushesAhead, isNewest: isNewest)
    }
    settleMovedPartners()
    changes.clean()
    post(.NSManagedObjectContextObjectsDidChange, reported.sets, unseen: unseen, isMerge: true)
    rowsAtHand = nil
    postMergedObjectIDs(record, refreshed: reported.refreshed)
    settleAliases()
  }

  /// Of what the parent was to save, and did not write, it has what the store has: a child that changed it has that, too.
  private final func mergeSettled(_ record: SaveRecord, _ source: RowSource, _ reported: inout ObjectChanges) {
    for entry in record.settled {
      guard let object = registered(key: entry.key, layout: entry.layout), mergeUpdate(entry, source, into: object)
      else { continue }
      reported.refreshed.append(object)
    }
  }

  /// Takes values of derived attributes. They leave a row's version as it is: an object of an older version takes them with
  /// the merge that brings it that version.
  private final func mergeDerived(
    _ record: SaveRecord, _ source: RowSource, _ watchers: [any ResultsTracker], _ reported: inout ObjectChanges,
    _ unseen: inout ContiguousArray<NSManagedObject>
  ) {
    for entry in record.derived {
      let known = registered(key: entry.key, layout: entry.layout)
      guard known != nil || watchers.contains(where: { $0.concerns(entry.layout) }),
        let row = newestRow(entry, source, before: known?.snapshot?.version)
      else { continue }
      guard let known else {
        unseen.append(object(key: entry.key, layout: row.layout, row: row))
        continue
      }
      guard let snapshot = known.snapshot, snapshot !== row, snapshot.version == row.version,
        known.state.isDisjoint(with: [.deleted, .gone])
      else { continue }
      if known.values == nil { known.adoptSnapshot(row) } else { known.adoptMerged(row) }
      reported.refreshed.append(known)
    }
  }

  /// Where a merge finds the rows of what was saved.
  private enum RowSource {
    /// In the row cache or the store.
    case store
    /// They are what the parent had a moment ago.
    case parent([RowIdentity: Row])
    /// In the record, as the parent saved them; the number of its save, and whether nothing was read from it since.
    case parentsSave(UInt32, isNewest: Bool)
  }

  /// What the parent has now. Because of what the parent itself saved, a merge waits for no queue above, since whoever
  /// holds one may be waiting for this context: where they are not free, the rows are those that the save brought along.
  private final func rowSource(_ record: SaveRecord, _ watchers: [any ResultsTracker]) -> RowSource {
    guard let parentContext else { return .store }
    func isWanted(_ entry: SavedRow) -> Bool {
      registered(key: entry.key, layout: entry.layout)?.values != nil || watchers.contains { $0.concerns(entry.layout) }
    }
    let others = [record.updated, record.derived, record.settled].joined()
    let wanted = record.inserted + others.filter(isWanted)
    guard !wanted.isEmpty else { return .parent([:]) }
    func ask() -> RowSource { .parent(parentContext.serve(self) { parentContext.rowsForChild(wanted) }) }
    guard let source = record.source, source.context == parentContext.number else { return ask() }
    let isNewest = registry.map { Int32(bitPattern: $0.seenSaves &- source.save) < 0 } ?? false
    return withAncestorsIfFree(ask) ?? .parentsSave(source.save, isNewest: isNewest)
  }

  private final func rowsForChild(_ entries: ContiguousArray<SavedRow>) -> [RowIdentity: Row] {
    var rows: [RowIdentity: Row] = [:]
    for entry in entries { rows[entry.identity] = try? rowForChild(key: entry.key, layout: entry.layout) }
    return rows
  }

  /// Whether what a late notification calls deleted was inserted again since, under the same ID.
  private final func isBack(_ entry: SavedRow) -> Bool {
    guard let coordinator, coordinator.wasReinserted(entry.identity) else { return false }
    return (try? coordinator.row(entry.identity, layout: entry.layout)) != nil
  }

  /// The newest row known for what was saved; nil when it is gone by now.
  ///
  /// A row missing in the cache was deleted since, or a newer one was listed in its place and released: the store knows.
  /// - Parameter version: that of the row which the context has already.
  private final func newestRow(
    _ entry: SavedRow, _ source: RowSource, before version: Int64? = nil
  ) -> Row? {
    switch source {
    case .parent(let rows): return rows[entry.identity]
    case .parentsSave(let save, _): return pushesAhead.row(entry, of: save)
    case .store:
      // As a rule nothing was saved since: the row is the newest.
      if let row = entry.row, let usualCache, row.isNewest(in: usualCache), row.version >= version ?? 0 { return row }
      guard let coordinator else { return nil }
      let row = try? coordinator.row(entry.identity, layout: entry.layout)
      if let cache = row?.cache, cache !== usualCache, readState == nil { usualCache = cache }
      // A cache that is behind what this context has read already is asked for no more.
      guard let row, let version, row.version < version else { return row }
      return try? coordinator.row(entry.identity, layout: entry.layout, maxAge: 0)
    }
  }

  private final func mergeInsertion(_ entry: SavedRow, _ source: RowSource, inOrder: Bool) -> NSManagedObject? {
    guard let row = newestRow(entry, source) else {
      // It was deleted since, which is merged later.
      guard inOrder, case .store = source, let row = entry.row, registered(key: entry.key, layout: entry.layout) == nil
      else { return nil }
      return object(key: entry.key, layout: row.layout, row: row)
    }
    let object = object(key: entry.key, layout: row.layout, row: row)
    switch MergeStep.ofInsertion(object.knownToMerge, hasParent: parentContext != nil) {
    case .nothing: return nil
    case .takeFromParent: adoptFromParent(row, source, object)
    case .take:
      // A row that was deleted and inserted again, or a notification that comes late.
      if object.snapshot?.version != row.version { object.adoptMerged(row) }
    default: break
    }
    // What is deleted here stays so, in the version that it has now.
    return object.state.contains(.deleted) ? nil : object
  }

  /// False when the object had nothing to take.
  private final func mergeUpdate(
    _ entry: SavedRow, _ source: RowSource, into object: NSManagedObject
  ) -> Bool {
    let step = MergeStep.ofUpdate(object.knownToMerge, hasParent: parentContext != nil)
    switch step {
    case .forgetMembers: object.forgetPrefetched()
    case .renewRow:
      if let row = newestRow(entry, source) { object.adoptSnapshot(row) }
    case .take, .takeFromParent:
      guard let row = newestRow(entry, source, before: object.snapshot?.version) else { return false }
      if step == .takeFromParent { return adoptFromParent(row, source, object) }
      guard row !== object.snapshot else { return false }
      object.adoptMerged(row)
      return true
    case .nothing, .becomeKnown: break
    }
    return false
  }

  /// What the parent has of an object; false when the object has that or something newer. The members of to-many
  /// relationships are read again in any case: in a parent that has not saved yet they change without the row.
  @discardableResult
  private final func adoptFromParent(_ row: Row, _ source: RowSource, _ object: NSManagedObject) -> Bool {
    object.forgetUnchangedRelations()
    guard row !== object.snapshot else { return false }
    if case .parentsSave(let save, _) = source {
      // What the object has was read from the parent, or pushed to it, after that save.
      if object.hasSeen(save), !pushesAhead.hasRow(object.identity, of: save) { return false }
      registry?.seenSaves = save
    }
    object.adoptMerged(row)
    return true
  }
}

extension NSManagedObject {
  /// What a merge decides by.
  fileprivate final var knownToMerge: MergeStep.Known {
    MergeStep.Known(state: state, isRealised: values != nil, hasRow: snapshot != nil)
  }

  /// Takes a row because of a merge.
  fileprivate final func adoptMerged(_ row: Row) {
    take(row)
    withoutTracking { awake(fromSnapshotEvents: .refresh) }
  }
}
