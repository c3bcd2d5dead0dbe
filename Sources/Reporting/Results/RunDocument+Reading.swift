import Checking
import Foundation

/// The version, before the rest is read.
private struct Version: Decodable { var schemaVersion: Int }

extension RunDocument {
  /// Reads the file of a results folder.
  ///
  /// - Throws: `ReportingError` when it is not there, is damaged or was written in another version.
  package init(readingFrom directory: String) throws(ReportingError) {
    let path = directory + "/" + Self.fileName
    guard let data = FileManager.default.contents(atPath: path) else {
      let isThere = FileManager.default.fileExists(atPath: path)
      throw ReportingError(
        path: path, cause: isThere ? "cannot be read" : "is not there",
        remedy: isThere
          ? "Make it a file that you may read"
          : "Name a results folder of contextbench: the last line that a run prints")
    }
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    do {
      let version = try decoder.decode(Version.self, from: data).schemaVersion
      guard version == CellKey.schemaVersion else {
        let problem = FieldProblem.version(String(version))
        throw ReportingError(path: path, column: "schema_version", cause: problem.what, remedy: problem.remedy)
      }
      self = try decoder.decode(Self.self, from: data)
    } catch let error as ReportingError {
      throw error
    } catch {
      throw ReportingError(
        path: path, cause: "is damaged: \(ReportingError.withoutStop(Self.reason(error)))",
        remedy: FieldProblem("").remedy)
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context: DecodingError.Context
    switch error {
    case .keyNotFound(let key, let found):
      return "\((found.codingPath + [key]).map(\.stringValue).joined(separator: ".")) is missing"
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found): context = found
    @unknown default: return "\(error)"
    }
    let place = context.codingPath.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? context.debugDescription : "\(place): \(context.debugDescription)"
  }
}
