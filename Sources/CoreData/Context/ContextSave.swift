import SQLite
import Scheduling
import RowStore

/// The saves of a context.
struct ContextSaves {
  /// Whether one is under way.
  var isUnderWay = false
  /// Objects with changes that were processed inside a `willSave`; nil outside.
  var processed: ContiguousArray<NSManagedObject>?
  /// Objects beside those of a save that have got derived values by it; until they are reported.
  var recomputed: ContiguousArray<NSManagedObject> = []
  /// How many the context has begun.
  private(set) var begun: UInt32 = 0

  /// Names the save that is under way; on the context's queue.
  mutating func next(of context: NSManagedObjectContext) -> SaveRecord.Source {
    begun &+= 1
    return SaveRecord.Source(context: context.identity.number, save: begun, isPush: context.parentContext != nil)
  }
}

/// One save of a context: to the store, or one level up to the parent.
struct ContextSave {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// How often `willSave` may make new changes before the save fails.
  private static let willSaveRoundsMax = 1_000

  /// Does the work of ``NSManagedObjectContext/save()``.
  func run() throws {
    context.touch("save")
    try refuseRecursion()
    try followOvertakenDeletions()
    context.changes.orderUpdated()
    let savesBefore = context.saves.begun
    var reported = try ChangeProcessing(of: context).run(followsDeletions: true)
    if reported.isEmpty, let known = context.changes.reported { reported = known }
    if context.hasChanges {
      if let refusalToSave = context.reading.unreadable.refusalToSave(context) { throw refusalToSave }
      ContextHooks.tell(.save, of: context)
    }
    // An observer may have saved what was reported.
    if context.saves.begun != savesBefore { reported = ObjectSets() }
    let leavings = context.changes.leavings
    context.saves.isUnderWay = true
    context.inbox.close()
    defer { end() }
    NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: context)
    if context.changes.hasPending {
      // By observers, and not by a willSave.
      try ChangeProcessing(of: context).run(followsDeletions: true)
      reported = ObjectSets()
    }
    if try callWillSave() { reported = ObjectSets() }
    guard context.hasChanges else { return try finishWithoutChanges() }
    if try settleChangedSides() { reported = ObjectSets() }
    if try context.validation.validateChanges() { reported = ObjectSets() }
    if let refusalToSave = context.reading.unreadable.refusalToSave(context) { throw refusalToSave }
    context.changes.clean()
    // Reported objects that were refreshed on the way are no part of the save any more.
    if context.changes.leavings != leavings { reported = ObjectSets() }
    Checkpoints.beforeWrite.reach(context.label)
    // Objects that a merge policy may change, bring back or remove.
    let touched = context.trackers.isEmpty ? [] : context.changes.all
    let record: SaveRecord
    var resolution = ObjectSets()
    if let parentContext = context.parentContext {
      record = push(to: parentContext)
    } else if let coordinator = context.coordinator {
      do {
        let saved = try coordinator.save(context)
        context.reading.leave()
        record = saved.record
        resolution = saved.resolution
      } catch let partial as PartialSave {
        finishPart(partial.record, touched)
        throw partial.error
      }
    } else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "\(context.label) has neither a coordinator nor a parent; set one before saving.")
    }
    if record.wasResolved { reported = ObjectSets() }
    finishSave(record, reported, touched, resolution)
    context.tree.aliases.settle(context)
  }

  /// Lets others' saves in again, and has the changes processed that a `didSave` or an observer of the save has made.
  private func end() {
    precondition(context.saves.isUnderWay, "a save that ends has begun")
    context.saves.isUnderWay = false
    Arrivals.letIn(to: context)
    if context.changes.hasPending { context.enqueuePassOutsideBlocks() }
  }

  private func refuseRecursion() throws {
    guard context.saves.isUnderWay else { return }
    throw NSError.coreData(
      recursiveSaveError, "save() was called inside a save of \(context.label); it was not carried out.")
  }

  private func followOvertakenDeletions() throws {
    if context.changes.unsettled.overtakenDeletions.isEmpty { return }
    try Arrivals.heldBack(from: context, during: DeleteRules(in: context).followOvertaken)
  }

  /// Ends a save that writes nothing but metadata of stores.
  private func finishWithoutChanges() throws {
    context.held.endSave()
    try context.coordinator?.saveMetadata()
    context.reading.leave()
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: context)
  }

  /// Calls `willSave` until no object is new to it; true when that made new changes.
  private func callWillSave() throws -> Bool {
    guard context.registry?.layout?.hasSaveHooks ?? true else { return false }
    // Lists as they are, since one made of them would count a reference to each object.
    var round = context.changes.lists
    var rounds = 0
    while !round.allSatisfy(\.isEmpty) {
      rounds += 1
      guard rounds <= Self.willSaveRoundsMax else {
        throw NSError.coreData(
          NSManagedObjectValidationError,
          "willSave made new changes \(Self.willSaveRoundsMax) times in a row; set a property only when its value differs.",
          userInfo: [NSAffectedObjectsErrorKey: round.flatMap(\.self)])
      }
      context.saves.processed = []
      // One object's willSave may make another one vanish, or clean again.
      for objects in round {
        objects.forEachBorrowed { if $0.state.isDirty, !$0.state.isVanishing { $0.willSave() } }
      }
      let processed = context.saves.processed ?? []
      context.saves.processed = nil
      // Objects that delete rules reach get willSave as well.
      if context.changes.hasPending { try Arrivals.heldBack(from: context, during: DeleteRules(in: context).follow) }
      round = [context.changes.pending]
      if !processed.isEmpty {
        var known = Set(round[0])
        round.append(ContiguousArray(processed.filter { known.insert($0).inserted }))
      }
      try ChangeProcessing(of: context).run(followsDeletions: true)
    }
    return rounds > 1
  }

  /// Makes both sides of relationships agree; true when that made new changes.
  private func settleChangedSides() throws -> Bool {
    guard context.changes.unsettled.mayDiffer else { return false }
    try SideSettling(in: context).settle()
    // A newer row of a partner may lead to an object that is deleted here.
    try followOvertakenDeletions()
    guard context.changes.hasPending else { return false }
    // Nothing that the program did, and could undo.
    context.undoManager?.disableUndoRegistration()
    defer { context.undoManager?.enableUndoRegistration() }
    try ChangeProcessing(of: context).run(followsDeletions: true)
    return true
  }

  private func push(to parent: NSManagedObjectContext) -> SaveRecord {
    let push = Push(of: context)
    var watched: ContextWatch.Save?
    ServedWork.push.run(in: parent) {
      if ContextWatch.isOn { watched = ContextWatch.Save(beginning: context, pushingTo: parent) }
      PushReception(in: parent).receive(push)
      context.registry?.seenSaves = parent.saves.begun
      if !context.inbox.isEmpty { push.noteAhead(of: context, in: parent) }
    }
    func entries(_ objects: ContiguousArray<PushedObject>) -> ContiguousArray<SavedRow> {
      var entries: ContiguousArray<SavedRow> = []
      entries.reserveCapacity(objects.count)
      objects.forEachInPlace {
        entries.append(
          SavedRow(key: $0.pointee.key, layoutReference: $0.pointee.layoutReference, row: $0.pointee.values))
      }
      return entries
    }
    let record = SaveRecord(
      source: context.saves.next(of: context), family: context.persistentStoreCoordinator?.family, model: context.model,
      inserted: entries(push.inserted), updated: entries(push.updated), deleted: entries(push.deleted))
    context.tree.aliases.note(record)
    watched?.tell(record)
    return record
  }

  /// Ends a save: the objects are clean, and observers are notified.
  ///
  /// - Parameters:
  ///   - reported: the sets that the save's own `ObjectsDidChange` had: as a rule the sets of the save.
  ///   - touched: for controllers, the objects to be saved before a merge policy decided.
  ///   - resolution: changes by merge policies here since `ObjectsDidChange`.
  private func finishSave(
    _ record: SaveRecord, _ reported: ObjectSets, _ touched: ContiguousArray<NSManagedObject>, _ resolution: ObjectSets
  ) {
    let saved = context.changes
    context.changes.removeAll()
    context.held.endSave()
    finish(saved, record, reported, touched, resolution)
  }

  /// Ends a save of which only some stores have their part: the other changes stay.
  private func finishPart(_ record: SaveRecord, _ touched: ContiguousArray<NSManagedObject>) {
    precondition(context.parentContext == nil, "a save that is in some stores only went to stores")
    let keys = Set((record.inserted + record.updated + record.deleted).map(\.identity))
    func part(_ objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
      objects.filter { keys.contains($0.identity) }
    }
    let saved = ChangeLists(
      inserted: part(context.changes.inserted), updated: part(context.changes.updated),
      deleted: part(context.changes.deleted))
    context.changes.markStale()
    finish(saved, record, ObjectSets(), touched)
    context.changes.clean()
  }

  private func finish(
    _ saved: ChangeLists, _ record: SaveRecord, _ reported: ObjectSets, _ touched: ContiguousArray<NSManagedObject>,
    _ resolution: ObjectSets = ObjectSets()
  ) {
    let (inserted, updated, deleted) = (saved.inserted, saved.updated, saved.deleted)
    if context.parentContext != nil {
      // The store cleaned the objects that it wrote.
      for list in [inserted, updated] {
        list.forEachBorrowed { object in
          object.becomeClean()
          object.markSeenSaves()
        }
      }
    }
    deleted.forEachBorrowed { $0.state.save() }
    if !resolution.isEmpty { awakeResolved(resolution) }
    if context.registry?.layout?.hasSaveHooks ?? true {
      inserted.forEachBorrowed { $0.didSave() }
      updated.forEachBorrowed { $0.didSave() }
      deleted.forEachBorrowed { $0.didSave() }
    }
    if context.parentContext == nil, context.changes.isEmpty { context.tree.aliases.rootSaved() }
    context.trackers.tellOfNewIDs()
    if record.wasResolved, !context.trackers.isEmpty {
      context.trackers.tell(resolution, unseen: touched + inserted + updated + deleted)
    }
    if !resolution.isEmpty {
      // The controllers know already.
      NotificationCenter.default.post(
        name: .NSManagedObjectContextObjectsDidChange, object: context, userInfo: resolution.userInfo)
    }
    reportOthers(record, deleted.isEmpty ? [] : context.registry?.leaveUnreachedLists() ?? [])
    context.observers.tell(record, except: nil)
    // All reported objects are saved ones, so equal counts are equal sets; but an object inserted, reported, and then changed
    // was reported as updated.
    func set(_ objects: ContiguousArray<NSManagedObject>, _ reported: Set<NSManagedObject>) -> Set<NSManagedObject> {
      reported.count == objects.count ? reported : Set(distinct: objects)
    }
    let sets = ObjectSets(
      inserted: set(inserted, reported.inserted), updated: set(updated, inserted.isEmpty ? reported.updated : []),
      deleted: set(deleted, reported.deleted))
    var info = sets.userInfo
    info[SaveRecord.userInfoKey] = record
    NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: context, userInfo: info)
    ObjectIDNotifications.post(sets, record, from: context)
    guard !deleted.isEmpty else { return }
    context.registry?.objects.edit { entries in deleted.forEachBorrowed { entries.remove($0.identity, ifItIs: $0) } }
    deleted.forEachBorrowed { object in
      context.held.remove(object)
      object.loseRegistry()
      // Deleted together, objects would hold each other for ever.
      if !object.relations.isEmpty { object.relations = .unread }
    }
  }

  /// Reports objects that are none of the save's and that it has changed here: those with other derived values, and owners that a
  /// deleted member has left. Controllers hear of the save's own objects that have derived values as well.
  private func reportOthers(_ record: SaveRecord, _ owners: ContiguousArray<NSManagedObject>) {
    var reported = ObjectChanges()
    reported.addRefreshed(context.saves.recomputed + owners)
    context.saves.recomputed = []
    var unseen: ContiguousArray<NSManagedObject> = []
    let trackers = context.trackers.active
    for entry in trackers.isEmpty ? [] : record.derived + ownDerived(record)
    where trackers.contains(where: { $0.concerns(entry.layout) }) {
      // A controller may list the object though it is a fault.
      if let row = entry.row { unseen.append(context.object(key: entry.key, layout: row.layout, row: row)) }
    }
    reported.sets.postChange(of: context, unseen: unseen)
  }

  /// The rows that were written with attributes that the store derives; a parent derives none.
  private func ownDerived(_ record: SaveRecord) -> ContiguousArray<SavedRow> {
    guard context.parentContext == nil, context.registry?.layout?.entities.contains(where: \.hasDerived) ?? false else {
      return []
    }
    return (record.inserted + record.updated).filter { $0.layout.hasDerived }
  }

  /// Objects that a merge policy gave other values, or brought back, may derive their transient values anew.
  private func awakeResolved(_ resolution: ObjectSets) {
    let objects = resolution.refreshed.union(resolution.inserted).sorted {
      ($0.rootNumber, $0.key) < ($1.rootNumber, $1.key)
    }
    for object in objects where object.values != nil {
      object.withoutTracking { object.awake(fromSnapshotEvents: .mergePolicy) }
    }
  }
}

/// Places of the stack where other threads can come between two steps.
enum Checkpoints {
  /// A save has validated its changes and is about to take the writer's turn.
  static let beforeWrite = Checkpoint("save.beforeWrite", resource: Checkpoint.storeResource)
  /// The rows are written, and not committed.
  static let beforeCommit = Checkpoint("save.beforeCommit", resource: Checkpoint.storeResource)
  /// The rows are committed, and no notification was posted yet.
  static let afterCommit = Checkpoint("save.afterCommit", resource: Checkpoint.storeResource)
}
