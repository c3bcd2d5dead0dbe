import Checking
import CoreData
import SQLite

// S6.3: a file that lacks what the model has in it is refused, whatever its version hashes say, and what it lacks is named.

extension RuleTrial {
  /// A file in which a drawn column, or table, has another name.
  func breakColumns(_ model: NSManagedObjectModel) throws {
    let url = newURL()
    try close(try open(model, at: url))
    func texts(_ query: String) throws -> [String] {
      let connection = try Connection(path: url.path, mode: .readOnly)
      defer { connection.close() }
      let statement = try connection.prepare(query)
      defer { statement.reset() }
      var found: [String] = []
      while try statement.step() { found.append(statement.string(at: 0)) }
      return found
    }
    func rename(_ change: String) throws {
      let connection = try Connection(path: url.path, mode: .readWrite)
      defer { connection.close() }
      try connection.execute("ALTER TABLE \(change)")
    }
    for _ in 0..<3 {
      let tables = try texts(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z[A-Z]*' ORDER BY name")
      precondition(!tables.isEmpty, "each root entity has a table")
      guard let table = pick(tables) else { return }
      // A relationship leads to the same row without the column of its entity.
      let columns = try texts("SELECT name FROM pragma_table_info('\(table)') WHERE name NOT GLOB 'Z[0-9]*'")
      let column = chance(1, of: 5) ? nil : pick(columns)
      let missing = [table, column].compactMap { $0 }.joined(separator: ".")
      note("\(missing) of a file has another name")
      try rename(column.map { "\(table) RENAME COLUMN \($0) TO OTHER" } ?? "\(table) RENAME TO OTHER")
      let error = AnythingClient.error { try self.close(try self.open(model, at: url)) }
      try require(
        error?.code, NSPersistentStoreIncompatibleVersionHashError, .storeCorruption,
        "the error of a file without \(missing)")
      let isNamed = error?.localizedDescription.contains(missing)
      try require(isNamed, true, .wrongValue, "whether the error of a file without \(missing) names it")
      try rename(column.map { "\(table) RENAME COLUMN OTHER TO \($0)" } ?? "OTHER RENAME TO \(table)")
      try close(try open(model, at: url))
    }
  }
}
