import SQLite
import Scheduling
import Synchronization

/// Connections for reading: of a file, one for each thread that reads at the moment, a few idle ones kept; of a store in
/// memory, the writer's own in its turn, since nobody else can see what it has.
final class ReaderPool: Sendable {
  /// Idle connections kept open.
  static let idleMax = 4

  /// Connections go from thread to thread, but one thread at a time uses each.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
    /// Whether the store is closed: connections that come back are closed as well.
    var isClosed = false
  }

  // Sendable: the shared connection is only used in its turn.
  private enum Source: @unchecked Sendable {
    case file(path: String, ConnectionConfiguration)
    case shared(Connection, turn: SerialQueue)
  }

  private let idle = Locked(Idle())
  private let source: Source

  init(path: String, configuration: ConnectionConfiguration) { source = .file(path: path, configuration) }

  /// Reads in `turn`, through the connection that writes in it.
  init(sharing connection: Connection, turn: SerialQueue) { source = .shared(connection, turn: turn) }

  /// Statements that were used for reading so far.
  var statements: Int { used.load(ordering: .relaxed) }

  private let used = Atomic<Int>(0)

  func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    Checkpoints.beforeRead.reach("reader")
    return try withAnyConnection { connection in
      let before = connection.statementsUsed
      defer { used.add(connection.statementsUsed - before, ordering: .relaxed) }
      return try body(connection)
    }
  }

  private func withAnyConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    switch source {
    case .file(let path, let configuration):
      let connection = try takeIdle() ?? open(path, configuration)
      defer {
        idle.withLock { idle in
          if !idle.isClosed, idle.connections.count < Self.idleMax { idle.connections.append(connection) }
        }
      }
      return try body(connection)
    case .shared(let connection, let turn):
      return try turn.sync { try body(connection) }
    }
  }

  private func takeIdle() throws -> Connection? {
    try idle.withLock { idle in
      guard !idle.isClosed else { throw SQLiteError(code: .misuse, message: "the store is closed") }
      return idle.connections.popLast()
    }
  }

  /// Closes the idle connections, and those in use as they come back; nobody can read any more.
  func close() {
    let idle = idle.withLock { idle in
      defer { idle = Idle(isClosed: true) }
      return idle
    }
    for connection in idle.connections { connection.close() }
  }

  private func open(_ path: String, _ configuration: ConnectionConfiguration) throws -> Connection {
    let connection = try configuration.connection(path, .readOnly)
    try configuration.apply(to: connection)
    return connection
  }
}
