import Checking
import Foundation

/// A whole run in one JSON document: manifest, plan, outcome, conclusions, and the rows of the three CSV files as objects.
///
/// Numbers are numbers; a value that was not measured is null. Of a run that was killed there is no outcome.
package enum JSONExport: ExportFormat {
  package static let name = "json"
  package static let summary = "manifest, plan, exit code, comparison and all rows in one document"
  package static let hasBase = true

  private struct Document: Encodable {
    let schemaVersion = CellKey.schemaVersion
    let manifest: Manifest
    let plan: PlanDocument
    let outcome: RunOutcome?
    let conclusions: [Conclusion]
    let cells: [[String: JSONValue]]
    let timings: [[String: JSONValue]]
    let violations: [[String: JSONValue]]
  }

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let document = Document(
      manifest: results.manifest, plan: results.plan, outcome: results.outcome, conclusions: results.conclusions,
      cells: objects(.cells, results.cells),
      timings: objects(.timings, results.results.timings), violations: objects(.violations, results.results.violations))
    do {
      return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    } catch {
      throw ReportingError(
        path: results.results.path, cause: "cannot be encoded as JSON: \(error)",
        remedy: "Report this as a fault of contextbench")
    }
  }

  private static func objects<Row>(_ table: Table<Row>, _ rows: [Row]) -> [[String: JSONValue]] {
    rows.map { row in
      Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, JSONValue($0.value(row))) })
    }
  }

  /// A row of `cells.csv` as an object on one line.
  package static func line(of row: CellRow) -> String {
    line(JSONValue.object(objects(.cells, [row])[0]))
  }

  /// How a run ended, as an object on one line.
  package static func line(of outcome: RunOutcome, folder: String) -> String {
    line(
      [
        "exit_code": .integer(Int(outcome.exitCode.rawValue)), "meaning": .text(outcome.meaning),
        "folder": .text(folder),
      ] as JSONValue)
  }

  private static func line(_ value: JSONValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Numbers are finite and texts are Unicode: there is nothing that cannot be encoded.
    guard let data = try? encoder.encode(value) else { preconditionFailure("a row can be encoded as JSON") }
    return String(decoding: data, as: UTF8.self)
  }
}
