import CoreData

// The own context undoes and redoes, before a save and after one.

extension AnythingClient {
  func undo(_ all: [Edit], keeps: Bool) throws {
    try requireHeard(.own)
    try settleContested(own)
    precondition(own.contested.isEmpty, "a state to which an undo leads is known")
    let before = own.view
    try own.context.performAndWait {
      own.context.processPendingChanges()
      own.context.undoManager = UndoManager()
      for edit in all {
        let before = own.view
        guard own.make(edit) else { continue }
        let object = try own.picture.apply(edit) { try own.find($0, before) }
        if case .insert(let name, _) = edit { own.hold(object, as: name) }
      }
      own.context.processPendingChanges()
      let after = own.view
      try checkAll(own)
      own.context.undo()
      own.view = before
      try checkAll(own)
      own.context.redo()
      own.view = after
      try checkAll(own)
      if !keeps {
        own.context.undo()
        own.view = before
        try checkAll(own)
      }
      own.context.undoManager = nil
      own.release { own.view.nodes[$0] == nil }
    }
  }

  /// Edits that are saved, and then undone: objects that the save inserted are to be deleted, and deleted ones are back.
  ///
  /// Places are not inserted here: an undo would delete them, and relationships without inverse lead to what is never deleted.
  func undoSaved(_ all: [Edit]) throws {
    try requireHeard(.own)
    try settleContested(own)
    if child.hasChanges { try rollBack(.child) }
    if own.hasChanges { try saveOwn() }
    guard hasHeard, !own.hasChanges else { return }
    let before = own.view
    own.context.performAndWait {
      own.context.processPendingChanges()
      own.context.undoManager = UndoManager()
    }
    defer { own.context.performAndWait { own.context.undoManager = nil } }
    try edit(own, all.filter { !$0.inserts(DrawnModel.place) })
    try saveOwn()
    guard hasHeard, !own.hasChanges else { return }
    try own.context.performAndWait {
      // Each round of processed changes is an event of its own.
      while own.context.undoManager?.canUndo == true { own.context.undo() }
      own.view = before
      own.releaseAll()
      try checkAll(own)
    }
    // The child has merged the save by itself, and its parent has its old objects again: one that the save had deleted comes
    // back as another object.
    child.context.performAndWait { child.releaseAll() }
    try hear(.child, .refresh)
  }
}

extension Edit {
  fileprivate func inserts(_ entity: String) -> Bool {
    if case .insert(_, entity: entity) = self { true } else { false }
  }
}
