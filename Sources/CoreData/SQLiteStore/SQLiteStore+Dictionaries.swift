import SQLite

extension SQLiteStore {
  /// What a fetch of dictionaries gives, row by row; without the keys of nulls.
  func readDictionaries(_ fetch: DictionaryFetch) throws -> [[String: Any]] {
    let generated = generate(fetch)
    return try reading { connection, _ in
      let statement = try connection.cached(generated.sql)
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      var rows: [[String: Any]] = []
      while try statement.step() {
        var row = [String: Any](minimumCapacity: fetch.columns.count)
        var position: Int32 = 0
        for column in fetch.columns {
          row[column.name] = column.value(statement, at: position, of: self)
          position += Int32(column.selection.count)
        }
        rows.append(row)
      }
      return rows
    }
  }

  /// How many dictionaries a fetch gives.
  func countDictionaries(_ fetch: DictionaryFetch) throws -> Int {
    let generated = generate(fetch)
    return try reading { connection, _ in
      let statement = try connection.cached("SELECT count(*) FROM (\(generated.sql))")
      defer { statement.reset() }
      generated.bind(to: statement, tag)
      return try statement.step() ? Int(statement.int64(at: 0)) : 0
    }
  }

  private func generate(_ fetch: DictionaryFetch) -> GeneratedSQL {
    SQLGenerator(schema: schema).select(columns: fetch.columns.flatMap(\.selection), fetch.query)
  }
}
