import Foundation
import SQLite

// The files of large values: those that no row refers to, and those of a store that goes into memory.

extension SQLiteStore {
  /// Prepares the files of an open store: others learn that they are in use, and files left by a save that never ended go.
  func prepareFiles() {
    guard let folder = files.folder else { return }
    folder.hold(again: true)
    guard !options.isReadOnly else { return }
    // Files that cannot be swept now are swept another time.
    try? sweepFiles(folder)
  }

  /// Removes the files that no row refers to, where the store is open nowhere else.
  private func sweepFiles(_ folder: ExternalFolder) throws {
    let found = folder.unheldNames
    guard !found.isEmpty else { return }
    let known = try schema.externalColumns.reduce(into: Set<String>()) { names, place in
      try names.formUnion(ExternalNames.names(in: connection, table: place.table, column: place.column))
    }
    guard !found.isSubset(of: known) else { return }
    connection.setBusyTimeout(milliseconds: 0)
    defer { connection.setBusyTimeout(milliseconds: options.timeoutMilliseconds) }
    try folder.sweep(connection, storePath: place.path)
  }

  /// Gives the rows of a store in memory the values that their original store has in files.
  /// - Throws: when a row cannot be written; a file that is gone leaves null, and is named on standard error.
  package func copyValues(from folder: ExternalFolder) throws {
    guard schema.hasExternal else { return }
    do {
      try connection.execute("BEGIN IMMEDIATE")
      for (table, column) in schema.externalColumns {
        let rows = try connection.prepare(
          "SELECT Z_PK, \(column) FROM \(table) WHERE \(ExternalNames.condition(column))")
        var names: [(key: Int64, name: String)] = []
        while try rows.step() {
          if let name = rows.withBytes(at: 1, ExternalReference.name) { names.append((rows.int64(at: 0), name)) }
        }
        let update = try connection.prepare("UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?")
        for (key, name) in names {
          if let data = folder.file(named: name).data {
            (Data([ExternalReference.inRow]) + data).withUnsafeBytes { update.bind($0, at: 1) }
          } else {
            update.bindNull(at: 1)
          }
          update.bind(key, at: 2)
          try update.run()
        }
      }
      try connection.execute("COMMIT")
    } catch {
      rollBack()
      throw error
    }
  }

  // MARK: Batch requests

  private static let givenUp = "Z_GIVEN_UP"

  /// Notes the files of values that are written over or deleted from now on, in this transaction.
  func watchFiles() throws {
    guard files.folder != nil, schema.hasExternal else { return }
    try connection.execute("CREATE TEMP TABLE \(Self.givenUp) (Z_REFERENCE BLOB)")
    for (position, (table, column)) in schema.externalColumns.enumerated() {
      let isFile = ExternalNames.condition("OLD.\(column)")
      let note = "BEGIN INSERT INTO \(Self.givenUp) VALUES (OLD.\(column)); END"
      try connection.execute(
        "CREATE TEMP TRIGGER Z_FILE_UPDATE_\(position) AFTER UPDATE OF \(column) ON main.\(table) "
          + "WHEN OLD.\(column) IS NOT NEW.\(column) AND \(isFile) \(note)")
      try connection.execute(
        "CREATE TEMP TRIGGER Z_FILE_DELETE_\(position) AFTER DELETE ON main.\(table) WHEN \(isFile) \(note)")
    }
  }

  /// Gives up the noted files.
  func giveUpWatchedFiles() throws {
    guard files.folder != nil, schema.hasExternal else { return }
    let noted = try connection.prepare("SELECT Z_REFERENCE FROM \(Self.givenUp)")
    while try noted.step() {
      if let name = noted.withBytes(at: 0, ExternalReference.name) { files.giveUp(named: name) }
    }
    noted.reset()
    for position in schema.externalColumns.indices {
      try connection.execute("DROP TRIGGER temp.Z_FILE_UPDATE_\(position)")
      try connection.execute("DROP TRIGGER temp.Z_FILE_DELETE_\(position)")
    }
    try connection.execute("DROP TABLE temp.\(Self.givenUp)")
  }
}
