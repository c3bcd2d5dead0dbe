import RowStore

extension NSManagedObjectContext {
  /// The author of this context's changes, for the history.
  final var historyStamp: HistoryStamp { HistoryStamp(author: transactionAuthor, contextName: name) }

  /// The objects of a plan have the store's state from now on: permanent, with its rows, and clean.
  ///
  /// - Returns: the save for other contexts to merge.
  ///
  /// - Parameter settled: of which merge policies have left nothing to save.
  final func adopt(
    _ receipt: SaveReceipt, of planned: PlannedSave, settled: [NSManagedObject], wasResolved: Bool
  ) -> SaveRecord {
    // Inserted objects have the keys of the rows that were written for them.
    KeyAllotment(in: self).makePermanent(planned.inserted, isAliased: aliases.hasDescendants) {
      receipt.inserted[$0].key
    }
    adopt(receipt.inserted, planned.inserted)
    adopt(receipt.updated, planned.updated)
    planned.unchanged.forEachBorrowed { object in
      if object.values != nil { object.values = object.snapshot.map { object.keepingTransients(over: $0) } }
      object.becomeClean()
    }
    for row in receipt.derived {
      guard let object = registered(key: row.key, layout: row.layout), object.values != nil,
        object.snapshot?.version == row.version
      else { continue }
      object.take(row)
    }
    return SaveRecord(
      source: nextSave(), family: coordinator?.family, model: model, inserted: receipt.inserted,
      updated: receipt.updated, deleted: receipt.deleted,
      derived: ContiguousArray(receipt.derived.map { SavedRow($0) }),
      settled: ContiguousArray((planned.unchanged + settled).compactMap { $0.snapshot.map { SavedRow($0) } }),
      wasResolved: wasResolved)
  }

  private final func adopt(_ rows: ContiguousArray<SavedRow>, _ objects: ContiguousArray<NSManagedObject>) {
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
