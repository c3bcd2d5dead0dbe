import Checking

/// A CSV file's name, meaning and columns.
package struct Table<Row>: Sendable {
  /// Name of the file in the results folder.
  package let fileName: String
  /// The subject of a row.
  package let grain: String
  /// All columns; where a row is about one cell, the key columns first.
  package let columns: [Column<Row>]
  /// A row into which the fields of a line are read.
  let empty: @Sendable () -> Row

  /// Declares a file of rows that begin with the key columns.
  package init(
    fileName: String, grain: String, empty: @escaping @Sendable () -> Row,
    key: any WritableKeyPath<Row, CellKey> & Sendable, columns: [Column<Row>]
  ) {
    self.init(fileName: fileName, grain: grain, empty: empty, columns: KeyColumns.all.map { $0.inside(key) } + columns)
  }

  /// Declares a file of rows about more than one cell.
  package init(
    fileName: String, grain: String, empty: @escaping @Sendable () -> Row, columns: [Column<Row>]
  ) {
    self.empty = empty
    self.fileName = fileName
    self.grain = grain
    self.columns = columns
    precondition(Set(self.columns.map(\.name)).count == self.columns.count, "column names of a file differ")
    precondition(!columns.isEmpty && fileName.hasSuffix(".csv"), "a table is a CSV file with columns: \(fileName)")
  }

  /// The header line with its line end.
  package var header: String { CSV.line(columns.map(\.name)) }

  /// A row's line with its line end.
  package func line(_ row: Row) -> String { CSV.line(columns.map { $0.value(row)?.csvText ?? "" }) }

  /// The columns with their types, units and meanings, as a text table under the file's name.
  ///
  /// - Parameter width: columns of the terminal that it has to fit; nil = a line for each column.
  package func documentation(width: Int? = nil) -> String {
    var table = TextTable(columns: [.left("column"), .left("type"), .left("unit"), .left("meaning")])
    for column in columns { table.append([column.name, column.type.rawValue, column.unit ?? "", column.meaning]) }
    return "\(fileName): \(grain)\n\n" + table.rendered(width: width)
  }
}
