import SQLite

/// SQL with the values of its parameters.
package struct GeneratedSQL {
  package var sql: String
  package var parameters: [SQLParameter]

  /// - Parameter tag: of the store that is asked; no row has the key of another store's object.
  func bind(to statement: Statement, _ tag: StoreTag) {
    for (position, parameter) in parameters.enumerated() {
      let index = Int32(position) + 1
      switch parameter {
      case .slot(let slot): bind(slot, to: statement, at: index, tag)
      case .objects(let references):
        statement.bind("[" + references.map { "\(tag.primaryKey($0.key))" }.joined(separator: ",") + "]", at: index)
      }
    }
  }

  private func bind(_ slot: Slot, to statement: Statement, at index: Int32, _ tag: StoreTag) {
    switch slot.comparable {
    case .null, .boxed: statement.bindNull(at: index)
    case .integer(let value): statement.bind(value, at: index)
    case .real(let value), .date(let value): statement.bind(value, at: index)
    case .string(let value): statement.bind(value, at: index)
    case .uuid(let value): withUnsafeBytes(of: value.uuid) { statement.bind($0, at: index) }
    case .data(let value): value.withUnsafeBytes { statement.bind($0, at: index) }
    case .reference(let reference): statement.bind(tag.primaryKey(reference.key), at: index)
    }
  }
}

/// The value of one parameter.
package enum SQLParameter {
  case slot(Slot)
  /// The keys of objects, as a JSON array.
  case objects([RowReference])
}
