import Checking
import Foundation

extension Table {
  /// The largest relative difference between a derived value as read and as it follows from the other columns, which a
  /// program that rewrote the file may have rounded.
  private static var derivedTolerance: Double { 1e-9 }

  /// The rows of the table's file, or of the file at `path`.
  ///
  /// - Parameter isLastLineCutShort: whether a last line without its end is passed over, left by a writer that was
  ///   killed, or found no more room.
  /// - Throws: `ReportingError` with file, line and column when it is not there, is damaged, has other columns or was
  ///   written in another version.
  package func read(_ path: String, isLastLineCutShort: Bool = false) throws(ReportingError) -> [Row] {
    guard var data = FileManager.default.contents(atPath: path) else {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw ReportingError(
        path: path, cause: isThere ? "cannot be read" : "is not there",
        remedy: isThere
          ? "Make it a file that you may read" : "Name a results folder of contextbench, or the \(fileName) in it")
    }
    if isLastLineCutShort {
      data = data[..<(data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? data.startIndex)]
    }
    return try rows(CSVReader.records([UInt8](data), path: path), path: path)
  }

  private func rows(_ records: [CSVReader.Record], path: String) throws(ReportingError) -> [Row] {
    guard let header = records.first else {
      throw ReportingError(path: path, cause: "is empty", remedy: FieldProblem("").remedy)
    }
    try checkVersion(records, path: path)
    let order = try order(of: header.fields, path: path)
    var rows: [Row] = []
    rows.reserveCapacity(records.count - 1)
    for record in records.dropFirst() {
      var row = empty()
      precondition(record.fields.count == order.count, "every line that was read has a field for each column")
      for (column, text) in zip(order, record.fields) {
        guard case .stored(let take) = column.reading else { continue }
        do throws(FieldProblem) {
          try take(text, &row)
        } catch {
          throw ReportingError(
            path: path, line: record.line, column: column.name, cause: error.what, remedy: error.remedy)
        }
      }
      for (column, text) in zip(order, record.fields) {
        guard case .derived = column.reading, !Self.agrees(text, with: column.value(row)) else { continue }
        throw ReportingError(
          path: path, line: record.line, column: column.name,
          cause: "\(text.isEmpty ? "is empty, and" : "\(text)") does not follow from the line's other columns",
          remedy: FieldProblem("").remedy)
      }
      rows.append(row)
    }
    return rows
  }

  /// Checks the version before anything else, since the rest follows from it.
  private func checkVersion(_ records: [CSVReader.Record], path: String) throws(ReportingError) {
    guard let index = records[0].fields.firstIndex(of: "schema_version"), let first = records.dropFirst().first,
      first.fields[index] != String(CellKey.schemaVersion), Int(first.fields[index]) != nil
    else { return }
    let problem = FieldProblem.version(first.fields[index])
    throw ReportingError(
      path: path, line: first.line, column: "schema_version", cause: problem.what, remedy: problem.remedy)
  }

  /// The columns in the order of the file, which has each of them once.
  private func order(of names: [String], path: String) throws(ReportingError) -> [Column<Row>] {
    var problems: [String] = []
    let known = Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0) })
    let unknown = names.filter { known[$0] == nil }
    let missing = columns.filter { !$0.isAddedLater }.map(\.name).filter { !names.contains($0) }
    if !unknown.isEmpty { problems.append("has columns that are not known: " + unknown.joined(separator: ", ")) }
    if !missing.isEmpty { problems.append("lacks columns: " + missing.joined(separator: ", ")) }
    if Set(names).count != names.count { problems.append("has a column twice") }
    guard problems.isEmpty else {
      throw ReportingError(
        path: path, line: 1, cause: problems.joined(separator: "; "),
        remedy: "Read the file with the contextbench that wrote it; list columns shows the columns of this version")
    }
    return names.compactMap { known[$0] }
  }

  private static func agrees(_ text: String, with value: ColumnValue?) -> Bool {
    guard case .number(let number)? = value, number.isFinite else { return text == value?.csvText ?? "" }
    guard let read = Double(csvText: text) else { return false }
    return abs(read - number) <= derivedTolerance * max(abs(read), abs(number))
  }
}
