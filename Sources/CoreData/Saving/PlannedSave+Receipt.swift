import RowStore

extension HistoryStamp {
  /// The author of a context's changes, for the history.
  init(of context: NSManagedObjectContext) { self.init(author: context.transactionAuthor, contextName: context.name) }
}

extension PlannedSave {
  /// The objects of the plan have the store's state from now on: permanent, with its rows, and clean.
  ///
  /// - Returns: the save for other contexts to merge.
  ///
  /// - Parameter settled: of which merge policies have left nothing to save.
  func adopt(
    _ receipt: SaveReceipt, settled: ContiguousArray<SavedRow>, wasResolved: Bool, in context: NSManagedObjectContext
  ) -> SaveRecord {
    // Inserted objects have the keys of the rows that were written for them.
    KeyAllotment(in: context).makePermanent(inserted, isAliased: context.tree.aliases.hasDescendants) {
      receipt.inserted[$0].key
    }
    adopt(receipt.inserted, inserted)
    adopt(receipt.updated, updated)
    unchanged.forEachBorrowed { object in
      if object.values != nil { object.values = object.snapshot.map { object.keepingTransients(over: $0) } }
      object.becomeClean()
    }
    for row in receipt.derived {
      guard let object = context.registered(key: row.key, layout: row.layout), object.values != nil,
        object.snapshot?.version == row.version
      else { continue }
      if let snapshot = object.snapshot, !snapshot.hasValues(of: row) { context.saves.recomputed.append(object) }
      object.take(row)
    }
    return SaveRecord(
      source: context.saves.next(of: context), family: context.coordinator?.family, model: context.model,
      inserted: receipt.inserted,
      updated: receipt.updated, deleted: receipt.deleted,
      derived: ContiguousArray(receipt.derived.map { SavedRow($0) }),
      settled: settled + unchanged.compactMap { $0.snapshot.map { SavedRow($0) } },
      wasResolved: wasResolved)
  }

  private func adopt(_ rows: ContiguousArray<SavedRow>, _ objects: ContiguousArray<NSManagedObject>) {
    precondition(rows.count == objects.count, "each object that was saved has its row")
    rows.withUnsafeBufferPointer { rows in
      var index = 0
      objects.forEachBorrowed { object in
        if let row = rows[index].row, row !== object.values {
          object.values = object.keepingTransients(over: row)
          object.snapshot = row
        }
        object.becomeClean()
        index += 1
      }
    }
  }
}
