import Testing

@testable import SQLite

struct ResultCodeTests {
  @Test(arguments: [
    (sql: "INSERT INTO t VALUES(1, 'b', 'x')", code: ResultCode.constraintPrimaryKey),
    (sql: "INSERT INTO t VALUES(2, 'a', 'x')", code: ResultCode.constraintUnique),
    (sql: "INSERT INTO t VALUES(3, 'c', NULL)", code: ResultCode(rawValue: 1299)),
  ])
  func aConstraintMatchesItsExtendedAndItsPrimaryCode(sql: String, code: ResultCode) throws {
    let connection = try Connection(path: ":memory:")
    try connection.execute(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, u UNIQUE, n NOT NULL); INSERT INTO t VALUES(1, 'a', 0)")
    let error = try #require(#expect(throws: SQLiteError.self) { try connection.execute(sql) })
    #expect(error.code == code)
    #expect(code ~= error.code)
    #expect(ResultCode.constraint ~= error.code)
    switch error.code {
    case .busy: Issue.record("matched as busy")
    case .constraint: break
    default: Issue.record("not matched as a constraint")
    }
  }

  @Test func anExtendedPatternTakesNoOtherExtension() {
    #expect(!(ResultCode.constraintUnique ~= .constraintPrimaryKey))
    #expect(!(ResultCode.constraintUnique ~= .constraint))
    #expect(ResultCode.constraint ~= .constraint)
  }

  @Test func aCodeDescribesItselfInSQLitesWords() {
    #expect(ResultCode.busy.description == "database is locked")
    #expect(ResultCode.constraintUnique.description == "constraint failed")
  }
}
