import Foundation

/// Everything of a run in one JSON document: manifest, plan, outcome, conclusions, and the rows of the three CSV files as objects.
///
/// Numbers are numbers; what was not measured is null. Of a run that was killed there is no outcome.
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
}
