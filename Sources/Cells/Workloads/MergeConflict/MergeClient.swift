import Checking
import CoreData
import Measuring
import Scheduling

/// One client that edits rows which others edit as well, and records what it had read and what it saved.
///
/// Concurrency: used by one thread at a time.
final class MergeClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// How often a refused edit is made in all.
  private static let attemptsMax = 3
  private static let phase = "conflict"

  private let session: CellSession
  private let recorder: WorkerRecorder
  private let number: Int
  private let writer: any StrategyWriter
  /// The policy that this client's contexts have by mistake; nil for the scenario's.
  private let ownPolicy: NSMergePolicy?
  private let units: UnitRecorder

  init(session: CellSession, number: Int, ownPolicy: NSMergePolicy?) throws {
    self.session = session
    self.number = number
    self.ownPolicy = ownPolicy
    recorder = try session.makeRecorder()
    writer = try session.strategy.makeWriter(named: "client \(number + 1)")
    units = UnitRecorder(session, writer: writer, recorder: recorder, phase: Self.phase) {
      $0 == NSManagedObjectMergeError
    }
  }

  /// The context that a unit of work gets, held so that no other one is at its place in memory.
  func probe() throws -> NSManagedObjectContext {
    let context = Locked<NSManagedObjectContext?>(nil)
    try writer.write { given in
      context.withLock { $0 = given }
    } reached: { _ in
    }
    guard let context = context.withLock({ $0 }) else { preconditionFailure("a unit of work has a context") }
    return context
  }

  /// Makes the rows, with the numbers of their properties as values.
  func insert(rows: Range<Int64>) throws {
    let history = recorder.history
    let (entity, count) = (SharedRowModel.entityNumber, Int64(rows.count))
    try writer.write { context in
      history.record(.invoke, .insert, entity: entity, key: rows.lowerBound, count: count)
      for number in rows {
        let row = NSEntityDescription.insertNewObject(forEntityName: SharedRowModel.entityName, into: context)
        row.setValue(number, forKey: "number")
        for (index, property) in SharedRowModel.properties.enumerated() { row.setValue(Int64(index), forKey: property) }
      }
    } reached: { stage in
      guard stage == .durable else { return }
      history.record(.ok, .insert, entity: entity, key: rows.lowerBound, count: count)
      session.countAcknowledged(rows.count)
    }
  }

  /// Edits a row; after a refusal again, on what the store has by then.
  ///
  /// - Parameter wait: Called once, when the row is read and before it is changed; in the context's block.
  func edit(row: Int64, _ part: MergeRound.Part, wait: () -> Void) {
    let begin = OperationStart.now()
    for attempt in 1...Self.attemptsMax {
      let end = units.write("edit", since: begin, as: RowEdit.self) { context, unit in
        if let ownPolicy { context.mergePolicy = ownPolicy }
        // What the context still holds may be older than the store.
        context.refreshAllObjects()
        let object = try find(row, in: context)
        let seen = object.map(Self.values)
        if attempt == 1 { wait() }
        guard let object, let seen else { return }
        change(object, part, attempt, seen)
        unit.begin(
          RowEdit(
            row: row, seen: seen, changed: object.isDeleted ? nil : Self.values(of: object),
            context: session.environment.number(of: context), object: object.objectID.primaryKey))
      }
      guard case .failed = end else { return }
    }
  }

  /// The edit of one row, with what was read before it.
  private struct RowEdit: UnitChanges {
    static let recordsFailedSaves = false

    let row: Int64
    let seen: [Int64]
    /// Its values then; nil where it is deleted.
    let changed: [Int64]?
    let context: UInt32
    let object: Int64

    var objectCount: Int { 1 }

    func record(_ type: OperationType, code: Int64, in recorder: WorkerRecorder) {
      guard type == .invoke else {
        recorder.history.record(type, .edit, entity: SharedRowModel.entityNumber, key: row, value: code)
        return
      }
      recorder.history.record(
        .invoke, .edit, entity: SharedRowModel.entityNumber, key: row, values: seen + (changed ?? []),
        value: changed == nil ? 1 : 0, context: context, object: object)
    }

    func recordPush(in recorder: WorkerRecorder) {
      recorder.history.record(.ok, .push, entity: SharedRowModel.entityNumber, key: row)
    }
  }

  private func find(_ row: Int64, in context: NSManagedObjectContext) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: SharedRowModel.entityName)
    request.predicate = NSPredicate(format: "number == %ld", Int(row))
    return try context.fetch(request).first
  }

  private static func values(of row: NSManagedObject) -> [Int64] {
    SharedRowModel.properties.map { row.value(forKey: $0) as? Int64 ?? 0 }
  }

  /// Gives the properties unique values.
  private func change(_ row: NSManagedObject, _ part: MergeRound.Part, _ attempt: Int, _ seen: [Int64]) {
    switch part {
    case .delete: row.managedObjectContext?.delete(row)
    case .set(let properties):
      for property in properties {
        row.setValue(Int64(attempt * 1_000 + (number + 1) * 10 + property), forKey: SharedRowModel.properties[property])
      }
    }
  }
}
