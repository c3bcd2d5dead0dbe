import Scheduling
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

  // MARK: Recording

  final func follow(_ manager: UndoManager?, insteadOf old: UndoManager?) {
    guard manager !== old else { return }
    old?.removeAllActions(withTarget: self)
    undoing.stopObserving()
    undoing.observation = manager.map { manager in
      NotificationCenter.default.addObserver(forName: .NSUndoManagerCheckpoint, object: manager, queue: nil) {
        [weak self] _ in
        guard let self, queue.isHeld else { return }
        processPendingChanges()
      }
    }
  }

  /// Whether the changes processed now can be undone, or are being undone.
  final var isRecordingUndo: Bool {
    guard let undoManager else { return false }
    return undoManager.isUndoRegistrationEnabled || undoManager.isUndoing || undoManager.isRedoing
  }

  /// Records the reverse of an event.
  final func record(_ event: UndoEvent) {
    guard let undoManager, !event.isEmpty else { return }
    if undoManager.isUndoing || undoManager.isRedoing { for entry in event.entries { settle(entry.object) } }
    guard undoManager.isUndoRegistrationEnabled else { return }
    let opensGroup = undoManager.groupingLevel == 0 && !undoManager.groupsByEvent
    if opensGroup { undoManager.beginUndoGrouping() }
    undoManager.registerUndo(withTarget: self) { Reversion(of: event, in: $0).run() }
    if opensGroup { undoManager.endUndoGrouping() }
    // Only the main queue has turns; elsewhere each processing of changes is an event.
    if concurrencyType != .mainQueueConcurrencyType { undoManager.endEvent() }
  }

  /// Processes changes and ends the event, at the end of a block or of the main queue's turn.
  final func finishEvent() {
    processPendingChanges()
    undoManager?.endEvent()
  }

  /// Makes an object clean that has the saved values again.
  private final func settle(_ object: NSManagedObject) {
    guard object.state.contains(.updated), object.state.isDisjoint(with: [.inserted, .deleted, .gone]),
      let values = object.values, let snapshot = object.snapshot
    else { return }
    let differs = object.layout.properties.contains { property in
      guard object.changed.contains(property.index) else { return false }
      if case .toMany = property.kind { return object.knownToMany(property)?.hasChanges ?? false }
      return values[property.index] != snapshot[property.index]
    }
    guard !differs else { return }
    object.values = snapshot
    object.changed.removeAll()
    object.state.settle()
    changes.markStale()
  }

  // MARK: Deletions and their taking back

  /// Takes back deletions that were not saved yet.
  final func revive(_ objects: [NSManagedObject]) {
    guard !objects.isEmpty else { return }
    // Others may still be deleted that lead to them, and that they lead to.
    unsettled.sidesMayDiffer = true
    changes.clean()
    for object in objects {
      recordBaseUnlessPending(object)
      object.state.undelete(isChanged: !object.changed.isEmpty)
      changes.recordRevival(object)
    }
    enqueuePassOutsideBlocks()
  }

  /// Keeps the state of an object that is about to be deleted or revived.
  final func recordBaseUnlessPending(_ object: NSManagedObject) {
    if object.state.isDisjoint(with: .pending) { changes.recordBase(of: object) }
  }
}
