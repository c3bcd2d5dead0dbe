import CRuntime
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
    /// Index of the change in the plan.
    package let index: Int

    package init(primaryKey: Int64, version: Int64, index: Int) {
      self.primaryKey = primaryKey
      self.version = version
      self.index = index
    }
  }

  /// The name of the function in SQL.
  static let name = "picked"

  /// A statement that writes the rows of a stretch, in its two forms; each is compiled when it is first needed.
  struct Statements {
    /// Asks of each row between the two keys whether it is wanted.
    let asking: LateStatement
    /// For a stretch where each key between the two is wanted, and all in one version: no row has to be asked for.
    let even: LateStatement

    /// - Parameter sql: up to the word WHERE.
    init(_ sql: String, _ connection: Connection) {
      let stretch = "\(sql) WHERE Z_PK BETWEEN ?1 AND ?2 AND"
      asking = LateStatement("\(stretch) \(name)(Z_PK, Z_OPT)", connection)
      even = LateStatement("\(stretch) Z_OPT = ?3", connection)
    }
  }

  /// Deletes the rows of a table that has no others: SQLite clears its pages, and comes by no row.
  struct TableClearing {
    /// The first key and the last one.
    let ends: LateStatement
    /// A row that is not wanted, if there is one.
    let other: LateStatement
    /// A row of another version than the one that all wanted rows have, if there is one.
    let otherVersion: LateStatement
    let clearing: LateStatement

    init(_ table: String, _ connection: Connection) {
      ends = LateStatement("SELECT (SELECT min(Z_PK) FROM \(table)), (SELECT max(Z_PK) FROM \(table))", connection)
      other = LateStatement("SELECT 1 FROM \(table) WHERE NOT \(name)(Z_PK, Z_OPT) LIMIT 1", connection)
      otherVersion = LateStatement("SELECT 1 FROM \(table) WHERE Z_OPT IS NOT ?1 LIMIT 1", connection)
      clearing = LateStatement("DELETE FROM \(table)", connection)
    }
  }

  /// Keys between two rows of one stretch, at most: coming by a row that is not wanted costs a fraction of a statement.
  private static let largestGap: Int64 = 8
  /// Rows of a stretch, at least: fewer are written one by one.
  private static let smallestStretch = 8
  /// So many rows later one is written that the processor is to load now: changed ones may lie in another order than their keys.
  private static let rowsAhead = 2
  /// Rows that are deleted as a whole table, at least: to ask whether there are others costs as much as some deletions.
  private static let smallestTable = 64

  // Not checked for exclusivity at run time: SQLite calls back while a statement runs, and only the position is changed then.
  /// The rows of the running statement. Pointers, since each row that SQLite asks for would count references.
  private struct Source {
    let wanted: UnsafeBufferPointer<Wanted>
    let updates: UnsafeBufferPointer<SavePlan.Update>
    let bindings: UnsafeBufferPointer<ColumnBinding>
    let keys: UnsafePointer<KeyTable>
  }

  /// The store's that owns both.
  private unowned(unsafe) let connection: Connection
  @exclusivity(unchecked)
  private var source: Source?
  @exclusivity(unchecked)
  private var position = 0

  /// A scan that the statements of `connection` can call.
  init(_ connection: Connection) throws {
    self.connection = connection
    try connection.addPicker(Self.name, self)
  }

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
    precondition(together.reduce(0) { $0 + $1.count } + alone.count == wanted.count, "each row is looked for once")
    return (together, alone)
  }

  /// Writes stretches of rows.
  ///
  /// - Parameter updates: `wanted` has indices of these; empty for deletions, which have no values.
  /// - Returns: false when a row was not there in its version; the transaction is to be taken back then.
  func run(
    _ statements: Statements, _ stretches: [Range<Int>], of wanted: ContiguousArray<Wanted>,
    _ updates: ContiguousArray<SavePlan.Update> = [], _ bindings: [ColumnBinding] = [], _ keys: KeyTable = KeyTable([])
  ) throws -> Bool {
    try scanning(wanted, updates, bindings, keys) { wanted in
      try stretches.allSatisfy { try run(statements, $0, of: wanted) }
    }
  }

  private func run(
    _ statements: Statements, _ stretch: Range<Int>, of wanted: UnsafeBufferPointer<Wanted>
  ) throws -> Bool {
    precondition(!stretch.isEmpty && stretch.upperBound <= wanted.count, "a stretch is one of the rows that are wanted")
    position = stretch.lowerBound
    let version = Self.evenVersion(wanted[stretch])
    let statement = try version == nil ? statements.asking() : statements.even()
    statement.bind(wanted[stretch.lowerBound].primaryKey, at: 1)
    statement.bind(wanted[stretch.upperBound - 1].primaryKey, at: 2)
    if let version { statement.bind(version, at: 3) }
    try statement.run()
    return connection.changedRows == stretch.count
  }

  /// Deletes rows that are all the rows of their table.
  ///
  /// - Parameter wanted: sorted by key.
  /// - Returns: false where they are too few to ask, or the table has not just them, in their versions: they are to be deleted
  /// in stretches then, which finds the rows that changed.
  func clear(_ table: TableClearing, of wanted: ContiguousArray<Wanted>) throws -> Bool {
    guard wanted.count >= Self.smallestTable else { return false }
    precondition(wanted[0].primaryKey <= wanted[wanted.count - 1].primaryKey, "the rows are in the order of their keys")
    return try scanning(wanted) { wanted in
      let ends = try table.ends()
      defer { ends.reset() }
      guard try ends.step(), ends.int64(at: 0) == wanted[0].primaryKey,
        ends.int64(at: 1) == wanted[wanted.count - 1].primaryKey
      else { return false }
      position = 0
      let version = Self.evenVersion(wanted[...])
      let other = try version == nil ? table.other() : table.otherVersion()
      defer { other.reset() }
      if let version { other.bind(version, at: 1) }
      guard try !other.step() else { return false }
      try table.clearing().run()
      return connection.changedRows == wanted.count
    }
  }

  /// The version of all rows of a stretch, if they have one, and no key between the first and the last is missing.
  private static func evenVersion(_ stretch: Slice<UnsafeBufferPointer<Wanted>>) -> Int64? {
    guard let first = stretch.first, let last = stretch.last,
      last.primaryKey - first.primaryKey == Int64(stretch.count) - 1
    else { return nil }
    return stretch.allSatisfy { $0.version == first.version } ? first.version : nil
  }

  /// Lets a statement ask for these rows while `body` runs it.
  private func scanning<Result>(
    _ wanted: ContiguousArray<Wanted>, _ updates: ContiguousArray<SavePlan.Update> = [],
    _ bindings: [ColumnBinding] = [], _ keys: KeyTable = KeyTable([]),
    _ body: (UnsafeBufferPointer<Wanted>) throws -> Result
  ) throws -> Result {
    precondition(source == nil, "a scan picks the rows of one statement at a time")
    return try wanted.withUnsafeBufferPointer { wanted in
      try updates.withUnsafeBufferPointer { updates in
        try bindings.withUnsafeBufferPointer { bindings in
          try withUnsafePointer(to: keys) { keys in
            source = Source(wanted: wanted, updates: updates, bindings: bindings, keys: keys)
            defer { source = nil }
            return try body(wanted)
          }
        }
      }
    }
  }

  // MARK: RowPicker

  package func picks(key: Int64, version: Int64) -> Bool {
    guard let source, find(key, among: source.wanted) else { return false }
    return source.wanted[position].version == version
  }

  package func write(column: Int, ofRow key: Int64, to value: FeedValue) {
    guard let source, find(key, among: source.wanted) else { return value.setNull() }
    let update = source.updates.baseAddress! + source.wanted[position].index
    if position + Self.rowsAhead < source.wanted.count {
      let ahead = source.updates.baseAddress! + source.wanted[position + Self.rowsAhead].index
      contextbench_prefetch(Unmanaged.passUnretained(ahead.pointee.row).toOpaque(), 2)
    }
    let row = Unmanaged.passUnretained(update.pointee.row)
    let values = row._withUnsafeGuaranteedRef { $0.values }
    (source.bindings.baseAddress! + column).pointee
      .write(values, of: row, owner: update.pointee.key, source.keys, to: value)
  }

  /// Goes to the row of that key; rows come in the order of their keys. False when it is not wanted.
  @inline(__always)
  private func find(_ key: Int64, among wanted: UnsafeBufferPointer<Wanted>) -> Bool {
    if position > 0, wanted[position - 1].primaryKey >= key { position = 0 }
    while position < wanted.count, wanted[position].primaryKey < key { position += 1 }
    return position < wanted.count && wanted[position].primaryKey == key
  }
}
