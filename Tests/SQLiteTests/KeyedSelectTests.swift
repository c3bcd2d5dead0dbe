import SQLite
import Testing

@Suite struct KeyedSelectTests {
  private static let long = "a text that is longer than others"

  private let folder: TemporaryFolder
  private let writer: Connection
  private let reader: Connection

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("store")
    writer = try Connection(path: path)
    try writer.execute("PRAGMA journal_mode = WAL")
    try writer.execute("CREATE TABLE t (key INTEGER PRIMARY KEY, text TEXT)")
    try writer.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two'), (3, NULL), (5, '\(Self.long)')")
    reader = try Connection(path: path, mode: .readOnly)
  }

  private func select() throws -> KeyedSelect? {
    try reader.keyedSelect(
      number: 1, feed: "keys", "SELECT t.text FROM keys CROSS JOIN t WHERE t.key = keys.c0")
  }

  /// The text of the row; "none" for NULL, nil where there is no row.
  private func text(_ key: Int64) throws -> String? {
    reader.renewSnapshot()
    reader.holdSnapshot()
    let select = try #require(try select())
    return try select.find(key) ? select.statement.text(at: 0) ?? "none" : nil
  }

  @Test func rowsAreFoundInAnyOrderAlsoAfterOneThatIsMissing() throws {
    let texts = try [5, 1, 1, 4, 2, 3, 7, 6, 5].map { try text($0) }
    #expect(texts == [Self.long, "one", "one", nil, "two", "none", nil, nil, Self.long])
  }

  @Test func thereIsNoneWithoutASnapshotThatIsKept() throws {
    #expect(try select() == nil)
    #expect(try text(1) == "one")
    reader.releaseSnapshot()
    #expect(try select() == nil)
    #expect(reader.statementsUsed == 1)
  }

  /// No read is answered from before a commit.
  @Test func itBeginsAnewAfterACommit() throws {
    #expect(try text(1) == "one")
    try writer.execute("UPDATE t SET text = 'changed' WHERE key = 1")
    try writer.execute("INSERT INTO t VALUES (4, 'four')")
    #expect(try text(1) == "changed")
    #expect(try text(4) == "four")
    try writer.execute("ALTER TABLE t ADD COLUMN other")
    try writer.execute("DELETE FROM t WHERE key = 4")
    #expect(try text(4) == nil)
    #expect(try text(2) == "two")
  }

  /// Nothing is left of it that would keep the log from being emptied.
  @Test func itEndsWithTheSnapshot() throws {
    #expect(try text(1) == "one")
    try writer.execute("UPDATE t SET text = 'changed' WHERE key = 1")
    #expect(try writer.int64("PRAGMA wal_checkpoint(TRUNCATE)") == 1)
    reader.releaseSnapshot()
    #expect(!reader.isRunning)
    #expect(try writer.int64("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }

  @Test func afterAStepThatFailedItBeginsAnew() throws {
    #expect(try text(1) == "one")
    reader.faults = FaultPlan(failing: 1)
    #expect(throws: SQLiteError.self) { try text(2) }
    reader.faults = nil
    #expect(try text(2) == "two")
    #expect(try text(1) == "one")
  }

  @Test func aConnectionClosesInMidRun() throws {
    #expect(try text(1) == "one")
    reader.close()
    try writer.execute("DROP TABLE t")
    #expect(try writer.int64("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
  }
}
