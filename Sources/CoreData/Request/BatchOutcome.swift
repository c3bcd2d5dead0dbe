import RowStore

/// The outcome of a batch request, for its result.
struct BatchOutcome {
  let count: Int
  /// Empty unless IDs were asked for.
  let objectIDs: [NSManagedObjectID]

  /// The outcome of batches in several stores.
  init(_ batches: [OpenBatch], _ model: ModelLayout) {
    count = batches.reduce(0) { $0 + $1.result.count }
    objectIDs = batches.flatMap { batch in
      batch.result.rows.compactMap { row in
        model.entity(number: Int(row.entity)).map {
          NSManagedObjectID(key: row.key, layout: $0, store: batch.store.identity)
        }
      }
    }
  }
}
