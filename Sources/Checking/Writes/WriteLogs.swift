/// The writes of all rows with properties in the history.
struct WriteLogs {
  private(set) var logs: [RowKey: WriteLog] = [:]
  /// By step, the property values in the rows' reads and writes.
  let said: [Int: [Int64]]
  private let layout: StoreLayout

  /// - Throws: `Unusable`, when a record has more values than its entity has recorded properties.
  init(_ history: History, _ layout: StoreLayout) throws(Unusable) {
    self.layout = layout
    said = history.elements { $0 == .insert || $0 == .update || $0 == .read }
    if let problem = excess(in: history) { throw problem }
    var keys: [UInt16: Set<Int64>] = [:]
    for step in said.keys {
      let operation = history.operations[step]
      keys[operation.entity, default: []].insert(operation.key)
    }
    for operation in history.operations where Self.recordsOwner(operation) {
      guard layout.entity(operation.entity)?.owner != nil else { continue }
      keys[operation.entity, default: []].formUnion(operation.keys)
    }
    let sorted = keys.mapValues { $0.sorted() }
    for (step, operation) in history.operations.enumerated() {
      guard operation.function == .insert || operation.function == .update, let keys = sorted[operation.entity],
        operation.type != .invoke || history.partner(of: step) == nil
      else { continue }
      let write = RecordedWrite(
        step: step, isInsert: operation.function == .insert, start: history.start(of: step),
        end: operation.type == .ok || operation.type == .fail ? operation.time : .max,
        type: operation.type == .invoke ? .info : operation.type,
        version: operation.function == .update ? operation.value : 0,
        values: values(of: operation, at: step))
      var position = keys.lowerBound(of: operation.keys.lowerBound)
      while position < keys.count, keys[position] < operation.keys.upperBound {
        logs[RowKey(entity: operation.entity, key: keys[position]), default: WriteLog()].append(write)
        position += 1
      }
    }
  }

  /// Whether an operation is an insert that records its rows' owner.
  static func recordsOwner(_ operation: Operation) -> Bool {
    operation.function == .insert && operation.type != .invoke && operation.type != .fail && operation.value != 0
  }

  /// How many properties an entity's rows have.
  func propertyCount(of entity: UInt16) -> Int { (layout.entity(entity)?.recordedColumns.count ?? 0) + 1 }

  /// The first record with more values than its entity has recorded properties; a read's only where it is compared.
  private func excess(in history: History) -> Unusable? {
    let excessive = said.filter { step, values in
      let operation = history.operations[step]
      return values.count >= propertyCount(of: operation.entity)
        && (operation.function != .read || layout.entity(operation.entity) != nil)
    }
    guard let (step, values) = excessive.min(by: { $0.key < $1.key }) else { return nil }
    let entity = history.operations[step].entity
    return Unusable(
      "step \(step) says \(values.count) values, and \(layout.name(entity)) has "
        + "\(propertyCount(of: entity) - 1) that are recorded")
  }

  private func values(of operation: Operation, at step: Int) -> [Int64] {
    let count = propertyCount(of: operation.entity) - 1
    let own = said[step] ?? []
    precondition(own.count <= count, "no step says more values than are recorded")
    let isInsert = operation.function == .insert
    let owner =
      isInsert ? (Self.recordsOwner(operation) ? operation.value : RecordedWrite.unknown) : RecordedWrite.unchanged
    return own + [Int64](repeating: RecordedWrite.unknown, count: count - own.count) + [owner]
  }
}

extension History {
  /// The entities with inserts that record the owner.
  var ownedEntities: Set<UInt16> { Set(operations.lazy.filter(WriteLogs.recordsOwner).map(\.entity)) }
}
