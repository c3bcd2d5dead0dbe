import SQLite
import Scheduling
import Synchronization

/// Connections for reading: of a file, one for each thread that reads at the moment, a few idle ones kept; of a store in
/// memory, the writer's own in its turn, since no other connection can see its contents.
package final class ReaderPool: Sendable {
  /// Idle connections kept open.
  static let idleMax = 4

  /// Connections go from thread to thread, but one thread at a time uses each.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
    /// Connections that are reading.
    package var used = 0
    /// Whether the store is closed: connections that come back are closed as well.
    var isClosed = false
    /// Objects to be released after the last connection.
    package var kept: [AnyObject] = []
  }

  // Sendable: the shared connection is only used in its turn.
  private enum Source: @unchecked Sendable {
    case file(path: String, ConnectionConfiguration)
    case shared(Connection, turn: SerialQueue)
  }

  private let idle = Locked(Idle())
  private let source: Source

  package init(path: String, configuration: ConnectionConfiguration) { source = .file(path: path, configuration) }

  /// Reads in `turn`, through the connection that writes in it.
  package init(sharing connection: Connection, turn: SerialQueue) { source = .shared(connection, turn: turn) }

  /// The pool that reads from now on, of the same store at another place.
  private let next = Locked<ReaderPool?>(nil)
  private let isContinued = Atomic<Bool>(false)

  /// Has reads that begin from now on carried out by the pool of a file that continues this one. Any thread.
  func continueReading(in other: ReaderPool) {
    precondition(other !== self && other.next.current == nil, "a store continues in a pool of a file opened since")
    next.withLock { $0 = other }
    isContinued.store(true, ordering: .releasing)
  }

  /// Statements that were used for reading so far.
  var statements: Int { used.load(ordering: .relaxed) }

  private let used = Atomic<Int>(0)

  /// Runs `body` as one read, with its beginning as `cache` knows it: before its snapshot is chosen, so that the snapshot has
  /// all rows listed before.
  ///
  /// - Parameters:
  ///   - isOneOfMany: whether reads by the same thread follow, which may share a snapshot: ``releaseSnapshots()``.
  ///   - start: nil inside a transaction of the connection that writes.
  func withConnection<Result>(
    isOneOfMany: Bool = false, cache: RowCache,
    _ body: (Connection, _ start: RowCache.ReadStart?) throws -> Result
  ) throws -> Result {
    StoreCheckpoints.beforeRead.reach("reader")
    switch source {
    case .file(let path, let configuration):
      let connection = try claimConnection(path, configuration)
      defer { giveBack(connection) }
      return try cache.reading { start in
        // Commits from the start on may be in the next file alone.
        if isContinued.load(ordering: .acquiring), let next = next.current {
          return try next.withConnection(isOneOfMany: isOneOfMany, cache: cache, body)
        }
        connection.renewSnapshot()
        if isOneOfMany { connection.holdSnapshot() }
        if connection.holdsSnapshot { StoreCheckpoints.snapshotHeld.reach("reader") }
        return try count(connection) { try body(connection, start) }
      }
    case .shared(let connection, let turn):
      return try turn.sync {
        try cache.reading { start in
          try count(connection) { try body(connection, connection.isInTransaction ? nil : start) }
        }
      }
    }
  }

  private func count<Result>(_ connection: Connection, _ body: () throws -> Result) rethrows -> Result {
    let before = connection.statementsUsed
    defer { used.add(connection.statementsUsed - before, ordering: .relaxed) }
    return try connection.reading(body)
  }

  /// Ends the snapshots of idle connections: the log's pages that they need can go. Any thread.
  package func releaseSnapshots() {
    let holding = idle.withLock { idle in
      let holding = idle.connections.filter(\.holdsSnapshot)
      guard !holding.isEmpty else { return Idle() }
      idle.connections.removeAll(where: \.holdsSnapshot)
      idle.used += holding.count
      return Idle(connections: holding)
    }
    for connection in holding.connections {
      connection.releaseSnapshot()
      giveBack(connection)
    }
  }

  private func dequeueIdle() throws -> Connection? {
    try idle.withLock { idle in
      guard !idle.isClosed else { throw SQLiteError(code: .misuse, message: "the store is closed") }
      idle.used += 1
      return idle.connections.popLast()
    }
  }

  private func giveBack(_ connection: Connection?) {
    let (isClosed, kept) = idle.withLock { idle in
      precondition(idle.used > 0, "a connection is given back once")
      idle.used -= 1
      if !idle.isClosed, let connection, idle.connections.count < Self.idleMax { idle.connections.append(connection) }
      let kept = idle.used == 0 ? idle.kept : []
      if idle.used == 0 { idle.kept = [] }
      return (idle.isClosed, Kept(objects: kept))
    }
    if isClosed { connection?.close() }
    withExtendedLifetime(kept) {}
  }

  /// Objects to be released outside the lock.
  private struct Kept: @unchecked Sendable {
    // Sendable: the objects are not shared.
    package let objects: [AnyObject]
  }

  /// Closes the idle connections, and those in use as they come back; reading ends.
  ///
  /// - Parameter kept: objects to be released after the last connection.
  package func close(keeping kept: AnyObject?...) {
    let kept = Kept(objects: kept.compactMap { $0 })
    let connections = idle.withLock { idle in
      defer { idle.connections = [] }
      precondition(!idle.isClosed, "a pool is closed once")
      idle.isClosed = true
      if idle.used > 0 { idle.kept = kept.objects }
      return Idle(connections: idle.connections)
    }
    for connection in connections.connections { connection.close() }
  }

  private func claimConnection(_ path: String, _ configuration: ConnectionConfiguration) throws -> Connection {
    let idle = try dequeueIdle()
    do {
      return try idle ?? open(path, configuration)
    } catch {
      giveBack(nil)
      throw error
    }
  }

  private func open(_ path: String, _ configuration: ConnectionConfiguration) throws -> Connection {
    let connection = try configuration.connection(path, .readOnly)
    try configuration.apply(to: connection)
    return connection
  }
}
