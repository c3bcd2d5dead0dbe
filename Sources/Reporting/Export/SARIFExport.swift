import Checking
import Foundation

/// SARIF 2.1.0: one rule per kind of violation, one result per row of `violations.csv` and per row by which a comparison
/// fails, one thread flow per queue.
///
/// A result's place is its scenario's file. An expected violation is a suppressed note. The thread
/// flows are the waits of a deadlock's cycle, the entries of a lock order's, or the kept history of the rows
/// in question around the violation's first step.
///
/// - SeeAlso: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
package enum SARIFExport: ExportFormat {
  package static let name = "sarif"
  package static let summary = "SARIF 2.1.0: a result per violation, a thread flow per queue"

  /// Results with histories that are read; more make a file that no viewer shows.
  static let flowsMax = 500

  /// Replaces the results folder in paths.
  static let folderBase = "RESULTS"

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    let kinds = ViolationKind.allCases.filter { kind in
      results.results.violations.contains { $0.violation.kind == kind }
    }
    let found = results.results.violations.enumerated().map { index, row in
      result(row, kinds, results, hasFlows: index < flowsMax)
    }
    let manifest = results.manifest
    let comparison = results.outcome?.comparison
    let reasons = CellReason.all(results.cells, results.results.violations)
    let rules = kinds.map(rule) + (reasons.isEmpty ? [] : [reasonRule]) + rules(of: comparison)
    precondition(
      comparison == nil || rules.count == kinds.count + (reasons.isEmpty ? 0 : 1) + comparisonRules.count,
      "each result finds its rule by its place")
    let run: JSONValue = [
      "tool": [
        "driver": [
          "name": "contextbench", "version": .text(manifest.version),
          "rules": .array(rules),
        ]
      ],
      "automationDetails": ["id": .text("contextbench/\(manifest.run)")],
      "invocations": [invocation(of: results)],
      "originalUriBaseIds": .object([folderBase: ["description": ["text": "The results folder of the run."]]]),
      "results": .array(
        found + reasons.map { Self.result(of: $0, results, rule: kinds.count) }
          + Self.results(of: comparison, results, firstRule: kinds.count + (reasons.isEmpty ? 0 : 1))),
    ]
    return try JSONValue.document(
      [
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": .array([run]),
      ] as JSONValue, path: results.results.path)
  }

  private static func rule(_ kind: ViolationKind) -> JSONValue {
    [
      "id": .text(kind.rawValue), "shortDescription": ["text": .text(kind.meaning)],
      "help": ["text": .text("contextbench explain \(kind.rawValue) says where it comes from and what to do.")],
      "defaultConfiguration": ["level": "error"],
    ]
  }

  private static func result(
    _ row: ViolationRow, _ kinds: [ViolationKind], _ results: ExportedResults, hasFlows: Bool
  ) -> JSONValue {
    let violation = row.violation
    let key = row.key
    guard let rule = kinds.firstIndex(of: violation.kind) else { preconditionFailure("a kind that is seen has a rule") }
    let place = scenarioPlace(results, key.scenario)
    let names = [key.scenario, key.strategy, key.options, key.mergePolicy].filter { !$0.isEmpty }
    var result: [String: JSONValue] = [
      "ruleId": .text(violation.kind.rawValue),
      "ruleIndex": .integer(rule),
      "level": row.isExpected ? "note" : violation.severity == .warning ? "warning" : "error",
      "message": [
        "text": .text(
          "\(key.strategy): \(violation.subject): expected \(violation.expected); \(violation.seen)\n"
            + "To reproduce: \(row.replay)")
      ],
      "locations": [
        [
          "physicalLocation": place,
          "logicalLocations": [
            ["name": .text("cell \(key.cell)"), "fullyQualifiedName": .text(names.joined(separator: "/"))]
          ],
        ]
      ],
      "occurrenceCount": .integer(max(1, violation.count)),
      "partialFingerprints": [
        "contextbench/v1": .text((names + [violation.kind.rawValue, violation.subject]).joined(separator: "/"))
      ],
      "properties": [
        "run": .text(key.run), "cell": .integer(key.cell), "seed": .unsigned(key.seed),
        "repetition": .integer(key.repetition), "firstStep": violation.firstStep.map(JSONValue.integer) ?? .null,
        "replay": .text(row.replay),
      ],
    ]
    if row.isExpected {
      result["suppressions"] = [["kind": "external", "justification": "the scenario expects it"]]
    }
    let flows = hasFlows ? threadFlows(row, place, folder: results.results.path) : []
    if !flows.isEmpty { result["codeFlows"] = [["threadFlows": .array(flows)]] }
    return .object(result)
  }

  static func scenarioPlace(_ results: ExportedResults, _ scenario: String) -> JSONValue {
    let path = results.place(ofScenario: scenario) ?? results.path(ofScenario: scenario)
    return ["artifactLocation": ["uri": .text(reference(path))], "region": ["startLine": 1]]
  }

  /// A path as a URI reference: relative as it was given, or a file URI.
  static func reference(_ path: String) -> String {
    if path.hasPrefix("/") { return URL(fileURLWithPath: path).absoluteString }
    let allowed = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
    return path.addingPercentEncoding(withAllowedCharacters: allowed) ?? path
  }

  private static func threadFlows(_ row: ViolationRow, _ place: JSONValue, folder: String) -> [JSONValue] {
    let violation = row.violation
    switch violation.kind {
    case .deadlock, .lockOrder:
      return WaitLink.links(in: violation.seen).map { link in
        ["id": .text(link.queue), "locations": [["location": location(link.text, place), "importance": "essential"]]]
      }
    default:
      guard let step = violation.firstStep, let history = KeptHistory(of: row.key, in: folder),
        let excerpt = HistoryExcerpt(history, step: step)
      else { return [] }
      let path = KeptHistory.path(row.key, in: folder)
      return excerpt.queues.map { queue in
        let locations = excerpt.steps.enumerated().filter { $0.element.queue == queue }.map { order, step in
          let place: JSONValue = [
            "artifactLocation": ["uri": .text(path), "uriBaseId": .text(folderBase)],
            "region": ["startLine": .integer(step.line)],
          ]
          return [
            "location": location(step.text, place), "executionOrder": .integer(order),
            "importance": step.index == excerpt.index ? "essential" : "important",
          ] as JSONValue
        }
        return ["id": .text(queue), "locations": .array(locations)]
      }
    }
  }

  private static func location(_ text: String, _ place: JSONValue) -> JSONValue {
    ["message": ["text": .text(text)], "physicalLocation": place]
  }
}
