import Foundation

extension Table {
  /// Writes the table's file, whole or not at all, and describes its columns in `columns.json`.
  ///
  /// - Throws: `ReportingError` when the folder is not writable.
  package func write(_ rows: [Row], in directory: String) throws(ReportingError) {
    let path = directory + "/" + fileName
    do {
      try Data((header + rows.map(line).joined()).utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ReportingError(
        path: path, cause: "cannot be written: \(ReportingError.reason(error))", remedy: "Make the folder writable")
    }
    try ColumnsDocument.add(self, in: directory)
  }
}
