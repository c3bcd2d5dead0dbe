import SQLite
import Testing

@Suite struct RowCollectorTests {
  private struct Refused: Error {}

  private let connection: Connection
  private let all = "SELECT \(Connection.collector)(a, b, c) FROM t"

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.execute(
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY, b, c);
      INSERT INTO t VALUES (1, 'één', x'0102'), (2, NULL, 0.5), (3, '', x''), (4, 9, NULL)
      """)
  }

  private func keys(_ sql: String, where isWanted: (Int64) throws -> Bool = { _ in true }) throws -> (
    keys: [Int64], areAll: Bool
  ) {
    var keys: [Int64] = []
    let areAll = try connection.collect(sql, bind: { _ in }) { row in
      keys.append(row.int64(at: 0))
      return try isWanted(row.int64(at: 0))
    }
    return (keys, areAll)
  }

  @Test func aRowHasTheValuesOfAStep() throws {
    func look(_ row: some ColumnValues) -> [String] {
      (Int32(0)..<3).flatMap { column in
        [
          "\(row.storage(at: column)) \(row.isNull(at: column)) \(row.int64(at: column)) \(row.double(at: column))",
          "\(row.text(at: column) ?? "none") \(row.withBytes(at: column) { [UInt8]($0) })",
        ]
      }
    }
    var collected: [[String]] = []
    let areAll = try connection.collect(all, bind: { _ in }) {
      collected.append(look($0))
      return true
    }
    let statement = try connection.prepare("SELECT a, b, c FROM t")
    var stepped: [[String]] = []
    while try statement.step() { stepped.append(look(statement)) }
    #expect(areAll && collected.count == 4 && collected == stepped)
  }

  @Test func illFormedTextIsRepaired() throws {
    var texts: [String?] = []
    _ = try connection.collect(
      "SELECT \(Connection.collector)(CAST(x'61FF62' AS TEXT)) FROM t WHERE a = ?", bind: { $0.bind(Int64(2), at: 1) }
    ) {
      texts.append($0.text(at: 0))
      return true
    }
    #expect(texts == ["a\u{FFFD}b"])
  }

  @Test func noRowIsNoCall() throws {
    let none = try keys("\(all) WHERE a > 9")
    #expect(none.keys == [] && none.areAll)
  }

  @Test func whoWantsNoMoreGetsNoMore() throws {
    let two = try keys(all) { $0 < 2 }
    #expect(two.keys == [1, 2] && !two.areAll)
    // The statement is as new.
    let four = try keys(all)
    #expect(four.keys == [1, 2, 3, 4] && four.areAll)
  }

  @Test func anErrorOfTheReceiverIsThrown() throws {
    #expect(throws: Refused.self) { try keys(all) { _ in throw Refused() } }
    #expect(try keys(all).areAll)
  }

  @Test func anErrorOfSQLiteIsThrown() throws {
    #expect(throws: SQLiteError.self) { try keys("SELECT \(Connection.collector)(abs(-9223372036854775808)) FROM t") }
    #expect(try keys(all).areAll)
  }

  @Test(arguments: [false, true]) func aClosedConnectionIsAnError(isUsed: Bool) throws {
    if isUsed { _ = try keys(all) }
    connection.close()
    #expect(connection.collectedColumnsMax > 0)
    #expect(throws: SQLiteError.self) { try keys(all) }
  }

  @Test func rowsAreCollectedInsideOfACollection() throws {
    var inner: [[Int64]] = []
    let outer = try keys(all) { key in
      inner.append(try keys("SELECT \(Connection.collector)(a) FROM t WHERE a > \(key)").keys)
      return true
    }
    #expect(outer.keys == [1, 2, 3, 4] && inner == [[2, 3, 4], [3, 4], [4], []])
  }

  @Test func outsideOfACollectionTheFunctionFails() throws {
    #expect(try keys(all).areAll)
    #expect(throws: SQLiteError.self) { try connection.execute(all) }
  }

  @Test func asManyColumnsComeAsSQLiteAllows() throws {
    let columns = (1...connection.collectedColumnsMax).map { "\($0)" }.joined(separator: ", ")
    var last: Int64?
    _ = try connection.collect("SELECT \(Connection.collector)(\(columns))", bind: { _ in }) {
      last = $0.int64(at: Int32(connection.collectedColumnsMax) - 1)
      return true
    }
    #expect(last == Int64(connection.collectedColumnsMax))
    #expect(throws: SQLiteError.self) { try keys("SELECT \(Connection.collector)(\(columns), 0)") }
  }
}
