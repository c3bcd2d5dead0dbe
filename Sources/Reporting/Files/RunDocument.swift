import Foundation

/// A JSON file of a results folder: keys in snake_case, dates in ISO 8601, and the version of the columns.
package protocol RunDocument: Codable {
  /// The name of its file in the results folder.
  static var fileName: String { get }
}

extension RunDocument {
  /// JSON with sorted keys and a line end.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Writes it into `directory`, whole or not at all.
  ///
  /// - Throws: `ReportingError` when the folder is missing or not writable.
  package func write(in directory: String) throws {
    let path = directory + "/" + Self.fileName
    do {
      try json().write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ReportingError(writing: path, error)
    }
  }
}
