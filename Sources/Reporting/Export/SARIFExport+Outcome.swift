extension SARIFExport {
  /// The rules of a comparison, in the order in which their results refer to them.
  static let comparisonRules: [(id: String, meaning: String)] = [
    ("regression", "A measure that decides is worse than the baseline, by more than its minimum effect."),
    ("inconclusive-comparison", "A comparison that had to be decided shows neither a difference nor its absence."),
    ("improvement", "A measure that decides is better than the baseline, and --improvements was given."),
    ("not-measured-again", "The baseline has a row that the candidate has not."),
  ]

  /// The rule of cells that did not pass for another reason than a violation.
  static let reasonRule: JSONValue = [
    "id": "not-passed",
    "shortDescription": [
      "text": "A cell did not pass: an expected violation did not happen, or a check decided nothing."
    ],
    "help": ["text": "The message says which; contextbench explain says what a kind of violation means."],
    "defaultConfiguration": ["level": "error"],
  ]

  /// The result of such a reason.
  static func result(of reason: CellReason, _ exported: ExportedResults, rule: Int) -> JSONValue {
    precondition(reason.cells > 0, "a reason is that of one cell at least")
    let names = [reason.scenario, reason.strategy, reason.title]
    return [
      "ruleId": "not-passed", "ruleIndex": .integer(rule), "level": "error",
      "message": ["text": .text(reason.sentence)],
      "locations": [
        [
          "physicalLocation": scenarioPlace(exported, reason.scenario),
          "logicalLocations": [
            ["name": .text(reason.strategy), "fullyQualifiedName": .text(names.prefix(2).joined(separator: "/"))]
          ],
        ]
      ],
      "occurrenceCount": .integer(reason.cells),
      "partialFingerprints": ["contextbench/v1": .text((names + ["not-passed"]).joined(separator: "/"))],
    ]
  }

  /// Rules as objects.
  static func rules(of comparison: ComparisonDocument?) -> [JSONValue] {
    comparison == nil
      ? []
      : comparisonRules.map { id, meaning in
        [
          "id": .text(id), "shortDescription": ["text": .text(meaning)],
          "help": ["text": "contextbench compare --help says how runs are compared."],
          "defaultConfiguration": ["level": "error"],
        ]
      }
  }

  /// A result for each row by which the comparison fails.
  ///
  /// - Parameter first: the place of the first of ``comparisonRules`` among all rules.
  static func results(
    of comparison: ComparisonDocument?, _ exported: ExportedResults, firstRule first: Int
  ) -> [JSONValue] {
    guard let comparison else { return [] }
    let rows = comparison.failures.map { row in
      let rule =
        switch row.failure {
        case .regression: 0
        case .improvement: 2
        case .inconclusive, nil: 1
        }
      return result(rule, row.sentence, row.scenario, [row.name, row.column], exported, first)
    }
    precondition(comparisonRules.map(\.id).last == "not-measured-again", "results name rules by their places")
    return rows
      + comparison.missing.map { missing in
        result(3, missing.sentence, missing.scenario, [missing.name, missing.column], exported, first)
      }
  }

  private static func result(
    _ rule: Int, _ sentence: String, _ scenario: String, _ names: [String], _ exported: ExportedResults, _ first: Int
  ) -> JSONValue {
    let names = [scenario] + names
    let id = comparisonRules[rule].id
    return [
      "ruleId": .text(id), "ruleIndex": .integer(first + rule), "level": "error", "message": ["text": .text(sentence)],
      "locations": [
        [
          "physicalLocation": scenarioPlace(exported, scenario),
          "logicalLocations": [
            ["name": .text(names.last ?? ""), "fullyQualifiedName": .text(names.joined(separator: "/"))]
          ],
        ]
      ],
      "partialFingerprints": ["contextbench/v1": .text((names + [id]).joined(separator: "/"))],
    ]
  }

  /// The invocation: its command, its exit code, and the harness failures.
  static func invocation(of exported: ExportedResults) -> JSONValue {
    let manifest = exported.manifest
    let isHarness = exported.outcome.map { !$0.reasons.isEmpty } ?? false
    var invocation: [String: JSONValue] = [
      "executionSuccessful": .flag(!isHarness && !exported.cells.contains { $0.ending == .harnessFailed }),
      "arguments": .array(manifest.arguments.map(JSONValue.text)),
      "startTimeUtc": .text(manifest.startedAt.ISO8601Format()),
    ]
    if let outcome = exported.outcome {
      invocation["exitCode"] = .integer(Int(outcome.exitCode.rawValue))
      invocation["exitCodeDescription"] = .text(outcome.meaning)
      if !outcome.reasons.isEmpty {
        invocation["toolExecutionNotifications"] = .array(
          outcome.reasons.map { ["level": "error", "message": ["text": .text($0)]] })
      }
    }
    return .object(invocation)
  }
}
