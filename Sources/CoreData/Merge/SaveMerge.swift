import RowStore

/// The merge of one save into a context, on the context's queue.
struct SaveMerge {
  private let context: NSManagedObjectContext
  /// The save, with keys that the context's coordinator knows.
  private let record: SaveRecord
  /// Whether later saves are merged after this one.
  private let isInOrder: Bool
  private let watchers: [any ResultsTracker]
  private var source = RowSource.store
  private var reported = ObjectChanges()
  /// The objects that led to a deleted object in memory.
  private var referrers: ContiguousArray<NSManagedObject> = []
  /// Objects that only a controller has to hear of.
  private var unseen: ContiguousArray<NSManagedObject> = []

  /// Merges a save, if it is another context's; on the context's queue.
  static func merge(_ record: SaveRecord, into context: NSManagedObjectContext, inOrder isInOrder: Bool = false) {
    guard context.registry != nil, record.source?.context != context.identity.number else { return }
    guard let coordinator = context.persistentStoreCoordinator else { return }
    let own = record.family == coordinator.family ? record : coordinator.reread(record)
    var merge = SaveMerge(own, into: context, inOrder: isInOrder)
    merge.run()
    if ContextWatch.isOn { ContextWatch.tellRenewed(context, by: own) }
  }

  private init(_ record: SaveRecord, into context: NSManagedObjectContext, inOrder isInOrder: Bool) {
    precondition(record.source?.context != context.identity.number, "a context has what it saved itself")
    (self.record, self.context, self.isInOrder) = (record, context, isInOrder)
    watchers = context.trackers.active
  }

  /// Where a merge finds the rows of saved objects.
  private enum RowSource {
    /// In the row cache or the store.
    case store
    /// The rows that the parent had a moment ago.
    case parent([RowIdentity: Row])
    /// In the record, as the parent saved them; the number of its save, and whether nothing was read from it since.
    case parentsSave(UInt32, isNewest: Bool)
  }

  /// Merges, and reports the result.
  private mutating func run() {
    context.reading.leave()
    context.held.returnAll()
    context.registry?.mergedSaves &+= 1
    mergeDeletions()
    source = rowSource()
    for entry in record.inserted {
      if let object = mergeInsertion(entry) { reported.inserted.append(object) }
    }
    let registered = context.registry?.objects.objects(record.updated.count) { record.updated[$0].identity } ?? []
    precondition(
      registered.isEmpty || registered.count == record.updated.count, "each updated row has the place of its object")
    if isParents { mergeSettled() }
    for (entry, object) in zip(record.updated, registered) { mergeUpdate(entry, of: object) }
    mergeDerived()
    finish()
  }

  /// Whether the save is one of the parent.
  private var isParents: Bool {
    guard let source = record.source, let parent = context.parentContext else { return false }
    return source.context == parent.identity.number
  }

  /// Whether an object that the save has deleted is there no more for this context: it may have been inserted again and
  /// pushed since, and what another child has pushed is in no store yet.
  private func isDeleted(_ object: NSManagedObject, _ entry: SavedRow) -> Bool {
    guard let source = record.source else { return true }
    if isParents { return !context.inbox.unmergedPushes.hasRow(entry.identity, of: source.save) }
    return !source.isPush || (try? context.row(for: object) == nil) ?? false
  }

  private mutating func mergeDeletions() {
    var deletions = MergedDeletions(context)
    for entry in record.deleted + (isParents ? record.settled.filter { $0.row == nil } : []) {
      guard let object = registered(entry), object.state.isDisjoint(with: [.gone, .inserted]), !isBack(entry),
        isDeleted(object, entry)
      else { continue }
      deletions.merge(object)
      reported.deleted.append(object)
    }
    referrers = deletions.finish()
  }

  private mutating func mergeUpdate(_ entry: SavedRow, of registeredObject: NSManagedObject?) {
    let known = registeredObject ?? (context.tree.aliases.areKnown ? registered(entry) : nil)
    if let known, mergeUpdate(entry, into: known) {
      reported.refreshed.append(known)
    } else if known?.values == nil, watchers.contains(where: { $0.concerns(entry.layout) }),
      let row = newestRow(entry)
    {
      // A controller may list the object though it was never read, or has to list it from now on.
      unseen.append(context.object(key: entry.key, layout: row.layout, row: row))
    }
  }

  private mutating func finish() {
    reported.addRefreshed(referrers)
    if case .parentsSave(let save, let isNewest) = source {
      context.registry?.seenSaves = save
      context.inbox.rowsAtHand = RowsAtHand(record, save, context.inbox.unmergedPushes, isNewest: isNewest)
    }
    SideSettling(in: context).settleMovedPartners()
    context.changes.clean()
    reported.sets.postChange(of: context, unseen: unseen, isMerge: true)
    context.inbox.rowsAtHand = nil
    ObjectIDNotifications.postMerged(record, refreshed: reported.refreshed, from: context)
    context.tree.aliases.settle(context)
  }

  private func registered(_ entry: SavedRow) -> NSManagedObject? {
    context.registered(key: entry.key, layout: entry.layout)
  }

  /// Objects that the parent was to save, and did not write, have the store's values there: so have they in a child.
  private mutating func mergeSettled() {
    precondition(isParents, "rows are settled by a save of the parent")
    for entry in record.settled where entry.row != nil {
      guard let object = registered(entry), mergeUpdate(entry, into: object) else { continue }
      reported.refreshed.append(object)
    }
  }

  /// Takes values of derived attributes. They leave a row's version as it is: an object of an older version takes them with
  /// the merge that brings it that version.
  private mutating func mergeDerived() {
    for entry in record.derived {
      let known = registered(entry)
      guard known != nil || watchers.contains(where: { $0.concerns(entry.layout) }),
        let row = newestRow(entry, before: known?.snapshot?.version)
      else { continue }
      guard let known else {
        unseen.append(context.object(key: entry.key, layout: row.layout, row: row))
        continue
      }
      guard let snapshot = known.snapshot, snapshot.version == row.version, !known.hasStored(row),
        known.state.isDisjoint(with: [.deleted, .gone]), !hasNewer(known)
      else { continue }
      if known.values == nil { known.adoptSnapshot(row) } else { known.adoptMerged(row) }
      reported.refreshed.append(known)
    }
  }

  /// The source of the newest rows. A merge of the parent's own save waits for no queue above, since its holder may be waiting
  /// for this context: where they are not free, the rows are those of the save.
  private func rowSource() -> RowSource {
    guard let parent = context.parentContext else { return .store }
    func isWanted(_ entry: SavedRow) -> Bool {
      registered(entry)?.values != nil || watchers.contains { $0.concerns(entry.layout) }
    }
    let others = [record.updated, record.derived, record.settled].joined()
    let wanted = record.inserted + others.filter(isWanted)
    guard !wanted.isEmpty else { return .parent([:]) }
    func ask() -> RowSource { .parent(ParentAnswers(of: parent).serve(context) { $0.rows(wanted) }) }
    guard let source = record.source, source.context == parent.identity.number else { return ask() }
    let isNewest = context.registry.map { Int32(bitPattern: $0.seenSaves &- source.save) < 0 } ?? false
    return context.withAncestorsIfFree(ask) ?? .parentsSave(source.save, isNewest: isNewest)
  }

  /// Whether an object that a late notification calls deleted was inserted again since, under the same ID.
  private func isBack(_ entry: SavedRow) -> Bool {
    guard let coordinator = context.coordinator, coordinator.wasReinserted(entry.identity) else { return false }
    return (try? coordinator.row(entry.identity, layout: entry.layout)) != nil
  }

  /// The newest row known of a saved object; nil when it is gone by now.
  ///
  /// A row missing in the cache was deleted since, or a newer one was listed in its place and released: the store knows.
  /// - Parameter version: that of the row which the context has already.
  private func newestRow(_ entry: SavedRow, before version: Int64? = nil) -> Row? {
    switch source {
    case .parent(let rows): return rows[entry.identity]
    case .parentsSave(let save, _): return context.inbox.unmergedPushes.row(entry, of: save)
    case .store:
      // As a rule nothing was saved since: the row is the newest.
      if let row = entry.row, let usualCache = context.reading.usualCache, row.isNewest(in: usualCache),
        row.version >= version ?? 0
      {
        return row
      }
      guard let coordinator = context.coordinator else { return nil }
      let row = try? coordinator.row(entry.identity, layout: entry.layout)
      if let cache = row?.cache, cache !== context.reading.usualCache, context.reading.state == nil {
        context.reading.usualCache = cache
      }
      // A cache with an older row than this context has read already is not asked again.
      guard let row, let version, row.version < version else { return row }
      return try? coordinator.row(entry.identity, layout: entry.layout, maxAge: 0)
    }
  }

  private func mergeInsertion(_ entry: SavedRow) -> NSManagedObject? {
    guard let row = newestRow(entry) else {
      // It was deleted since, which is merged later.
      guard isInOrder, case .store = source, let row = entry.row, registered(entry) == nil
      else { return nil }
      return context.object(key: entry.key, layout: row.layout, row: row)
    }
    let object = context.object(key: entry.key, layout: row.layout, row: row)
    switch MergeStep.ofInsertion(object.knownToMerge, hasParent: context.parentContext != nil) {
    case .nothing: return nil
    case .takeFromParent: adoptFromParent(row, object)
    case .take:
      // A row that was deleted and inserted again, or a notification that comes late.
      if object.snapshot?.version != row.version { object.adoptMerged(row) }
    default: break
    }
    // An object deleted here stays so, in the version that it has now.
    return object.state.contains(.deleted) ? nil : object
  }

  /// False when the object had nothing to take.
  private func mergeUpdate(_ entry: SavedRow, into object: NSManagedObject) -> Bool {
    let step = MergeStep.ofUpdate(object.knownToMerge, hasParent: context.parentContext != nil)
    switch step {
    case .forgetMembers: object.forgetPrefetched()
    case .renewRow:
      if let row = newestRow(entry), !object.hasStored(row) { object.adoptSnapshot(row) }
    case .take, .takeFromParent:
      guard let row = newestRow(entry, before: object.snapshot?.version) else { return false }
      if step == .takeFromParent { return adoptFromParent(row, object) }
      guard !object.hasStored(row) else {
        // A report of IDs does not say what changed of an object: it may be members, which its row does not have.
        guard record.source == nil, object.hasReadMembers else { return false }
        object.forgetUnchangedRelations()
        return true
      }
      object.adoptMerged(row)
      return true
    case .nothing, .becomeKnown: break
    }
    return false
  }

  /// Takes over the parent's row of an object; false when the object has that or something newer. The members of to-many
  /// relationships are read again in any case: in a parent that has not saved yet they change without the row.
  @discardableResult
  private func adoptFromParent(_ row: Row, _ object: NSManagedObject) -> Bool {
    object.forgetUnchangedRelations()
    guard row !== object.snapshot else { return false }
    if hasNewer(object) { return false }
    if case .parentsSave(let save, _) = source { context.registry?.seenSaves = save }
    object.adoptMerged(row)
    return true
  }

  /// Whether an object's row was read from the parent, or pushed to it, after the parent's save that is merged.
  private func hasNewer(_ object: NSManagedObject) -> Bool {
    guard case .parentsSave(let save, _) = source else { return false }
    return object.hasSeen(save) && !context.inbox.unmergedPushes.hasRow(object.identity, of: save)
  }
}

extension NSManagedObject {
  /// The state that a merge decides by.
  fileprivate final var knownToMerge: MergeStep.Known {
    MergeStep.Known(state: state, isRealised: values != nil, hasRow: snapshot != nil)
  }

  /// Whether the members of a to-many relationship are known.
  fileprivate final var hasReadMembers: Bool {
    relations.contains { relation in
      guard case .many(let toMany) = relation else { return false }
      return toMany.members != nil
    }
  }

  /// Takes a row because of a merge.
  fileprivate final func adoptMerged(_ row: Row) {
    take(row)
    withoutTracking { awake(fromSnapshotEvents: .refresh) }
  }
}
