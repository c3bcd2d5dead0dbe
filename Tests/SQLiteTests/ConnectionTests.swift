import Testing

@testable import SQLite

struct ConnectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aMissingFileIsCreatedOnlyOnRequest() throws {
    let path = folder.path("new.sqlite")
    for mode in [Connection.Mode.readWrite, .readOnly] {
      let error = #expect(throws: SQLiteError.self) { try Connection(path: path, mode: mode) }
      #expect(error?.code.primary == .cannotOpen)
      #expect(error?.message.contains(path) == true)
    }
    try Connection(path: path).execute("CREATE TABLE t(a)")
    #expect(try Connection(path: path, mode: .readOnly).int64("SELECT count(*) FROM t") == 0)
  }

  @Test func aReadOnlyConnectionReadsAndCannotWrite() throws {
    let path = folder.path("store.sqlite")
    let writer = try Connection(path: path)
    try writer.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES(7)")
    let reader = try Connection(path: path, mode: .readOnly)
    #expect(try reader.int64("SELECT a FROM t") == 7)
    let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES(8)") }
    #expect(error?.code.primary == .readOnly)
    #expect(try writer.int64("SELECT count(*) FROM t") == 1)
  }

  @Test func aFileThatIsNoDatabaseFailsAtTheFirstStatement() throws {
    let path = folder.path("text.sqlite")
    try String(repeating: "not a database. ", count: 100).write(toFile: path, atomically: true, encoding: .utf8)
    let connection = try Connection(path: path)
    let error = #expect(throws: SQLiteError.self) { try connection.int64("SELECT count(*) FROM sqlite_master") }
    #expect(error?.code.primary == .notADatabase)
  }

  // writer                        second
  // BEGIN IMMEDIATE
  //                               BEGIN IMMEDIATE   → busy
  // COMMIT
  //                               BEGIN IMMEDIATE   → goes through
  @Test func aSecondWriterIsBusyUntilTheFirstCommits() throws {
    let path = folder.path("store.sqlite")
    let writer = try Connection(path: path)
    let second = try Connection(path: path)
    try writer.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a)")
    second.setBusyTimeout(milliseconds: 1)

    try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES(1)")
    #expect(writer.isInTransaction)
    let error = #expect(throws: SQLiteError.self) { try second.execute("BEGIN IMMEDIATE") }
    #expect(error?.code == .busy)
    #expect(!second.isInTransaction)
    #expect(try second.int64("SELECT count(*) FROM t") == 0, "a reader is not blocked and sees no half")

    try writer.execute("COMMIT")
    try second.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES(2); COMMIT")
    #expect(try writer.int64("SELECT count(*) FROM t") == 2)
  }

  // reader                        writer
  // BEGIN, SELECT
  //                               INSERT
  // INSERT   → busy, extended: the reader's snapshot is old
  @Test func writingOnAnOldSnapshotIsBusyWithAnExtendedCode() throws {
    let path = folder.path("store.sqlite")
    let writer = try Connection(path: path)
    try writer.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a)")
    let reader = try Connection(path: path)
    try reader.execute("BEGIN; SELECT * FROM t")
    try writer.execute("INSERT INTO t VALUES(1)")

    let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES(2)") }
    let code = try #require(error?.code)
    #expect(code != .busy)
    #expect(code.primary == .busy)
    #expect(ResultCode.busy ~= code)
    #expect(!(ResultCode.constraint ~= code))
  }

  @Test func anErrorNamesItsCodeItsCauseAndItsSQL() throws {
    let connection = try Connection(path: ":memory:")
    let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT * FROM absent") }
    #expect(error?.description == "SQLite 1 (SQL logic error): no such table: absent in: SELECT * FROM absent")
  }

  @Test(arguments: ["", "-- only a comment", " ; "])
  func preparingNoStatementIsAnError(sql: String) throws {
    let connection = try Connection(path: ":memory:")
    let error = #expect(throws: SQLiteError.self) { try connection.prepare(sql) }
    #expect(error?.code == .misuse)
  }

  @Test func changedRowsCountsTheLatestStatement() throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(1), (2), (3)")
    #expect(connection.changedRows == 3)
    try connection.execute("UPDATE t SET a = 0 WHERE a > 1")
    #expect(connection.changedRows == 2)
  }

  @Test func aScalarIsNilWithoutARow() throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t(a)")
    #expect(try connection.int64("SELECT a FROM t") == nil)
    #expect(try connection.string("SELECT a FROM t") == nil)
    #expect(try connection.string("SELECT NULL") == nil)
    #expect(try connection.string("SELECT ''") == "")
  }

  @Test func aStatementOutlivesItsConnection() throws {
    func prepared() throws -> Statement {
      let connection = try Connection(path: ":memory:")
      try connection.execute("CREATE TABLE t(a INTEGER PRIMARY KEY); INSERT INTO t VALUES(1)")
      return try connection.prepare("INSERT INTO t VALUES(?)")
    }
    let statement = try prepared()
    statement.bind(Int64(2), at: 1)
    try statement.run()
    let error = #expect(throws: SQLiteError.self) {
      statement.bind(Int64(1), at: 1)
      try statement.run()
    }
    #expect(error?.message == "UNIQUE constraint failed: t.a")
  }
}
