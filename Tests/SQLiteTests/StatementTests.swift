import Testing

@testable import SQLite

struct StatementTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a, b)")
  }

  /// `text` after a round trip through the table.
  private func roundTrip(_ text: String) throws -> String {
    let insert = try connection.prepare("INSERT INTO t VALUES(?, NULL)")
    insert.bind(text, at: 1)
    try insert.run()
    let select = try connection.prepare("SELECT a FROM t ORDER BY rowid DESC")
    try #require(try select.step())
    #expect(select.storage(at: 0) == .text)
    return select.string(at: 0)
  }

  @Test(arguments: [
    "", "a", "with\0a NUL\0", "\0", "👩🏽‍🚀 🇰🇷", "단어장 — 낱말", "e\u{301} stays decomposed", "\u{FEFF}mark", "\u{10FFFF}",
  ])
  func aTextComesBackToTheScalar(text: String) throws {
    #expect(Array(try roundTrip(text).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [-1, 0, 1])
  func aTextAroundTheArenasSizeComesBack(excess: Int) throws {
    let text = String(repeating: "x", count: BindingArena.capacity + excess)
    #expect(try roundTrip(text) == text)
  }

  @Test func textsThatFillTheArenaTogetherKeepTheirValues() throws {
    let texts = (0..<8).map { String(repeating: String($0), count: BindingArena.capacity / 4 + $0) }
    let names = (1...texts.count).map { "?\($0)" }.joined(separator: ", ")
    let statement = try connection.prepare("SELECT \(names)")
    for (index, text) in texts.enumerated() { statement.bind(text, at: Int32(index + 1)) }
    try #require(try statement.step())
    for (index, text) in texts.enumerated() { #expect(statement.string(at: Int32(index)) == text) }
  }

  @Test func aTextBoundTwiceIsTheLatter() throws {
    let statement = try connection.prepare("SELECT ?1")
    statement.bind("first", at: 1)
    statement.bind("second", at: 1)
    try #require(try statement.step())
    #expect(statement.string(at: 0) == "second")
  }

  @Test func anEmptyBlobIsNotNULL() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
    [UInt8]().withUnsafeBytes { insert.bind($0, at: 1) }
    insert.bindNull(at: 2)
    try insert.run()
    let select = try connection.prepare("SELECT a, b FROM t")
    try #require(try select.step())
    #expect(select.storage(at: 0) == .blob)
    #expect(!select.isNull(at: 0))
    #expect(select.bytes(at: 0) == [])
    #expect(select.storage(at: 1) == .null)
    #expect(select.isNull(at: 1))
    #expect(select.bytes(at: 1) == [])
    #expect(select.string(at: 1) == "")
  }

  @Test func aBlobComesBackToTheByte() throws {
    let blob = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let statement = try connection.prepare("SELECT ?")
    blob.withUnsafeBytes { statement.bind($0, at: 1) }
    try #require(try statement.step())
    #expect(statement.bytes(at: 0) == blob)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func anIntegerComesBackExactly(value: Int64) throws {
    let statement = try connection.prepare("SELECT ?")
    statement.bind(value, at: 1)
    try #require(try statement.step())
    #expect(statement.storage(at: 0) == .integer)
    #expect(statement.int64(at: 0) == value)
  }

  @Test(arguments: [0.1, -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func aNumberComesBackToTheBit(value: Double) throws {
    let statement = try connection.prepare("SELECT ?")
    statement.bind(value, at: 1)
    try #require(try statement.step())
    #expect(statement.storage(at: 0) == .real)
    #expect(statement.double(at: 0).bitPattern == value.bitPattern)
  }

  @Test func notANumberBecomesNULL() throws {
    let statement = try connection.prepare("SELECT ?")
    statement.bind(Double.nan, at: 1)
    try #require(try statement.step())
    #expect(statement.isNull(at: 0))
  }

  @Test func illFormedTextIsRepaired() throws {
    let statement = try connection.prepare("SELECT CAST(x'61FF62' AS TEXT)")
    try #require(try statement.step())
    #expect(statement.string(at: 0) == "a\u{FFFD}b")
  }

  @Test func aStatementRunsAgainAfterAReset() throws {
    let insert = try connection.prepare("INSERT INTO t VALUES(?, ?)")
    for row in 0..<100 {
      insert.bind(Int64(row), at: 1)
      insert.bind("row \(row)", at: 2)
      try insert.run()
    }
    let select = try connection.prepare("SELECT a, b FROM t ORDER BY a")
    #expect(select.columnCount == 2)
    #expect(select.columnName(at: 1) == "b")
    for _ in 0..<2 {
      var rows = 0
      while try select.step() {
        #expect(select.int64(at: 0) == Int64(rows))
        #expect(select.string(at: 1) == "row \(rows)")
        rows += 1
      }
      #expect(rows == 100)
      select.reset()
    }
  }

  @Test func aCachedStatementIsHandedOutResetAndUnbound() throws {
    try connection.execute("INSERT INTO t VALUES(1, 2), (3, 4)")
    let sql = "SELECT a, ?1, ?2 FROM t ORDER BY a"
    let first = try connection.cached(sql)
    first.bind("an earlier text", at: 1)
    first.bind(Int64(5), at: 2)
    try #require(try first.step())
    #expect(first.string(at: 1) == "an earlier text")

    let second = try connection.cached(sql)
    #expect(second === first)
    try #require(try second.step())
    #expect(second.int64(at: 0) == 1, "from the first row again")
    #expect(second.isNull(at: 1))
    #expect(second.isNull(at: 2))

    connection.dropCachedStatements()
    #expect(try connection.cached(sql) !== first)
  }

  @Test func aParameterThatDoesNotExistFailsTheStep() throws {
    let statement = try connection.prepare("SELECT ?")
    statement.bind(Int64(1), at: 1)
    statement.bind("nowhere", at: 2)
    let error = #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(error?.code == .outOfRange)
    #expect(error?.message.contains("parameter 2") == true)

    statement.reset()
    try #require(try statement.step())
    #expect(statement.int64(at: 0) == 1)
  }

  @Test func bindingInMidRunFailsTheNextStep() throws {
    try connection.execute("INSERT INTO t VALUES(1, 0), (2, 0)")
    let statement = try connection.prepare("SELECT a FROM t WHERE a >= ? ORDER BY a")
    statement.bind(Int64(1), at: 1)
    try #require(try statement.step())
    statement.bind(Int64(2), at: 1)
    let error = #expect(throws: SQLiteError.self) { try statement.step() }
    #expect(error?.code == .misuse)
  }

  @Test func aFailedRunLeavesTheStatementReadyForTheNext() throws {
    try connection.execute("CREATE UNIQUE INDEX u ON t(a)")
    let insert = try connection.prepare("INSERT INTO t VALUES(?, NULL)")
    insert.bind("same", at: 1)
    try insert.run()
    insert.bind("same", at: 1)
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.code == .constraintUnique)
    insert.bind("other", at: 1)
    try insert.run()
    #expect(try connection.int64("SELECT count(*) FROM t") == 2)
  }
}
