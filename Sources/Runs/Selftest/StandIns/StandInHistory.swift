import Checking

/// A history of a few records, written down one after the other, and the evidence it is part of.
package struct StandInHistory {
  private var workers: [UInt32: [Checking.Operation]] = [:]
  private var time: UInt64 = 0

  /// A history without records.
  package init() {}

  /// Adds a record, a microsecond after the one before.
  package mutating func record(
    _ type: OperationType, _ function: OperationFunction, process: UInt32, entity: UInt16 = 1, key: Int64 = 0,
    count: Int64 = 1, value: Int64 = 0
  ) {
    precondition(count >= 0, "an operation is about keys, or none")
    time += 1_000
    workers[process, default: []].append(
      Checking.Operation(
        time: time, type: type, function: function, process: process, entity: entity, key: key, count: count,
        value: value))
  }

  /// Adds an operation that begins and succeeds before anything else happens.
  package mutating func run(
    _ function: OperationFunction, process: UInt32, entity: UInt16 = 1, key: Int64 = 0, count: Int64 = 1,
    value: Int64 = 0
  ) {
    record(.invoke, function, process: process, entity: entity, key: key, count: count, value: value)
    record(.ok, function, process: process, entity: entity, key: key, count: count, value: value)
  }

  /// The evidence of a cell that came to its end with this history.
  ///
  /// - Parameter rows: by the entity's number.
  /// - Throws: `Unusable`, when the records are no history.
  package func evidence(
    rows: [UInt16: EntityRows] = [:], layout: StoreLayout = .notebook, reports: [Violation] = [],
    counters: CheckCounters = CheckCounters()
  ) throws -> Evidence {
    let ordered = workers.sorted { $0.key < $1.key }.map(\.value)
    return Evidence(
      history: .success(try History(merging: ordered)), store: .success(StoreContents(rows: rows)),
      reports: .success(reports), parameters: CheckParameters(layout: layout, counters: counters))
  }
}
