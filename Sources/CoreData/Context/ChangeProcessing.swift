/// Follows the delete rules of a context's pending deletions, and reports its pending changes.
struct ChangeProcessing {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// Processes changes for ``NSManagedObjectContext/processPendingChanges()``; returns the sets that it reported.
  ///
  /// - Parameter followsDeletions: whether deletions that may wait are processed too, for a save or an undo.
  /// - Throws: when the store cannot be read; everything stays pending.
  @discardableResult
  func run(followsDeletions: Bool = false) throws -> ObjectSets {
    // A child follows overtaken deletions when it saves: to read the objects they reach it may wait for its parent.
    context.held.returnAll()
    let mayWait = !context.propagatesDeletesAtEndOfEvent && !followsDeletions
    if mayWait, context.changes.hasPendingDeletions { return ObjectSets() }
    guard
      context.changes.hasPending
        || context.parentContext == nil && !context.changes.unsettled.overtakenDeletions.isEmpty
    else { return ObjectSets() }
    ContextHooks.tell(.change, of: context)
    return try Arrivals.heldBack(from: context, during: process)
  }

  /// Reports inserted and changed objects before a fetch finds them.
  ///
  /// Deletions, those that a merge has overtaken too, and changes that undo records are left to the end of the event. So is
  /// everything where properties are set without a change, as in `awakeFromFetch()`: what observers set would be none either.
  func runBeforeFetch() {
    guard context.changes.hasPending, !context.saves.isUnderWay, !context.inbox.isClosed, context.turn.untracked == 0,
      context.reading.evaluation.depth == 0, !(context.undoManager?.isRecording ?? false),
      !context.changes.hasPendingDeletions, context.changes.unsettled.overtakenDeletions.isEmpty
    else { return }
    context.processPendingChanges()
  }

  /// Processes changes and ends the event, at the end of a block or of the main queue's turn.
  func finishEvent() {
    context.processPendingChanges()
    context.undoManager?.endEvent()
  }

  private func process() throws -> ObjectSets {
    if context.parentContext == nil { try DeleteRules(in: context).followOvertaken() }
    try DeleteRules(in: context).follow()
    guard context.changes.hasPending else { return ObjectSets() }
    let event = context.changes.removePending()
    context.saves.processed?.append(contentsOf: event.objects)
    let isRecordingUndo = context.undoManager?.isRecording ?? false
    if !isRecordingUndo, let (objects, state) = event.processIfAlike() {
      context.changes.clean()
      let sets = ObjectSets(objects, state)
      context.changes.noteReported(sets)
      event.post(sets, from: context)
      return sets
    }
    var reported = ObjectChanges()
    var vanished: [NSManagedObject] = []
    var unseen: ContiguousArray<NSManagedObject> = []
    let undoEvent = isRecordingUndo ? event.undoEvent(in: context) : nil
    for object in event.objects {
      let state = object.state
      guard !state.isDisjoint(with: .pending) else { continue }
      if state.isVanishing {
        vanish(object)
        vanished.append(object)
        // An insertion that was never reported is dropped without a notification; only a controller that fetched
        // meanwhile knows of it.
        if state.contains(.pendingInsert) { unseen.append(object) } else { reported.deleted.append(object) }
      } else if state.contains(.pendingDelete) {
        reported.deleted.append(object)
      } else if state.contains(.pendingInsert) || event.isRevived(object) {
        reported.inserted.append(object)
      } else {
        reported.updated.append(object)
      }
      object.state.process()
    }
    if let undoEvent { undoEvent.record(in: context) }
    context.changes.clean()
    let sets = reported.sets
    event.post(sets, from: context, unseen: unseen)
    // Vanished together, objects would hold each other for ever.
    for object in vanished { object.relations = .unread }
    // Objects that vanished or came back were reported, and are no part of the save's sets.
    return vanished.isEmpty && event.revived.isEmpty ? sets : ObjectSets()
  }

  /// Takes an object out of the context that was inserted and deleted before a save; only undo brings it back.
  private func vanish(_ object: NSManagedObject) {
    context.registry?.objects.remove(object.identity, ifItIs: object)
    object.state = .gone
    context.changes.markStale()
    // Its ID had a row, unless it was only obtained. Another save may have brought that back: objects that lead to it are members
    // of that object then.
    if object.key > 0, object.values?.version != 0 {
      (context.changes.unsettled.ownersMayDiffer, context.changes.unsettled.partnersMayDiffer) = (true, true)
    }
    object.detach()
    // An object that vanishes has no deletion to deny.
    if !context.changes.unsettled.denied.isEmpty { context.changes.unsettled.denied.removeAll { $0.object === object } }
  }
}
