import Checking
import CoreData
import Measuring
import Scheduling

/// One client that edits rows which others edit as well, and records the values that it had read and those that it saved.
///
/// Concurrency: used by one thread at a time.
final class MergeClient: @unchecked Sendable {
  // Sendable: a client's blocks follow each other, they never run at once.

  /// How often a refused edit is made in all.
  private static let attemptsMax = 3
  /// The tag that the rows have at first.
  private static let firstTag: Int64 = 1
  private static let phase = "conflict"

  private let session: CellSession
  private let recorder: WorkerRecorder
  private let number: Int
  private let clients: Int
  private let writer: any StrategyWriter
  /// The policy that this client's contexts have by mistake; nil for the scenario's.
  private let ownPolicy: NSMergePolicy?
  private let units: UnitRecorder

  /// - Parameter clients: how many edit the rows; `number` is one of theirs, from 0.
  init(session: CellSession, number: Int, clients: Int, ownPolicy: NSMergePolicy?) throws {
    precondition((0..<clients).contains(number), "a client is one of all")
    self.session = session
    self.number = number
    self.clients = clients
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

  /// Makes the rows, with the numbers of their properties as values and the first tag, and the tags of all clients.
  func insert(rows: Range<Int64>) throws {
    let tags = Self.firstTag..<tag(attempt: Self.attemptsMax + 1, client: 0)
    let inserted = [(SharedRowModel.EntityNumber.tag, tags), (SharedRowModel.EntityNumber.row, rows)]
    func record(_ type: OperationType) {
      for (entity, numbers) in inserted {
        recorder.history.record(type, .insert, entity: entity, key: numbers.lowerBound, count: Int64(numbers.count))
      }
    }
    try writer.write { context in
      record(.invoke)
      let tags = tags.map { Self.insert(SharedRowModel.tagName, $0, into: context) }
      for number in rows {
        let row = Self.insert(SharedRowModel.rowName, number, into: context)
        for (index, property) in SharedRowModel.properties.enumerated() {
          row.setValue(property == SharedRowModel.tagProperty ? tags[0] : Int64(index), forKey: property)
        }
      }
    } reached: { stage in
      guard stage == .durable else { return }
      record(.ok)
      session.countAcknowledged(tags.count + rows.count)
    }
  }

  private static func insert(
    _ entity: String, _ number: Int64, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(number, forKey: "number")
    return object
  }

  /// The number of the tag that a client gives in an attempt: in each another one.
  private func tag(attempt: Int, client: Int) -> Int64 {
    precondition(attempt > 0 && (0..<clients).contains(client), "a tag is that of an attempt of a client")
    return Self.firstTag + Int64((attempt - 1) * clients + client + 1)
  }

  /// Edits a row; after a refusal again, on the store's newer state.
  ///
  /// - Parameter wait: Called once, when the row is read and before it is changed; in the context's block.
  func edit(row: Int64, _ part: MergeRound.Part, wait: () -> Void) {
    let begin = OperationStart.now()
    for attempt in 1...Self.attemptsMax {
      let end = units.write("edit", since: begin, as: RowEdit.self) { context, unit in
        if let ownPolicy { context.mergePolicy = ownPolicy }
        // The context's objects may be older than the store.
        context.refreshAllObjects()
        let object = try Self.find(SharedRowModel.rowName, row, in: context)
        let seen = object.map(Self.values)
        if attempt == 1 { wait() }
        guard let object, let seen else { return }
        try change(object, part, attempt, in: context)
        unit.begin(
          RowEdit(
            row: row, seen: seen, changed: object.isDeleted ? nil : Self.values(of: object),
            context: session.environment.number(of: context), object: object.objectID.primaryKey))
      }
      guard case .failed = end else { return }
    }
  }

  /// The edit of one row, with the values read before it.
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
        recorder.history.record(type, .edit, entity: SharedRowModel.EntityNumber.row, key: row, value: code)
        return
      }
      recorder.history.record(
        .invoke, .edit, entity: SharedRowModel.EntityNumber.row, key: row, values: seen + (changed ?? []),
        value: changed == nil ? 1 : 0, context: context, object: object)
    }

    func recordPush(in recorder: WorkerRecorder) {
      recorder.history.record(.ok, .push, entity: SharedRowModel.EntityNumber.row, key: row)
    }
  }

  private static func find(
    _ entity: String, _ number: Int64, in context: NSManagedObjectContext
  ) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "number == %ld", Int(number))
    return try context.fetch(request).first
  }

  /// As the store has them: of a tag, its primary key.
  private static func values(of row: NSManagedObject) -> [Int64] {
    SharedRowModel.properties.map { property in
      switch row.value(forKey: property) {
      case let tag as NSManagedObject: tag.objectID.primaryKey
      case let number: number as? Int64 ?? 0
      }
    }
  }

  /// Gives the properties values that no other edit gives.
  private func change(
    _ row: NSManagedObject, _ part: MergeRound.Part, _ attempt: Int, in context: NSManagedObjectContext
  ) throws {
    guard case .set(let properties) = part else { return context.delete(row) }
    precondition((number + 1) * 10 + SharedRowModel.properties.count <= 1_000, "no two edits set one value")
    for property in properties {
      let name = SharedRowModel.properties[property]
      let value: Any? =
        name == SharedRowModel.tagProperty
        ? try Self.find(SharedRowModel.tagName, tag(attempt: attempt, client: number), in: context)
        : Int64(attempt * 1_000 + (number + 1) * 10 + property)
      row.setValue(value, forKey: name)
    }
  }
}
