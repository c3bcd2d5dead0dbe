import Foundation
import SQLite

/// The writes of a batch request to one store, in a transaction that is not committed yet.
package struct OpenBatch {
  package let store: SQLiteStore
  package let result: BatchResult
  package let changes: BatchChanges
}

/// The result of a batch request in one store.
package struct BatchResult {
  package var count = 0
  /// Empty unless they were asked for.
  package var rows: [RowReference] = []

  package mutating func add(_ key: Int64, _ layout: EntityLayout) {
    rows.append(RowReference(key: key, entity: UInt16(truncatingIfNeeded: layout.number)))
  }
}

/// The rows of a batch request.
package enum BatchSelection {
  /// Rows that SQL finds.
  case query(StoreQuery)
  /// Rows found otherwise; called inside the transaction, before anything is written.
  case keys(() throws -> [Int64])
}

extension SQLiteStore {
  /// Runs `body` in a transaction that stays open, in the writer's turn; on an error the store has none of it. Its changes for
  /// the history are recorded as one transaction of `stamp`.
  ///
  /// - Throws: 134030 when the store is read-only or cannot be written, 132001 inside a save or another batch request.
  package func batch(
    by stamp: HistoryStamp, _ body: (inout BatchChanges) throws -> BatchResult
  ) throws -> OpenBatch {
    try requireWritable()
    try requireNoTransaction()
    // A save that failed may have left places.
    statements.order = OrderPlan()
    derivedValues.removeAll()
    var changes = BatchChanges()
    do {
      try beginWriting()
      try watchFiles()
      let result = try body(&changes)
      try giveUpWatchedFiles()
      try finishHistory(stamp)
      try prepareCommit()
      recordDerived(&changes)
      return OpenBatch(store: self, result: result, changes: changes)
    } catch {
      throw undo(error)
    }
  }

  /// Commits a batch request's writes; on an error the store has none of them.
  package func commit(_ batch: OpenBatch) throws {
    precondition(batch.store === self, "a batch is committed by the store that carried it out")
    cache.hide(ContiguousArray(batch.changes.rows))
    do {
      try commitWriting()
    } catch {
      cache.unhide()
      throw undo(error)
    }
    StoreCheckpoints.committed.reach(place.label)
    markMetadataWritten()
    files.finish()
    cache.commit(batch.changes)
  }

  private func undo(_ error: any Error) -> any Error {
    rollBack()
    derivedValues.removeAll()
    return (error as? SQLiteError).map(batchFailure) ?? error
  }

  /// Notes rows with new values of derived attributes under the old versions: the next look-up goes to the store.
  private func recordDerived(_ changes: inout BatchChanges) {
    for (root, keys) in derivedValues.removeKeys() {
      guard let layout = schema.model.entity(number: root) else { continue }
      for key in keys.compactMap(tag.key) { changes.note(RowIdentity(key: key, layout: layout)) }
    }
  }

  package func requireWritable() throws {
    guard !options.isReadOnly else {
      throw NSError.coreData(
        StoreErrorCode.save,
        "The store \(place.label) was opened only for reading; batch requests cannot change it.")
    }
  }

  /// Refuses a save, or a request for keys, while one is under way: from a handler of a batch request, as a rule.
  func requireNoTransaction() throws {
    guard connection.isInTransaction else { return }
    throw isInUse
  }

  /// Why nothing is written, or closed, now.
  var isInUse: NSError {
    NSError.coreData(
      StoreErrorCode.recursiveSave,
      "The store \(place.label) is being read or written by this thread already; nothing can be saved or closed from within that."
    )
  }

  private func batchFailure(_ error: SQLiteError) -> NSError {
    guard error.code == .constraintUnique else {
      return failure(StoreErrorCode.save, "The store \(place.label) could not be written", error)
    }
    return failure(
      StoreErrorCode.constraintMerge,
      "A uniqueness constraint does not allow the rows that the batch request would make", error)
  }

  /// The key and entity of each row that a statement gives, in its first two columns; to its end.
  package func forEachRow(
    of statement: Statement, _ body: (_ key: Int64, _ layout: EntityLayout) throws -> Void
  ) throws {
    defer { statement.reset() }
    while try statement.step() {
      guard let layout = schema.model.entity(number: Int(statement.int64(at: 1))) else { continue }
      try body(tag.rowKey(statement.int64(at: 0), statement.sql), layout)
    }
  }
}
