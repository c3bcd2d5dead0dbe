import Checking
import Foundation

/// `columns.json`: the columns of each CSV file of a results folder, for readers without this program.
struct ColumnsDocument: Codable, Sendable, Hashable {
  /// A CSV file.
  struct File: Codable, Sendable, Hashable {
    /// The subject of a row.
    var grain: String
    /// In the order of the header.
    var columns: [Column]
  }

  /// A column of it.
  struct Column: Codable, Sendable, Hashable {
    var name: String
    /// `text`, `integer`, `number`, or `flag`: yes or no.
    var type: String
    /// Unit of a number; none for a plain count and for text.
    var unit: String?
    var meaning: String
  }

  /// Name of the file in the results folder.
  static let fileName = "columns.json"

  var schemaVersion = CellKey.schemaVersion
  /// By name.
  var files: [String: File] = [:]

  private enum CodingKeys: String, CodingKey {
    case schemaVersion = "schema_version"
    case files
  }

  /// Describes a table beside those that the folder's document has.
  ///
  /// - Throws: `ReportingError` when it cannot be written.
  static func add<Row>(_ table: Table<Row>, in directory: String) throws(ReportingError) {
    let path = directory + "/" + fileName
    let url = URL(fileURLWithPath: path)
    let old = (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(ColumnsDocument.self, from: $0) }
    var document = old ?? ColumnsDocument()
    document.schemaVersion = CellKey.schemaVersion
    document.files[table.fileName] = File(
      grain: table.grain,
      columns: table.columns.map { Column(name: $0.name, type: $0.type.rawValue, unit: $0.unit, meaning: $0.meaning) })
    guard document != old else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try (encoder.encode(document) + Data("\n".utf8)).write(to: url, options: .atomic)
    } catch {
      throw ReportingError(writing: path, error)
    }
  }
}
