import RowStore

extension NSManagedObjectContext {
  /// Takes back the changes of the last event, or group of events; nothing without an ``undoManager``.
  ///
  /// Changes that are already saved are taken back as new ones: an inserted object is deleted, a deleted one inserted
  /// again under its ID.
  public final func undo() {
    touch("undo")
    undoManager?.undo()
  }

  /// Does the last undone changes again; nothing without an ``undoManager``.
  public final func redo() {
    touch("redo")
    undoManager?.redo()
  }

  /// Takes back deletions that were not saved yet.
  final func revive(_ objects: [NSManagedObject]) {
    guard !objects.isEmpty else { return }
    // Others may still be deleted that lead to them, and that they lead to.
    changes.unsettled.sidesMayDiffer = true
    changes.clean()
    for object in objects {
      changes.recordBaseUnlessPending(object)
      object.state.undelete(isChanged: !object.changed.isEmpty)
      changes.recordRevival(object)
    }
    enqueuePassOutsideBlocks()
  }
}

extension UndoManager {
  /// Whether the changes processed now can be undone, or are being undone.
  final var isRecording: Bool { isUndoRegistrationEnabled || isUndoing || isRedoing }
}

extension UndoEvent {
  /// Records the reverse of the event.
  func record(in context: NSManagedObjectContext) {
    guard let undoManager = context.undoManager, !isEmpty else { return }
    if undoManager.isUndoing || undoManager.isRedoing { for entry in entries { entry.object.settle(in: context) } }
    guard undoManager.isUndoRegistrationEnabled else { return }
    let opensGroup = undoManager.groupingLevel == 0 && !undoManager.groupsByEvent
    if opensGroup { undoManager.beginUndoGrouping() }
    undoManager.registerUndo(withTarget: context) { Reversion(of: self, in: $0).run() }
    if opensGroup { undoManager.endUndoGrouping() }
    // Only the main queue has turns; elsewhere each processing of changes is an event.
    if context.concurrencyType != .mainQueueConcurrencyType { undoManager.endEvent() }
  }
}

extension NSManagedObject {
  /// Makes an object clean that has the saved values again.
  fileprivate final func settle(in context: NSManagedObjectContext) {
    guard state.contains(.updated), state.isDisjoint(with: [.inserted, .deleted, .gone]),
      let values, let snapshot
    else { return }
    let differs = layout.properties.contains { property in
      guard property.isTransient else { return isReallyChanged(property) }
      return changed.contains(property.index) && values[property.index] != snapshot[property.index]
    }
    guard !differs else { return }
    self.values = keepingTransients(over: snapshot)
    changed.removeAll()
    state.settle()
    context.changes.markStale()
  }
}
