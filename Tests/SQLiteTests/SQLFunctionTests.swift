import Testing

@testable import SQLite

@Suite struct SQLFunctionTests {
  private final class Witness: Sendable {}

  private final class Longest: SQLAccumulator {
    private var longest = ""
    let witness: Witness?

    init(_ witness: Witness? = nil) { self.witness = witness }

    func add(_ arguments: SQLArguments) throws {
      guard case .text(let text) = arguments[0] else { return }
      if text == "refused" { throw SQLiteError(code: .misuse, message: "\"refused\" is refused") }
      if text.count > longest.count { longest = text }
    }

    func result() throws -> SQLValue { .text(longest) }
  }

  private func connection() throws -> Connection { try Connection(path: ":memory:") }

  @Test(
    arguments: [
      .null, .integer(.min), .integer(0), .real(1.5), .real(.infinity), .text(""), .text("é\u{0}\u{1F469}"), .blob([]),
      .blob([0, 255]),
    ] as [SQLValue])
  func everyValueGoesInAndComesBackTheSame(value: SQLValue) throws {
    let connection = try connection()
    try connection.register(SQLFunction("given", argumentCount: 0) { _ in value })
    try connection.register(
      SQLFunction("same", argumentCount: -1) { arguments in
        .integer(arguments.count == 2 && arguments[0] == value && arguments[1] == value ? 1 : 0)
      })
    #expect(try connection.int64("SELECT same(given(), given())") == 1)
  }

  @Test func whatAFunctionThrowsIsTheStatementsError() throws {
    let connection = try connection()
    try connection.register(
      SQLFunction("fails", argumentCount: 1) { _ in throw SQLiteError(code: .misuse, message: "the pattern ( is wrong")
      })
    let error = #expect(throws: SQLiteError.self) { _ = try connection.int64("SELECT fails(1)") }
    #expect(error?.message == "the pattern ( is wrong")
    #expect(try connection.int64("SELECT 1") == 1)
  }

  @Test func functionsThatAreRegisteredLateAreThereWhenOneIsCalled() throws {
    let connection = try connection()
    var calls = 0
    connection.registerLate { connection in
      calls += 1
      for name in ["late", "later"] {
        try connection.register(SQLFunction(name, argumentCount: 0) { _ in .integer(7) })
      }
    }
    #expect(try connection.int64("SELECT 1") == 1 && calls == 0)
    #expect(try connection.int64("SELECT late()") == 7)
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES (later())")
    #expect(try connection.int64("SELECT a FROM t") == 7 && calls == 1)
    #expect(throws: SQLiteError.self) { _ = try connection.prepare("SELECT never()") }
  }

  @Test func functionsThatAreRegisteredLateAreThereForAStatementWithoutRows() throws {
    let connection = try connection()
    connection.registerLate { try $0.register(SQLFunction("late", argumentCount: 0) { _ in .integer(7) }) }
    try connection.execute("CREATE TABLE t(a)")
    try connection.execute("INSERT INTO t VALUES (late())")
    #expect(try connection.int64("SELECT a FROM t") == 7)
  }

  @Test func anArgumentBeyondTheLastIsNull() throws {
    let connection = try connection()
    try connection.register(
      SQLFunction("beyond", argumentCount: -1) { arguments in
        .integer(arguments[arguments.count] == .null && arguments[-1] == .null && arguments.isNull(at: 7) ? 1 : 0)
      })
    #expect(try connection.int64("SELECT beyond()") == 1)
    #expect(try connection.int64("SELECT beyond(1, 2)") == 1)
  }

  @Test func aFunctionIsReleasedWithItsConnectionOrSuccessor() throws {
    var connection: Connection? = try connection()
    weak var first: Witness?
    weak var second: Witness?
    do {
      let (one, two) = (Witness(), Witness())
      (first, second) = (one, two)
      try connection?.register(SQLFunction("f", argumentCount: 0) { _ in .integer(one === one ? 1 : 0) })
      #expect(first != nil)
      try connection?.register(SQLFunction("f", argumentCount: 0) { _ in .integer(two === two ? 2 : 0) })
    }
    #expect(first == nil)
    #expect(second != nil)
    #expect(try connection?.int64("SELECT f()") == 2)
    connection = nil
    #expect(second == nil)
  }

  @Test func aRegistrationThatIsRefusedThrowsAndKeepsNothing() throws {
    let connection = try connection()
    weak var witness: Witness?
    do {
      let one = Witness()
      witness = one
      let name = String(repeating: "n", count: 300)
      #expect(throws: SQLiteError.self) {
        try connection.register(SQLFunction(name, argumentCount: 0) { _ in .integer(one === one ? 1 : 0) })
      }
    }
    #expect(witness == nil)
  }

  @Test func anAggregateSeesEachGroupByItself() throws {
    let connection = try connection()
    try connection.register(SQLAggregate("longest", argumentCount: 1) { Longest() })
    try connection.execute(
      "CREATE TABLE t (g INTEGER, x TEXT); INSERT INTO t VALUES (1, 'a'), (1, 'abc'), (2, 'ab'), (2, NULL)")
    #expect(try connection.string("SELECT group_concat(l) FROM (SELECT longest(x) l FROM t GROUP BY g)") == "abc,ab")
    #expect(try connection.string("SELECT longest(x) FROM t WHERE 0") == "")
  }

  @Test func anAggregateThatFailsOrIsLeftIsReleased() throws {
    let connection = try connection()
    weak var witness: Witness?
    do {
      let one = Witness()
      witness = one
      try connection.register(SQLAggregate("longest", argumentCount: 1) { Longest(one) })
    }
    try connection.execute("CREATE TABLE t (x TEXT); INSERT INTO t VALUES ('a'), ('refused'), ('b')")
    let error = #expect(throws: SQLiteError.self) { _ = try connection.string("SELECT longest(x) FROM t") }
    #expect(error?.message == "\"refused\" is refused")
    do {
      let statement = try connection.prepare("SELECT longest(x) FROM t WHERE x <> 'refused' GROUP BY x")
      #expect(try statement.step())
    }
    try connection.register(SQLAggregate("longest", argumentCount: 1) { Longest() })
    #expect(witness == nil)
  }

  @Test func theOldestStatementGoesForANewOne() throws {
    let connection = try connection()
    for number in 0..<(Connection.cachedStatementsMax * 2) {
      #expect(try connection.cached("SELECT \(number)").step())
    }
    let newest = try connection.cached("SELECT \(Connection.cachedStatementsMax * 2 - 1)")
    #expect(try connection.cached("SELECT \(Connection.cachedStatementsMax * 2 - 1)") === newest)
    let oldest = try connection.cached("SELECT 0")
    #expect(try oldest.step())
    #expect(try connection.cached("SELECT 0") === oldest)
  }
}
