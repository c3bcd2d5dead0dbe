import SQLite
import Scheduling

/// Connections for reading, one for each thread that reads at the moment; a few idle ones are kept.
final class ReaderPool: Sendable {
  /// Idle connections kept open.
  static let idleMax = 4

  /// Connections go from thread to thread, but one thread at a time uses each.
  private struct Idle: @unchecked Sendable {
    var connections: [Connection] = []
  }

  private let idle = Locked(Idle())
  private let path: String
  private let configuration: ConnectionConfiguration

  init(path: String, configuration: ConnectionConfiguration) {
    self.path = path
    self.configuration = configuration
  }

  func withConnection<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let connection = try idle.withLock { $0.connections.popLast() } ?? open()
    defer {
      idle.withLock { idle in
        if idle.connections.count < Self.idleMax { idle.connections.append(connection) }
      }
    }
    return try body(connection)
  }

  private func open() throws -> Connection {
    let connection = try Connection(path: path, mode: .readOnly)
    try configuration.apply(to: connection)
    return connection
  }
}
