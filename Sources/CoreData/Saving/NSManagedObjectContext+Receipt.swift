import RowStore

extension NSManagedObjectContext {
  /// The objects of a plan are what the store has from now on: permanent, with its rows, and clean.
  ///
  /// - Returns: what other contexts merge.
  final func adopt(_ receipt: SaveReceipt, of planned: PlannedSave, wasResolved: Bool) -> SaveRecord {
    makePermanent(planned.inserted, receipt.inserted)
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
      updated: receipt.updated, deleted: receipt.deleted, wasResolved: wasResolved)
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

  /// Inserted objects have the keys of the rows that were written for them.
  private final func makePermanent(_ inserted: ContiguousArray<NSManagedObject>, _ rows: ContiguousArray<SavedRow>) {
    guard let registry, !inserted.isEmpty else { return }
    let isAliased = aliases.hasDescendants
    if assignments.isUsed { assignments.forget(inserted.map(\.key)) }
    registry.objects.edit { entries in
      var index = 0
      inserted.forEachBorrowed { object in
        let temporary = object.key
        let key = rows[index].key
        index += 1
        guard temporary < 0 else { return }
        entries.remove(object.identity)
        object.key = key
        entries.set(object.identity, object)
        if isAliased { aliases.note(temporary, object.identity) }
      }
    }
  }
}
