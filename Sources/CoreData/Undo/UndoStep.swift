/// The effect of an event on an object, as undo sees it.
enum EventKind {
  case inserted, updated, deleted

  /// The effect of the event, by the object's state; nil when it did nothing that could be taken back.
  ///
  /// - Parameter isRevived: whether the event took back a deletion.
  init?(_ state: ChangeState, isRevived: Bool) {
    if state.contains(.gone) || state.isDisjoint(with: .pending) { return nil }
    let cameIn = state.contains(.pendingInsert) || isRevived
    if state.contains(.deleted) {
      // An object that came and went within one event needs no undo.
      if cameIn || !state.contains(.pendingDelete) { return nil }
      self = .deleted
    } else {
      self = cameIn ? .inserted : .updated
    }
  }
}

/// The step for one object that takes an event back.
enum UndoStep {
  /// The object is not where the event left it: another context or a later change decided.
  case nothing
  /// Gets the values it had.
  case restore
  /// Its deletion was not saved: it is no longer deleted, and gets the values it had.
  case undelete
  /// It is gone from the context: it is inserted again, under its ID, and gets the values it had.
  case reinsert
  /// Leaves its relationships, and is deleted; one that was never saved is gone with that.
  case takeOut

  /// - Parameter state: the object's state now.
  init(takingBack kind: EventKind, of state: ChangeState) {
    let isPresent = state.isDisjoint(with: [.deleted, .gone])
    switch kind {
    case .inserted: self = isPresent ? .takeOut : .nothing
    case .updated: self = isPresent ? .restore : .nothing
    case .deleted: self = isPresent ? .restore : state.contains(.gone) ? .reinsert : .undelete
    }
  }

  /// The event that the object is notified of; nil when it was left alone.
  var snapshotEvent: NSSnapshotEventType? {
    switch self {
    case .nothing: nil
    case .restore: .undoUpdate
    case .undelete, .reinsert: .undoDeletion
    case .takeOut: .undoInsertion
    }
  }
}
