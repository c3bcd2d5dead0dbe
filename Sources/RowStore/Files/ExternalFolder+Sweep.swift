import Foundation

import SQLite

extension ExternalFolder {
  /// Removes the files that no row of a store refers to, nor one of another store in the folder; does nothing while another
  /// process has the folder in use.
  ///
  /// - Parameter connection: to the store; no transaction is open.
  /// - Throws: when a store cannot be read, or others save to it for too long; then nothing is removed.
  package func sweep(_ connection: Connection, storePath: String) throws {
    try alone {
      // A save writes its files inside its transaction, so that no file is without its row meanwhile.
      try connection.execute("BEGIN IMMEDIATE")
      defer { try? connection.execute("ROLLBACK") }
      let found = unheldNames
      guard !found.isEmpty else { return }
      let names = try ExternalNames.all(in: connection).union(StoreSiblings(of: storePath).externalNames())
      for name in found.subtracting(names) { unlink(path(name)) }
    }
  }
}
