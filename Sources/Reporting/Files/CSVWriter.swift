import Foundation

/// Writes rows to a CSV file as they come: the header once, then whole rows, each in the kernel's hands when
/// ``append(_:)`` returns.
package final class CSVWriter<Row> {
  private let table: Table<Row>
  private let file: AppendOnlyFile

  /// Opens the table's file in `directory`, and describes its columns in `columns.json` there; a file of an earlier run with the same columns is continued.
  ///
  /// - Throws: `ReportingError` when the file cannot be written, or has other columns.
  package init(_ table: Table<Row>, in directory: String) throws {
    self.table = table
    let path = directory + "/" + table.fileName
    file = try AppendOnlyFile(path: path)
    if file.sizeBytes == 0 {
      try file.append(table.header)
    } else if file.prefix(table.header.utf8.count) != Array(table.header.utf8) {
      throw ReportingError(
        path: path, cause: "its columns are not those that this version writes",
        remedy: "Choose another folder with --out")
    }
    try ColumnsDocument.add(table, in: directory)
  }

  /// Appends rows in one write, so that a cell's rows are there together or not at all.
  package func append(_ rows: [Row]) throws {
    guard !rows.isEmpty else { return }
    try file.append(rows.map(table.line).joined())
  }

  /// Appends a row.
  package func append(_ row: Row) throws { try append([row]) }
}

extension Table {
  /// Writes the table's file, whole or not at all, and describes its columns in `columns.json`.
  ///
  /// - Throws: `ReportingError` when the folder is not writable.
  package func write(_ rows: [Row], in directory: String) throws(ReportingError) {
    let path = directory + "/" + fileName
    do {
      try Data((header + rows.map(line).joined()).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ReportingError(writing: path, error)
    }
    try ColumnsDocument.add(self, in: directory)
  }
}
