import Checking
import CoreData

/// One participant of a hazard that works on rows with keys beside others: a context, and a process in the history.
///
/// Concurrency: used by the script's thread.
struct KeyedParticipant: Sendable {
  let context: NSManagedObjectContext
  let history: HistoryWriter
  /// Number of the context in history records.
  let number: UInt32
  private let entity: String
  private let stage: HazardStage

  /// - Parameter context: the actor's; nil for a new one of the kind that the strategy gives to background work.
  init(_ name: String, _ entity: String, _ stage: HazardStage, context: NSManagedObjectContext? = nil) throws {
    let context = try context ?? stage.makeContext(name)
    self.context = context
    self.entity = entity
    self.stage = stage
    history = try stage.session.makeRecorder().history
    number = stage.session.environment.number(of: context)
  }

  // MARK: Rows

  /// Inserts rows and saves them to the file, as rows that were there before.
  func insert(_ keys: Range<Int64>, value: Int64? = nil) throws {
    precondition(!keys.isEmpty, "rows are inserted for some keys")
    func record(_ type: OperationType) {
      history.record(
        type, .insert, entity: KeyedSchema.entityNumber, key: keys.lowerBound, count: Int64(keys.count),
        value: value ?? 0)
    }
    record(.invoke)
    let writer = try stage.session.strategy.makeWriter(named: "setup")
    try writer.write { context in
      for key in keys { _ = KeyedRow.insert(entity, number: key, value: value, into: context) }
    } reached: { _ in
    }
    record(.ok)
  }

  /// The row of a key as the context holds it; kept, so that the context keeps it. In a block of the context.
  func heldRow(_ key: Int64) throws -> KeyedRow {
    let request = NSFetchRequest<KeyedRow>(entityName: entity)
    request.predicate = NSPredicate(format: "number == %ld", Int(key))
    request.returnsObjectsAsFaults = false
    guard let row = try context.fetch(request).first else {
      throw UnexpectedAnswer(subject: "row \(key)", expected: "its row", seen: "no row")
    }
    stage.keep(row)
    return row
  }

  /// The rows of some keys as the file, or the parent, has them now; in a block of the context.
  func freshRows(_ keys: [Int64]) throws -> [KeyedRow] { try KeyedRow.fetch(entity, keys: keys, in: context) }

  /// The row of a key that is there, as the file, or the parent, has it now; in a block of the context.
  func freshRow(_ key: Int64) throws -> KeyedRow { try KeyedRow.fetch(entity, key: key, in: context) }

  /// Saves; nil, or the code of the error with which the save was refused, and then nothing is left in the context.
  func save() throws -> Int? {
    do {
      try context.save()
      return nil
    } catch let error as NSError where CommitOutcome.isRefusal(error.code) {
      context.rollback()
      return error.code
    }
  }

  // MARK: Versions

  /// Begins an update of a row.
  func beginUpdate(_ key: Int64) { history.record(.invoke, .update, entity: KeyedSchema.entityNumber, key: key) }

  /// Records the outcome of the update that was begun.
  func endUpdate(_ key: Int64, _ type: OperationType, version: Int64) {
    precondition(type != .ok || version != 0, "an update that was saved made a version")
    history.record(type, .update, entity: KeyedSchema.entityNumber, key: key, value: version, context: number)
  }

  /// Reads the version of a row as the context holds it.
  @discardableResult
  func readVersion(_ key: Int64) throws -> Int64 {
    try context.performAndWait {
      history.record(.invoke, .read, entity: KeyedSchema.entityNumber, key: key)
      let row = try heldRow(key)
      history.record(
        .ok, .read, entity: KeyedSchema.entityNumber, key: key, value: row.value, context: number,
        object: row.objectID.primaryKey)
      return row.value
    }
  }

  /// Adds one to a row and saves, again from the current value when it was refused.
  ///
  /// - Parameter held: a row read earlier, used in the first attempt; nil to read now.
  func raise(_ key: Int64, from held: KeyedRow? = nil) throws {
    var row = held
    while true {
      let version: Int64? = try context.performAndWait {
        let current = try row ?? freshRow(key)
        current.value += 1
        let version = current.value
        return try save() == nil ? version : nil
      }
      if let version { return endUpdate(key, .ok, version: version) }
      endUpdate(key, .fail, version: 0)
      beginUpdate(key)
      row = nil
    }
  }

  // MARK: Lists

  /// Does one transaction over lists and records its outcome.
  func transact(_ number: Int64, _ body: () throws -> OperationType) rethrows {
    history.record(.invoke, .transaction, key: number)
    let outcome = try body()
    history.record(outcome, .transaction, key: number, context: self.number)
  }

  /// Records that the transaction sees the row's list.
  func see(_ row: KeyedRow) {
    history.record(
      .info, .list, entity: KeyedSchema.entityNumber, key: row.number, values: row.list,
      object: row.objectID.primaryKey)
  }

  /// Appends to the row's list.
  func append(_ value: Int64, to row: KeyedRow) {
    row.list.append(value)
    history.record(
      .info, .append, entity: KeyedSchema.entityNumber, key: row.number, value: value,
      object: row.objectID.primaryKey)
  }

  /// Does one transaction that appends a value to each of some lists as they are now, and saves.
  func appendNow(_ number: Int64, _ value: Int64, to keys: [Int64]) throws {
    try context.performAndWait {
      try transact(number) {
        for row in try freshRows(keys) {
          see(row)
          append(value, to: row)
        }
        return try save() == nil ? .ok : .fail
      }
    }
  }

  /// Does one transaction that reads some lists as they are now.
  func readNow(_ number: Int64, _ keys: [Int64]) throws {
    try context.performAndWait {
      try transact(number) {
        for row in try freshRows(keys) { see(row) }
        return .ok
      }
    }
  }
}
