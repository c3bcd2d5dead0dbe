import Foundation
import SQLite
import Testing

@Suite struct RowFeedTests {
  /// Feeds rows of values.
  private final class Rows: RowSource {
    enum Value {
      case null
      case integer(Int64)
      case real(Double)
      case text(String)
      case bytes([UInt8])
    }

    var rows: [[Value]]
    private var position = -1

    init(_ rows: [[Value]]) { self.rows = rows }

    func next() -> Bool {
      position += 1
      guard position == rows.count else { return true }
      // Ready for the next reading.
      position = -1
      return false
    }

    func write(column: Int, to value: FeedValue) {
      switch rows[position][column] {
      case .null: value.setNull()
      case .integer(let number): value.set(number)
      case .real(let number): value.set(number)
      case .text(let text): value.set(text)
      case .bytes(let bytes): bytes.withUnsafeBytes { value.set($0) }
      }
    }
  }

  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:")
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b)")
  }

  private func insert(_ rows: Rows) throws {
    try connection.addFeed("feed", columnCount: 2, from: rows)
    try connection.prepare("INSERT OR FAIL INTO t(a, b) SELECT c0, c1 FROM feed").run()
  }

  @Test func everyKindOfValueArrivesAsItIs() throws {
    let long = String(repeating: "가나다 ", count: 10_000)
    let blob = [UInt8](repeating: 7, count: 40_000)
    let rows = Rows([
      [.integer(1), .null], [.integer(2), .integer(.min)], [.integer(3), .real(0.1)], [.integer(4), .text("")],
      [.integer(5), .text("short")], [.integer(6), .text(long)], [.integer(7), .bytes([])],
      [.integer(8), .bytes([1, 0, 2])], [.integer(9), .bytes(blob)], [.integer(10), .real(.nan)],
    ])
    try insert(rows)
    let types = try connection.string("SELECT group_concat(typeof(b)) FROM (SELECT b FROM t ORDER BY a)")
    #expect(types == "null,integer,real,text,text,text,blob,blob,blob,null")
    #expect(try connection.int64("SELECT b FROM t WHERE a = 2") == .min)
    #expect(try connection.string("SELECT b FROM t WHERE a = 5") == "short")
    #expect(try connection.string("SELECT b FROM t WHERE a = 6") == long)
    #expect(try connection.string("SELECT hex(b) FROM t WHERE a = 8") == "010002")
    #expect(try connection.string("SELECT hex(b) FROM t WHERE a = 9") == String(repeating: "07", count: 40_000))
  }

  @Test func aFeedWithoutRowsWritesNone() throws {
    try insert(Rows([]))
    #expect(try connection.int64("SELECT count(*) FROM t") == 0)
  }

  @Test func aFeedIsReadAnewEachTime() throws {
    let rows = Rows([[.integer(1), .null]])
    try connection.addFeed("feed", columnCount: 2, from: rows)
    let statement = try connection.prepare("INSERT INTO t(a, b) SELECT c0, c1 FROM feed")
    try withExtendedLifetime(rows) {
      try statement.run()
      rows.rows = [[.integer(2), .null], [.integer(3), .null]]
      try statement.run()
    }
    #expect(try connection.string("SELECT group_concat(a) FROM t") == "1,2,3")
  }

  @Test func aRowThatIsRefusedEndsTheStatementWithItsError() throws {
    let error = #expect(throws: SQLiteError.self) {
      try insert(Rows([[.integer(1), .null], [.integer(1), .null], [.integer(2), .null]]))
    }
    #expect(error?.code == .constraintPrimaryKey)
    #expect(try connection.int64("SELECT count(*) FROM t") == 1)
  }

  @Test func aConnectionReleasesItsFeeds() throws {
    weak var released: AnyObject?
    do {
      let connection = try Connection(path: ":memory:")
      let rows = Rows([[.integer(1), .null]])
      released = rows
      try connection.addFeed("feed", columnCount: 2, from: rows)
      #expect(try withExtendedLifetime(rows) { try connection.int64("SELECT c0 FROM feed") } == 1)
    }
    #expect(released == nil)
  }
}
