import CMemoryFiles
import Foundation
import Testing

@testable import SQLite

/// A file in memory, and connections to it that are kept, as simulations have them. Of both a process has one.
@Suite(.serialized) struct KeptDatabasesTests {
  private static let path: String = {
    let path = FileManager.default.temporaryDirectory.path + "/kept-\(UUID().uuidString).sqlite"
    let code = cmemoryfiles_install(path)
    precondition(code == 0, "SQLite takes the layer")
    KeptDatabases.begin(path: path)
    return path
  }()
  /// A file with a table and nothing in it.
  private static let empty = Result { () throws -> Data in
    let folder = try TemporaryFolder()
    let connection = try Connection(path: folder.path("empty"))
    try connection.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a)")
    connection.close()
    return try Data(contentsOf: URL(fileURLWithPath: folder.path("empty")))
  }

  /// Puts the empty file in the place of whatever there was; whether connections that are open see it.
  @discardableResult
  private func begin() throws -> Bool {
    _ = Self.path
    let stays = try Self.empty.get().withUnsafeBytes { cmemoryfiles_put($0.baseAddress, $0.count) }
    if stays == 0 { KeptDatabases.removeAll() }
    return stays == 1
  }

  private func open(_ mode: Connection.Mode = .readWrite) throws -> Connection {
    try Connection(path: Self.path, mode: mode)
  }

  @Test func nothingIsOnTheDisk() throws {
    try begin()
    let connection = try open()
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(!FileManager.default.fileExists(atPath: Self.path))
    var log = 0
    #expect(cmemoryfiles_log(&log) != nil && log > 0, "the log has what was written")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    var count = 0
    let bytes = UnsafeRawBufferPointer(start: cmemoryfiles_contents(&count), count: count)
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path("copy")))
    #expect(try Connection(path: folder.path("copy")).int64("SELECT a FROM t") == 1)
  }

  @Test func aReaderKeepsItsSnapshotAndWritersExcludeEachOther() throws {
    try begin()
    let (writer, other, reader) = (try open(), try open(), try open(.readOnly))
    try reader.execute("BEGIN")
    #expect(try reader.int64("SELECT count(*) FROM t") == 0)
    try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let error = #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
    #expect(error?.code.primary == .busy)
    try writer.execute("COMMIT")
    #expect(try reader.int64("SELECT count(*) FROM t") == 0)
    try reader.execute("COMMIT")
    #expect(try reader.int64("SELECT count(*) FROM t") == 1)
    #expect(try other.int64("SELECT count(*) FROM t") == 1)
    #expect(try other.string("PRAGMA integrity_check") == "ok")
  }

  @Test func whatWasCompiledIsThereForTheNextOwnerAndWhatWasWrittenIsNot() throws {
    try begin()
    var database: DatabaseHandle?
    for round in 0..<3 {
      let connection = try open()
      if let database { #expect(connection.database === database, "the connection was kept") }
      database = connection.database
      #expect(try connection.int64("SELECT count(*) FROM t") == 0)
      let insert = try connection.prepare("INSERT INTO t VALUES (?)")
      insert.bind(Int64(round), at: 1)
      try insert.run()
      #expect(try connection.int64("SELECT a FROM t") == Int64(round))
      connection.close()
      #expect(throws: SQLiteError.self) { try insert.run() }
      #expect(try begin())
    }
  }

  @Test func aConnectionIsConfiguredAsItsOwnerWants() throws {
    try begin()
    for (pragma, value) in [("OFF", "0"), ("OFF", "0"), ("NORMAL", "1"), ("OFF", "0")] {
      let connection = try open()
      try connection.configure("PRAGMA synchronous = \(pragma)")
      #expect(try connection.string("PRAGMA synchronous") == value)
      connection.close()
    }
  }

  @Test func statementsDoNotBecomeMoreFromOwnerToOwner() throws {
    try begin()
    var counts: [Int] = []
    for _ in 0..<4 {
      let connection = try open(.readOnly)
      connection.holdSnapshot()
      #expect(try connection.int64("SELECT count(*) FROM t") == 0)
      try connection.execute("BEGIN")
      try connection.execute("COMMIT")
      let left = try connection.prepare("SELECT a FROM t")
      connection.close()
      withExtendedLifetime(left) {
        counts.append(connection.database.statements.values.reduce(0) { $0 + $1.idle.count })
      }
      #expect(connection.database.statements.values.allSatisfy { $0.used.isEmpty })
    }
    #expect(Set(counts).count == 1, "\(counts)")
  }

  @Test func aFunctionDoesWhatTheLastOwnerGave() throws {
    try begin()
    for round in 0..<3 {
      let connection = try open()
      try connection.register(SQLFunction("given", argumentCount: 0) { _ in .integer(Int64(round)) })
      #expect(try connection.int64("SELECT given()") == Int64(round))
      connection.close()
    }
  }

  @Test func whatAnOwnerLeftUndoneIsNotKept() throws {
    try begin()
    for sql in ["BEGIN IMMEDIATE; INSERT INTO t VALUES (1)", "CREATE TEMP TABLE own(a)"] {
      let connection = try open()
      let database = connection.database
      try connection.execute(sql)
      connection.close()
      let next = try open()
      #expect(next.database !== database)
      #expect(try next.int64("SELECT count(*) FROM t") == 0)
      next.close()
    }
  }

  @Test func whoHoldsALockKeepsTheOldFile() throws {
    try begin()
    let stuck = try open()
    try stuck.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    #expect(try !begin())
    let connection = try open()
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try stuck.int64("SELECT a FROM t") == 1)
    #expect(try connection.int64("SELECT a FROM t") == 2)
  }

  // MARK: Killed processes

  /// The process that calls, for the layer. Tests of this suite follow each other.
  nonisolated(unsafe) private static var caller = 0
  /// Called before each change. Tests of this suite follow each other.
  nonisolated(unsafe) private static var onChange: ((String) -> Void)?

  /// Calls `body` with the layer asking who calls.
  private func withProcesses(_ body: () throws -> Void) rethrows {
    cmemoryfiles_watch(
      cmemoryfiles_hooks(
        process: { KeptDatabasesTests.caller },
        step: { kind, part in
          if let kind, let part { KeptDatabasesTests.onChange?("\(String(cString: kind)) \(String(cString: part))") }
        }, pause: { _ in 1 }))
    defer {
      cmemoryfiles_watch(cmemoryfiles_hooks())
      (Self.caller, Self.onChange) = (0, nil)
      KeptDatabases.removeAll()
    }
    try body()
  }

  private func open(as process: Int) throws -> Connection {
    Self.caller = process
    let connection = try open()
    _ = try connection.int64("SELECT count(*) FROM t")
    return connection
  }

  @Test func locksOfAKilledProcessAreFreedAndItsConnectionsCanDoNothing() throws {
    try begin()
    try withProcesses {
      let other = try open(as: 2)
      let killed = try open(as: 1)
      try killed.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
      Self.caller = 2
      #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
      cmemoryfiles_kill(1)
      try other.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (2); COMMIT")
      #expect(try other.int64("SELECT a FROM t") == 2)
      Self.caller = 1
      #expect(throws: SQLiteError.self) { try killed.execute("COMMIT") }
      Self.caller = 2
      #expect(try other.int64("SELECT count(*) FROM t") == 1)
    }
  }

  /// Looks at what a killed process left, as one that was there and as one that begins.
  private func look(_ other: Connection, _ counts: inout [Int64]) throws {
    Self.caller = 2
    for connection in [other, try open(as: 3)] {
      #expect(try connection.string("PRAGMA integrity_check") == "ok")
      counts.append(try #require(try connection.int64("SELECT count(*) FROM t")))
      #expect(try connection.int64("SELECT count(*) FROM large") == (counts.last ?? 0) / 2)
    }
    // The next writer begins where the last whole transaction ends.
    try other.execute("INSERT INTO t VALUES (3)")
    #expect(try other.int64("SELECT count(*) FROM t WHERE a = 3") == 1)
  }

  @Test func aWriterKilledInACommitLeavesTheFileAsBeforeOrAfter() throws {
    var places: [String] = []
    var counts: [Int64] = []
    for change in 1...100 where places.count == change - 1 {
      try begin()
      try withProcesses {
        let other = try open(as: 2)
        let killed = try open(as: 1)
        try killed.execute("CREATE TABLE large(a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
        try killed.execute("INSERT INTO large VALUES (randomblob(30000))")
        var left = change
        Self.onChange = { place in
          left -= 1
          guard left == 0 else { return }
          Self.onChange = nil
          places.append(place)
          cmemoryfiles_kill(1)
          #expect(throws: Never.self) { try look(other, &counts) }
          Self.caller = 1
        }
        try? killed.execute("COMMIT")
      }
    }
    #expect(Set(counts).isSubset(of: [0, 2]), "\(counts)")
    #expect(places.contains("file.write log") && places.contains("file.publish file"), "\(places)")
    #expect(counts.first == 0 && counts.count == 2 * places.count)
  }

  @Test func whoComesFirstReadsTheLogAndNotTheIndex() throws {
    try begin()
    try withProcesses {
      KeptDatabases.removeAll()
      let killed = try open(as: 1)
      try killed.execute("INSERT INTO t VALUES (1); BEGIN IMMEDIATE; INSERT INTO t VALUES (2)")
      cmemoryfiles_kill(1)
      let next = try open(as: 2)
      #expect(try next.int64("SELECT count(*) FROM t") == 1)
      #expect(try next.string("PRAGMA integrity_check") == "ok")
    }
  }
}
