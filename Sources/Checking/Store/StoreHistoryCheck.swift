import SQLite

/// Replays the persistent history of a store's file from an empty store: the rows that it leaves have to be those of the file.
///
/// Of a history that begins later, since its beginning was deleted, the last change of each row has to agree with the file.
struct StoreHistoryCheck {
  /// The tables of a history, by their numbers in `Z_PRIMARYKEY`.
  static let numbers: ClosedRange<Int64> = 16_001...16_003

  private let connection: Connection
  /// Finds fault with a table: so many rows are not as expected.
  private let report: (_ place: String, _ expected: String, _ wrongRows: Int64, _ what: String) -> Void

  init(
    _ connection: Connection,
    _ report: @escaping (_ place: String, _ expected: String, _ wrongRows: Int64, _ what: String) -> Void
  ) {
    self.connection = connection
    self.report = report
  }

  /// - Parameter lastNumber: of a transaction.
  func checkTransactions(lastNumber: Int64) throws {
    try check(
      "ATRANSACTION", "numbers rise by one, to \(lastNumber)", "a number that does not follow the one before",
      """
      SELECT count(*) FROM (SELECT Z_PK, lead(Z_PK, 1, \(lastNumber) + 1) OVER (ORDER BY Z_PK) AS next FROM ATRANSACTION)
      WHERE next <> Z_PK + 1
      """)
    try check(
      "ATRANSACTION", "time never falls", "an earlier time than the one before",
      """
      SELECT count(*) FROM (SELECT ZTIMESTAMP, lag(ZTIMESTAMP) OVER (ORDER BY Z_PK) AS last FROM ATRANSACTION)
      WHERE ZTIMESTAMP < last
      """)
    try check(
      "ACHANGE", "each change has its transaction", "none",
      "SELECT count(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
    try check(
      "ATRANSACTION", "each transaction has changes", "none",
      "SELECT count(*) FROM ATRANSACTION WHERE Z_PK NOT IN (SELECT ZTRANSACTIONID FROM ACHANGE)")
    try check(
      "ACHANGE", "an object comes once in a transaction", "an object that comes again",
      """
      SELECT count(*) - count(DISTINCT ZTRANSACTIONID || ' ' || ZENTITY || ' ' || ZENTITYPK) FROM ACHANGE
      """)
  }

  /// - Parameter family: the numbers of the entities with rows in the table.
  func checkRows(of table: String, _ family: String) throws {
    let table = StoreCondition.quoted(table)
    precondition(!family.isEmpty, "a table has the rows of some entity")
    let isWhole = try connection.int64("SELECT ifnull(min(Z_PK), 0) FROM ATRANSACTION") == 1
    let changes = """
      WITH changes AS (SELECT ZENTITYPK AS key, ZCHANGETYPE AS kind, Z_PK AS number,
        lag(ZCHANGETYPE) OVER (PARTITION BY ZENTITYPK ORDER BY Z_PK) AS before,
        lead(ZCHANGETYPE) OVER (PARTITION BY ZENTITYPK ORDER BY Z_PK) AS after
        FROM ACHANGE WHERE ZENTITY IN (\(family)))
      """
    // A row that comes back has been deleted before; one that is changed or deleted was there.
    let begins = isWhole ? "kind <> 0" : "0"
    try check(
      "history of \(table)", "each change fits the one before", "a change of a row that was not there, or was already",
      """
      \(changes) SELECT count(*) FROM changes
      WHERE CASE WHEN before IS NULL THEN \(begins) WHEN before = 2 THEN kind <> 0 ELSE kind = 0 END
      """)
    try check(
      "history of \(table)", "what it leaves is in the file", "no row",
      """
      \(changes) SELECT count(*) FROM changes
      WHERE after IS NULL AND kind <> 2 AND key NOT IN (SELECT Z_PK FROM \(table))
      """)
    try check(
      "history of \(table)", "what it deletes is not in the file", "a row",
      """
      \(changes) SELECT count(*) FROM changes
      WHERE after IS NULL AND kind = 2 AND key IN (SELECT Z_PK FROM \(table))
      """)
    guard isWhole else { return }
    try check(
      table, "the history has each row", "no change in it",
      "\(changes) SELECT count(*) FROM \(table) WHERE Z_PK NOT IN (SELECT key FROM changes)")
    try check(
      table, "the history has the changes of a row", "more versions than updates",
      """
      \(changes) SELECT count(*) FROM \(table) t JOIN
        (SELECT key, count(*) FILTER (WHERE kind = 1) AS updates FROM changes GROUP BY key
          HAVING count(*) FILTER (WHERE kind = 0) = 1) c ON c.key = t.Z_PK
      WHERE t.Z_OPT > c.updates + 1
      """)
  }

  private func check(_ place: String, _ expected: String, _ what: String, _ count: String) throws {
    let wrong = try connection.int64(count) ?? 0
    if wrong > 0 { report(place, expected, wrong, what) }
  }
}
