extension JUnitExport {
  /// A case for each row that was compared, and for each that was not measured again.
  static func comparisonCases(_ comparison: ComparisonDocument) -> [Case] {
    let rows = comparison.rows.map { row in
      let content =
        switch row.failure {
        case nil: output(row.sentence)
        case .regression, .improvement:
          problem("failure", row.sentence, type: row.failure?.rawValue ?? "", row.role)
        case .inconclusive: problem("error", row.sentence, type: "inconclusive", row.role)
        }
      return Case(
        text: element(row.scenario, "\(row.name) \(row.column)", content),
        isFailure: row.failure == .regression || row.failure == .improvement, isError: row.failure == .inconclusive)
    }
    return rows
      + comparison.missing.map { missing in
        Case(
          text: element(
            missing.scenario, "\(missing.name) \(missing.column)",
            problem("error", missing.sentence, type: "not measured", "")), isError: true)
      }
  }

  /// The case of the run as a whole: an error when the reason of its end is in no other case.
  static func exitCase(_ outcome: RunOutcome, isReported: Bool) -> Case {
    var reasons = outcome.reasons
    if reasons.isEmpty, outcome.exitCode != .passed, !isReported { reasons = [outcome.meaning] }
    let text = "exit code \(outcome.exitCode.rawValue): \(outcome.meaning)"
    let content =
      reasons.isEmpty
      ? output(text)
      : problem("error", reasons.joined(separator: "; "), type: outcome.exitCode.name, text)
    return Case(text: element("run", "exit code", content), isError: !reasons.isEmpty)
  }

  private static func element(_ parent: String, _ name: String, _ content: String) -> String {
    let className = parent == "run" ? "contextbench.run" : "contextbench.\(parent).comparison"
    return XMLText.element(
      "testcase", ["classname": className, "name": name, "time": "0.0"], indent: 2, content: content)
  }

  private static func problem(_ kind: String, _ message: String, type: String, _ text: String) -> String {
    XMLText.element(
      kind, ["message": message, "type": type], indent: 3, content: XMLText.escaped(text), isText: true)
  }

  private static func output(_ text: String) -> String {
    XMLText.element("system-out", [:], indent: 3, content: XMLText.escaped(text), isText: true)
  }
}
