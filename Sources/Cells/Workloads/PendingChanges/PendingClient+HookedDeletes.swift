import CoreData

// The hook calls of objects as they are deleted, and as that and other changes are undone. On the contract's rules see
// PendingClient+Hooks; for undo, S2.4.

extension PendingClient {
  /// A workbook is deleted with its sheets; but one of them its `prepareForDeletion` gives to another workbook.
  func deleteHooked(_ book: Workbook) throws {
    try own.performAndWait {
      let spare = addBook(sheets: 0).book
      try own.save()
      let sheets = try self.sheets(of: book)
      let ids = [book, sheets[0], sheets[1]].map(\.objectID)
      let log = HookLog(
        [
          .prepareForDeletion: { [self] object in
            if object === book {
              compare(book.sheets, with: sheets, "members as prepareForDeletion of their owner sees them")
              sheets[2].workbook = spare
            } else {
              let owner = (object as? Worksheet)?.workbook
              compare(owner, with: book, "an owner as prepareForDeletion of its member sees it")
            }
          },
          .willSave: sumUp,
          .didSave: { [self] in if ids.contains($0.objectID) { lookDeleted($0) } else { lookSaved($0) } },
        ], forgetting: forgottenHook)
      log.record(own) {
        own.delete(book)
        compare(log.calls(of: book), with: ["prepareForDeletion"], "calls of an object inside its deletion")
        own.processPendingChanges()
        for sheet in sheets.prefix(2) {
          compare(log.calls(of: sheet), with: ["prepareForDeletion"], "calls of an object that goes with its owner")
        }
        compare(sheets.map(\.isDeleted), with: [true, true, false], "which members go with their owner")
      }
      try save(log)
      for object in [book, sheets[0], sheets[1]] {
        compare(log.calls(of: object), with: Self.callsOfDelete, "calls of a deleted object")
      }
      for object in [spare, sheets[2]] {
        compare(log.steps(of: object), with: Self.callsOfUpdate, "calls of an object that a deletion changes")
      }
      compare(
        log.phases, with: ["prepareForDeletion"] + Self.phasesOfSave, "the order of a deletion's and its save's calls")
      let (id, left) = (spare.objectID, sheets[2].number)
      try saveDirectly { context in
        let saved = try Self.book(id, in: context)
        compare(saved.sheets.map(\.number), with: [left], "a member that prepareForDeletion kept, in the file")
        compare(saved.title, with: "1 pages", "what willSave set because of a deletion, in the file")
        let found = ids.filter { (try? context.existingObject(with: $0)) != nil }
        compare(found.count, with: 0, "deleted objects in the file")
      }
    }
  }

  /// The checks in `didSave` of a deleted object: its row is gone.
  private func lookDeleted(_ object: HookedObject) {
    let id = object.objectID
    look { context in
      let isThere = (try? context.existingObject(with: id)) != nil
      compare(isThere, with: false, "whether a deleted object is in the file while its didSave is called")
    }
  }

  /// The objects that one object's `willSave` deletes take their members along, in the same save.
  func deleteInWillSave() throws {
    try own.performAndWait {
      let (keeper, _) = addBook(sheets: 0)
      let (book, sheets) = addBook(sheets: 2)
      try own.save()
      let ids = ([book] + sheets).map(\.objectID)
      let log = HookLog(
        [
          .willSave: { [self] object in if object === keeper, !book.isDeleted { own.delete(book) } }
        ], forgetting: forgottenHook)
      keeper.remark = "deletes another"
      try save(log)
      for object in [book] + sheets {
        compare(
          log.calls(of: object), with: Self.callsOfDelete, "calls of an object that goes in another one's willSave")
      }
      try saveDirectly { context in
        let found = ids.filter { (try? context.existingObject(with: $0)) != nil }
        compare(found.count, with: 0, "objects in the file that went in another one's willSave")
      }
    }
  }

  // MARK: Undo

  /// Undoes an insert, a change and a move in an order, and saved changes.
  func undoHooked() throws {
    try own.performAndWait {
      let (book, sheets) = addBook(sheets: 3)
      try own.save()
      own.undoManager = UndoManager()
      undoHookedInsert(book)
      undoHookedUpdate(book, sheets)
      try undoSavedMove(book, sheets)
      try undoSavedDelete(book, sheets)
      own.undoManager = nil
    }
  }

  /// `awakeFromInsert` is called once in an object's life: not again when its insertion is redone.
  private func undoHookedInsert(_ book: Workbook) {
    let log = HookLog()
    log.record(own) {
      let added = addSheet(to: book)
      own.processPendingChanges()
      own.undo()
      compare(added.managedObjectContext == nil, with: true, "whether an insert that was undone has left the context")
      own.redo()
      compare(added.isInserted, with: true, "whether an insert that was redone is inserted")
      let made = log.calls(of: added).filter { $0 == "awakeFromInsert" }
      compare(made.count, with: 1, "how often awakeFromInsert is called over undo and redo")
      own.undo()
    }
    compare(own.hasChanges, with: false, "changes after an insert of a member was undone twice")
  }

  private func undoHookedUpdate(_ book: Workbook, _ sheets: [Worksheet]) {
    let log = HookLog([
      .awakeFromSnapshotEvents: { [self] object in
        compare(object.remark, with: nil, "a value that was undone, as awake(fromSnapshotEvents:) sees it")
      }
    ])
    own.processPendingChanges()
    book.remark = "undone"
    book.moveSheet(from: 0, to: 2)
    own.processPendingChanges()
    compare(book.sheets, with: [sheets[1], sheets[2], sheets[0]], "an order after a move")
    log.record(own) { own.undo() }
    compare(
      log.calls(of: book), with: ["awakeFromSnapshotEvents undoUpdate"], "calls of an object whose change is undone")
    compare(book.sheets, with: sheets, "an order after undo")
    compare(own.hasChanges, with: false, "changes after a move in an order was undone")
  }

  /// A change that was saved is undone, and redone: each is saved as a change of its own.
  private func undoSavedMove(_ book: Workbook, _ sheets: [Worksheet]) throws {
    let id = book.objectID
    let moved = [sheets[1], sheets[2], sheets[0]]
    func compareFile(_ remark: String?, _ order: [Worksheet], _ what: String) throws {
      let numbers = order.map(\.number)
      try saveDirectly { context in
        let saved = try Self.book(id, in: context)
        compare(saved.remark, with: remark, "a value in the file after \(what)")
        compare(saved.sheets.map(\.number), with: numbers, "an order in the file after \(what)")
      }
    }
    book.remark = "saved"
    book.moveSheet(from: 0, to: 2)
    try own.save()
    try compareFile("saved", moved, "a save")
    own.undo()
    compare(book.hasChanges, with: true, "whether undo after a save is a change")
    compare(book.remark, with: nil, "a value after undo of what was saved")
    compare(book.sheets, with: sheets, "an order after undo of what was saved")
    try own.save()
    try compareFile(nil, sheets, "undo after a save")
    own.redo()
    compare(book.sheets, with: moved, "an order after redo of what was saved")
    try own.save()
    try compareFile("saved", moved, "redo after a save")
    own.undo()
    try own.save()
    try compareFile(nil, sheets, "undo after a save of what was redone")
  }

  /// A deletion that was saved is undone: the object comes back under its ID, at its place.
  private func undoSavedDelete(_ book: Workbook, _ sheets: [Worksheet]) throws {
    let (id, ids) = (book.objectID, sheets.map(\.objectID))
    let numbers = sheets.map(\.number)
    own.delete(sheets[1])
    try own.save()
    compare(book.sheets, with: [sheets[0], sheets[2]], "an order after a deletion was saved")
    own.undo()
    compare(book.sheets.map(\.number), with: numbers, "an order after undo of a deletion that was saved")
    compare(book.sheets.map(\.objectID), with: ids, "the IDs of members after undo of a deletion that was saved")
    try own.save()
    try saveDirectly { context in
      let saved = try Self.book(id, in: context)
      compare(saved.sheets.map(\.number), with: numbers, "an order in the file after undo of a saved deletion")
    }
  }
}
