import SQLite

extension StoreContents {
  /// The values of the recorded columns, by logical key.
  static func recorded(of entity: EntityLayout, in connection: Connection) throws -> [Int64: [[Int64]]] {
    let table = SQLText.quoted(entity.table)
    let columns = ([entity.keyColumn] + entity.recordedColumns).map { "\(table).\(SQLText.quoted($0))" }
    let statement = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE \(table).Z_ENT = \(entity.number)")
    var values: [Int64: [[Int64]]] = [:]
    while try statement.step() {
      guard !statement.isNull(at: 0) else { continue }
      let row = (1..<columns.count).map { value(of: statement, at: Int32($0)).code }
      values[statement.int64(at: 0), default: []].append(row)
    }
    return values
  }

  private static func value(of statement: Statement, at index: Int32) -> RecordedValue {
    switch statement.storage(at: index) {
    case .null: .none
    case .integer: RecordedValue(statement.int64(at: index))
    case .real: RecordedValue(statement.double(at: index))
    case .text: RecordedValue(statement.string(at: index))
    case .blob: RecordedValue(bytes: statement.bytes(at: index))
    }
  }

  /// The logical keys of the rows' owners, by the rows' own; empty where the layout has not one owner for them.
  static func owners(
    of entity: EntityLayout, _ layout: StoreLayout, in connection: Connection
  ) throws -> [Int64: Set<Int64>] {
    guard let owner = entity.owner, let target = layout.entity(owner.entity) else { return [:] }
    let statement = try connection.prepare(
      """
      SELECT a.\(SQLText.quoted(entity.keyColumn)), b.\(SQLText.quoted(target.keyColumn))
      FROM \(SQLText.quoted(entity.table)) AS a
      JOIN \(SQLText.quoted(target.table)) AS b ON b.Z_PK = a.\(SQLText.quoted(owner.reference.column))
      WHERE a.Z_ENT = \(entity.number)
      """)
    var owners: [Int64: Set<Int64>] = [:]
    while try statement.step() { owners[statement.int64(at: 0), default: []].insert(statement.int64(at: 1)) }
    return owners
  }
}
