import CSQLite
import Synchronization

/// Connections to one file that stay open when their owners close them, for the next owner: where a program does that thousands
/// of times, as a simulation does, the schema is read and statements are compiled already.
///
/// A new owner finds what it would have made: a connection is only kept outside of a transaction and without temporary tables,
/// and SQLite itself looks whether the file's pages and schema are those that it knows.
package enum KeptDatabases {
  private static let isOn = Atomic<Bool>(false)
  // Written once, before the flag is raised.
  nonisolated(unsafe) private static var path = ""
  // One thread at a time uses the file, as the tasks of a simulation do, and their judge when they are over.
  nonisolated(unsafe) private static var idle: [DatabaseHandle] = []

  /// Keeps connections to the file at that path from now on. Once a process, before the first one; from then on one thread at a
  /// time opens and closes them.
  package static func begin(path: String) {
    precondition(!isOn.load(ordering: .relaxed), "of connections that are kept a process has one file")
    self.path = path
    isOn.store(true, ordering: .releasing)
  }

  /// Closes those that are kept: the file at the path is another one.
  package static func removeAll() {
    for handle in idle { handle.closeForEver() }
    idle = []
  }

  /// Whether connections to the file are kept.
  static func keeps(_ path: String) -> Bool { isOn.load(ordering: .acquiring) && self.path == path }

  /// One that was opened that way; nil where none is left.
  static func reuse(_ path: String, access: Int32) -> DatabaseHandle? {
    guard keeps(path), let place = idle.lastIndex(where: { $0.access == access }) else { return nil }
    return idle.remove(at: place)
  }

  static func give(_ handle: DatabaseHandle) {
    precondition(handle.isClosed && !idle.contains { $0 === handle }, "a connection is given back once, by its owner")
    idle.append(handle)
  }
}

/// An object that SQLite has for a name, and calls; another one with the same name takes its place there without SQLite, which
/// would compile every statement anew.
protocol Replaceable: AnyObject {
  /// Takes the place of another of its class from now on; false for one of another class.
  func become(_ other: AnyObject) -> Bool
}

/// The compiled statements of one text, of a connection that is kept.
final class KeptStatements {
  let sql: String
  /// Those without a user.
  final var idle: [OpaquePointer] = []
  /// Those that the connection's owner has.
  final var used: [OpaquePointer] = []

  init(_ sql: String) { self.sql = sql }

  /// Makes a statement that its user has finished with ready for the next one, or finalises it.
  final func rest(_ statement: OpaquePointer) {
    precondition(!idle.contains(statement), "a statement rests until it is used again")
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    if idle.count < Self.idleMax { idle.append(statement) } else { sqlite3_finalize(statement) }
  }

  /// How often one statement is kept: those that run inside each other.
  private static let idleMax = 8
}

extension DatabaseHandle {
  /// Whether the database has a function or table of that name already, which works as `new` from now on.
  func replace(_ name: String, by new: some Replaceable) -> Bool {
    guard isKept else { return false }
    if let known = registered[name], known.become(new) { return true }
    registered[name] = new
    return false
  }

  /// The statements of that text; nil where none are kept.
  func keptStatements(_ sql: String) -> KeptStatements? {
    guard isKept else { return nil }
    if let known = statements[sql] { return known }
    let new = KeptStatements(sql)
    statements[sql] = new
    return new
  }

  /// Keeps a statement that its user has finished with, or finalises it.
  func finish(_ statement: OpaquePointer, of kept: KeptStatements?) {
    guard let kept else {
      sqlite3_finalize(statement)
      return
    }
    if let place = kept.used.lastIndex(of: statement) { kept.used.remove(at: place) }
    kept.rest(statement)
  }

  /// Makes the connection as new; false where it cannot be.
  func rest() -> Bool {
    for kept in statements.values where !kept.used.isEmpty {
      for statement in kept.used { kept.rest(statement) }
      kept.used.removeAll(keepingCapacity: true)
    }
    faults = nil
    readStarts = nil
    return sqlite3_get_autocommit(pointer) != 0 && !hasTemporary
  }

  private var hasTemporary: Bool {
    guard let kept = keptStatements("SELECT 1 FROM temp.sqlite_master") else { return true }
    var statement = kept.idle.popLast()
    if statement == nil {
      sqlite3_prepare_v3(pointer, kept.sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    }
    guard let statement else { return true }
    defer { kept.rest(statement) }
    return sqlite3_step(statement) != SQLITE_DONE
  }
}

extension Connection {
  /// Statements that every owner of a connection executes.
  static let repeated: Set = [
    "BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK", "PRAGMA wal_checkpoint(TRUNCATE)",
  ]

  func executeKept(_ sql: String) throws {
    let statement = try prepare(sql)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// Runs pragmas that change this connection and nothing else; where an owner before it ran the same last, nothing is left to do.
  package func configure(_ pragmas: String) throws {
    if database.isKept, database.configuration == pragmas { return }
    try execute(pragmas)
    database.configuration = pragmas
  }

  /// Whether the connection outlives its owner.
  package var isKept: Bool { database.isKept }

  /// Something that an owner found out about the file's schema; where connections are kept the next one finds it here, and looks
  /// by ``schemaVersion`` whether it still holds.
  package var finding: AnyObject? {
    get { database.finding }
    set { database.finding = database.isKept ? newValue : nil }
  }

  /// Changes with every change of the file's schema.
  package var schemaVersion: Int64 {
    get throws {
      let version = try cachedForChecks("PRAGMA schema_version")
      defer { version.reset() }
      return try version.step() ? version.int64(at: 0) : 0
    }
  }
}
