import Foundation
import SQLite

/// How every connection of a store is set up.
package struct ConnectionConfiguration: Sendable {
  /// Pragmas of each connection where the store's options say nothing else; Apple's defaults.
  static let defaultPragmas: [(name: String, value: String)] = [("synchronous", "NORMAL")]

  private let pragmas: [(name: String, value: String)]
  private let timeoutMilliseconds: Int32

  package init(_ options: StoreOptions) throws {
    let given = try options.pragmas()
    let names = Set(given.map { $0.name.lowercased() })
    pragmas = Self.defaultPragmas.filter { !names.contains($0.name) } + given
    timeoutMilliseconds = options.timeoutMilliseconds
  }

  /// Whether commits reach the disk in order, so that a crash of the system leaves no broken store.
  package var isDurable: Bool {
    !pragmas.contains { $0.name.lowercased() == "synchronous" && ["off", "0"].contains($0.value.lowercased()) }
  }

  /// A connection; its statements, the first one included, wait for others' locks as long as the store's options say.
  package func connection(_ path: String, _ mode: Connection.Mode) throws -> Connection {
    try Connection(path: path, mode: mode, busyTimeoutMilliseconds: timeoutMilliseconds)
  }

  /// Sets options that a file can only get before its first table; without effect where another connection was faster.
  package func prepareNewFile(_ connection: Connection) throws {
    try connection.execute("PRAGMA page_size = 4096")
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    // Without effect on a database in memory, which has no journal file.
    try connection.retryingWhileBusy { try connection.execute("PRAGMA journal_mode = WAL") }
  }

  package func apply(to connection: Connection) throws {
    connection.registerLate(PredicateFunctions.register)
    for (name, value) in pragmas {
      let pragma = "PRAGMA \(name) = \(value)"
      // Others may write into the file, which is not always the same one.
      if name.lowercased() == "synchronous" { try connection.configure(pragma) } else { try connection.execute(pragma) }
    }
  }
}
