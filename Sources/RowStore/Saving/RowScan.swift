import SQLite

/// Changes or deletes many rows of a table with few statements: each goes over a stretch of keys in their order, and asks
/// of every row whether it is wanted.
///
/// A row by itself costs a look-up in the table, and a statement begun and ended. Only used in the writer's turn.
package final class RowScan: RowPicker {
  /// A row to be written.
  package struct Wanted {
    package let primaryKey: Int64
    /// It is written only over this version.
    package let version: Int64
    /// Which of the plan's changes it is.
    package let index: Int

    package init(primaryKey: Int64, version: Int64, index: Int) {
      self.primaryKey = primaryKey
      self.version = version
      self.index = index
    }
  }

  /// What SQL calls it.
  static let name = "picked"
  /// Of the rows between two keys those that are wanted.
  static let condition = "Z_PK BETWEEN ? AND ? AND \(name)(Z_PK, Z_OPT)"
  /// Keys between two rows of one stretch, at most: coming by a row that is not wanted costs a fraction of a statement.
  private static let largestGap: Int64 = 8
  /// Rows of a stretch, at least: fewer are written one by one.
  private static let smallestStretch = 8

  // Not checked for exclusivity at run time: SQLite calls back while a statement runs, and nothing is changed then but
  // the position.
  /// While a statement runs: what it goes by. Pointers, since each row that SQLite asks for would count references.
  private struct Source {
    let wanted: UnsafeBufferPointer<Wanted>
    let updates: UnsafeBufferPointer<SavePlan.Update>
    let bindings: UnsafeBufferPointer<ColumnBinding>
    let keys: UnsafePointer<KeyTable>
  }

  @exclusivity(unchecked)
  private var source: Source?
  @exclusivity(unchecked)
  private var position = 0

  /// A scan whose functions the statements of `connection` can call.
  init(_ connection: Connection) throws { try connection.addPicker(Self.name, self) }

  /// The parts of a list that can be written by one statement each, and those rows that have to be written alone.
  ///
  /// - Parameter wanted: sorted by key when it returns.
  static func stretches(
    _ wanted: inout ContiguousArray<Wanted>
  ) -> (together: [Range<Int>], alone: ContiguousArray<Wanted>) {
    let isSorted = wanted.indices.dropFirst().allSatisfy { wanted[$0 - 1].primaryKey < wanted[$0].primaryKey }
    if !isSorted { wanted.sort { $0.primaryKey < $1.primaryKey } }
    var together: [Range<Int>] = []
    var alone: ContiguousArray<Wanted> = []
    var start = 0
    while start < wanted.count {
      var end = start + 1
      while end < wanted.count, wanted[end].primaryKey - wanted[end - 1].primaryKey <= largestGap { end += 1 }
      if end - start >= smallestStretch {
        together.append(start..<end)
      } else {
        alone.append(contentsOf: wanted[start..<end])
      }
      start = end
    }
    return (together, alone)
  }

  /// Writes stretches of rows with a statement whose parameters are the first and the last key.
  ///
  /// - Parameter updates: what `wanted` counts in; empty for deletions, which have no values.
  /// - Returns: false when a row was not there in its version; the transaction is to be taken back then.
  func run(
    _ statement: Statement, _ stretches: [Range<Int>], of wanted: ContiguousArray<Wanted>,
    _ updates: ContiguousArray<SavePlan.Update> = [], _ bindings: [ColumnBinding] = [], _ keys: KeyTable = KeyTable([]),
    changedRows: () -> Int
  ) throws -> Bool {
    precondition(source == nil, "a scan picks the rows of one statement at a time")
    return try wanted.withUnsafeBufferPointer { wanted in
      try updates.withUnsafeBufferPointer { updates in
        try bindings.withUnsafeBufferPointer { bindings in
          try withUnsafePointer(to: keys) { keys in
            source = Source(wanted: wanted, updates: updates, bindings: bindings, keys: keys)
            defer { source = nil }
            return try run(statement, stretches, of: wanted, changedRows)
          }
        }
      }
    }
  }

  private func run(
    _ statement: Statement, _ stretches: [Range<Int>], of wanted: UnsafeBufferPointer<Wanted>, _ changedRows: () -> Int
  ) throws -> Bool {
    for stretch in stretches {
      precondition(
        !stretch.isEmpty && stretch.upperBound <= wanted.count, "a stretch is one of the rows that are wanted")
      position = stretch.lowerBound
      statement.bind(wanted[stretch.lowerBound].primaryKey, at: 1)
      statement.bind(wanted[stretch.upperBound - 1].primaryKey, at: 2)
      try statement.run()
      guard changedRows() == stretch.count else { return false }
    }
    return true
  }

  // MARK: RowPicker

  package func picks(key: Int64, version: Int64) -> Bool {
    guard let source, find(key, among: source.wanted) else { return false }
    return source.wanted[position].version == version
  }

  package func write(column: Int, ofRow key: Int64, to value: FeedValue) {
    guard let source, find(key, among: source.wanted) else { return value.setNull() }
    let place = source.wanted[position].index
    let owner = source.updates[place].key
    Unmanaged.passUnretained(source.updates[place].row)._withUnsafeGuaranteedRef { row in
      row.withUnsafeMutablePointerToElements {
        source.bindings[column].write($0, of: row, owner: owner, source.keys.pointee, to: value)
      }
    }
  }

  /// Goes to the row of that key; rows come in the order of their keys. False when it is not wanted.
  @inline(__always)
  private func find(_ key: Int64, among wanted: UnsafeBufferPointer<Wanted>) -> Bool {
    if position > 0, wanted[position - 1].primaryKey >= key { position = 0 }
    while position < wanted.count, wanted[position].primaryKey < key { position += 1 }
    return position < wanted.count && wanted[position].primaryKey == key
  }
}
