/// Follows the delete rules of a context's pending deletions, and reports its pending changes.
struct ChangeProcessing {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// - Returns: the sets that were reported.
  /// - Throws: when the store cannot be read; everything stays pending.
  func run() throws -> ObjectSets {
    if context.parentContext == nil { try DeleteRules(in: context).followOvertaken() }
    try DeleteRules(in: context).follow()
    guard context.changes.hasPending else { return ObjectSets() }
    let event = context.changes.removePending()
    let isRecordingUndo = context.undoManager?.isRecording ?? false
    if !isRecordingUndo, let state = event.onlyState {
      let objects = event.process()
      context.changes.clean()
      let sets = ObjectSets(objects, state)
      context.tell(sets, of: event)
      return sets
    }
    var reported = ObjectChanges()
    var vanished: [NSManagedObject] = []
    var unseen: ContiguousArray<NSManagedObject> = []
    let undoEvent = isRecordingUndo ? context.undoEvent(event) : nil
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
    context.tell(sets, of: event, unseen: unseen)
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
    // Its ID had a row, which another save may have brought back: objects that lead to it are members of that object then.
    if object.key > 0 { (context.unsettled.ownersMayDiffer, context.unsettled.partnersMayDiffer) = (true, true) }
    object.detach()
    // An object that vanishes has no deletion to deny.
    if !context.unsettled.denied.isEmpty { context.unsettled.denied.removeAll { $0.object === object } }
  }
}
