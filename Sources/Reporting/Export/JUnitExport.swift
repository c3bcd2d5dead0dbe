import Checking
import Foundation

/// JUnit XML: one test suite per scenario with one test case per cell, one suite for the comparison with a baseline, and
/// one for its exit code.
///
/// A cell that did not pass is a failure; one with checks that had nothing to check or were not made, or that was not run,
/// is an error, since a skipped test would count as green. A cell has at most one of them: readers keep only the first. Of a
/// comparison a regression is a failure, and a row that had to be decided and is inconclusive an error. The file has a
/// failure or an error exactly when the exit code is not 0. The first suite has the properties of the run.
///
/// - SeeAlso: Jenkins, xUnit plugin, `junit-10.xsd`; attributes also as Ant's task writes them.
package enum JUnitExport: ExportFormat {
  package static let name = "junit"
  package static let summary = "JUnit XML: a suite per scenario, a case per cell and per compared row"

  /// A test case, and its part of the sums.
  struct Case {
    var text: String
    var seconds = 0.0
    var isFailure = false
    var isError = false
  }

  package static func text(of results: ExportedResults) throws(ReportingError) -> String {
    var suites = ""
    var all: [Case] = []
    let scenarios = results.plan.scenarios.map(\.name)
    for (index, scenario) in scenarios.enumerated() {
      let cases =
        results.cells.filter { $0.key.scenario == scenario }.map { testCase($0, results) }
        + results.missingCells.filter { $0.block.scenario == scenario }.map(missing)
      suites += suite(index, scenario, cases, results.manifest)
      all += cases
    }
    if let outcome = results.outcome {
      if let comparison = outcome.comparison {
        let cases = comparisonCases(comparison)
        suites += suite(scenarios.count, "compared with \(comparison.baseline)", cases, results.manifest)
        all += cases
      }
      let last = exitCase(outcome, isReported: all.contains { $0.isFailure || $0.isError })
      suites += suite(scenarios.count + 1, "contextbench", [last], results.manifest)
      all.append(last)
    }
    let isGreen = all.allSatisfy { !$0.isFailure && !$0.isError }
    precondition(!isGreen || results.outcome.map { $0.exitCode == .passed } ?? true, "an exit code is shown by a case")
    let root = XMLText.element(
      "testsuites",
      [
        "name": "contextbench", "tests": "\(all.count)", "failures": "\(all.count(where: \.isFailure))",
        "errors": "\(all.count(where: \.isError))", "time": seconds(all),
      ], content: suites)
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root
  }

  private static func suite(_ index: Int, _ scenario: String, _ cases: [Case], _ manifest: Manifest) -> String {
    let properties: [(String, String?)] = [
      ("run", manifest.run), ("version", manifest.version), ("revision", manifest.revision),
      ("dirty", manifest.executable?.isDirty.map { "\($0)" }), ("sha256", manifest.executable?.sha256),
      ("kernel", manifest.machine.kernel), ("cpu", manifest.machine.cpuModel),
    ]
    precondition(cases.allSatisfy { !$0.isFailure || !$0.isError }, "of a failure and an error readers keep the first")
    // Once: they are of the whole run, and readers that join suites refuse a second value.
    let known = index > 0 ? [] : properties.compactMap { name, value in value.map { (name, $0) } }
    let lines = known.map { XMLText.element("property", ["name": $0.0, "value": $0.1], indent: 3) }.joined()
    let content =
      XMLText.element("properties", [:], indent: 2, content: lines) + cases.map(\.text).joined()
      + XMLText.element("system-out", [:], indent: 2) + XMLText.element("system-err", [:], indent: 2)
    return XMLText.element(
      "testsuite",
      [
        "id": "\(index)", "name": scenario, "package": "contextbench", "hostname": "localhost",
        "timestamp": timestamp(manifest.startedAt), "tests": "\(cases.count)",
        "failures": "\(cases.count(where: \.isFailure))", "errors": "\(cases.count(where: \.isError))", "skipped": "0",
        "time": seconds(cases),
      ], indent: 1, content: content)
  }

  private static func testCase(_ row: CellRow, _ results: ExportedResults) -> Case {
    let violations = results.results.violations.filter {
      $0.key.cell == row.key.cell && $0.key.run == row.key.run
    }
    let time = row.untilVisibleSeconds ?? row.untilDurableSeconds ?? 0
    var content = ""
    let blamed = violations.filter { !$0.isExpected && $0.violation.severity == .error }
    let others = violations.filter { $0.isExpected || $0.violation.severity == .warning }
    if row.ending != .passed {
      let kinds = blamed.map(\.violation.kind.rawValue)
      let type = row.ending == .violated ? (kinds.first ?? "expectation") : row.verdict.rawValue
      content += XMLText.element(
        row.ending == .violated ? "failure" : "error",
        ["message": row.reason ?? row.ending.rawValue, "type": row.ending == .harnessFailed ? "harness" : type],
        indent: 3, content: XMLText.escaped(blamed.map(paragraph).joined(separator: "\n")), isText: true)
    }
    if !others.isEmpty {
      content += XMLText.element(
        "system-out", [:], indent: 3, content: XMLText.escaped(others.map(paragraph).joined(separator: "\n")),
        isText: true)
    }
    return Case(
      text: element(row.key, arm: row.arm, time: time, content: content.isEmpty ? nil : content), seconds: time,
      isFailure: row.ending == .violated, isError: row.ending == .inconclusive || row.ending == .harnessFailed)
  }

  private static func missing(_ missing: PlanDocument.MissingCell) -> Case {
    let key = CellKey(
      run: "", cell: missing.cell.cell, scenario: missing.block.scenario, strategy: missing.cell.strategy,
      options: missing.cell.options, mergePolicy: missing.cell.mergePolicy, seed: missing.block.seed,
      repetition: missing.block.repetition)
    let error = XMLText.element(
      "error", ["message": "was planned and has no row: the run did not reach it", "type": "not run"], indent: 3)
    return Case(text: element(key, arm: missing.cell.arm, time: 0, content: error), isError: true)
  }

  private static func element(_ key: CellKey, arm: Arm?, time: Double, content: String?) -> String {
    let words = [key.strategy, key.options, key.mergePolicy].filter { !$0.isEmpty }.joined(separator: " ")
    return XMLText.element(
      "testcase",
      [
        "classname": "contextbench.\(key.scenario)",
        "name": "\(words) seed \(key.seed) repetition \(key.repetition)\(arm.map { " arm \($0.rawValue)" } ?? "")",
        "time": decimal(time),
      ], indent: 2, content: content)
  }

  private static func paragraph(_ row: ViolationRow) -> String {
    let violation = row.violation
    let state = violation.severity == .warning ? "warning" : row.isExpected ? "expected" : "violation"
    return "\(state): \(violation.kind.rawValue): \(violation.subject): expected \(violation.expected); "
      + "\(violation.seen) (\(violation.count) times)\n  \(row.replay)"
  }

  private static func seconds(_ cases: [Case]) -> String { decimal(cases.reduce(0) { $0 + $1.seconds }) }

  /// Without an exponent, which readers do not take.
  private static func decimal(_ seconds: Double) -> String {
    let text = String(format: "%.9f", seconds)
    let short = text.reversed().drop { $0 == "0" }
    return String(short.reversed()) + (short.first == "." ? "0" : "")
  }

  /// Without a zone, in UTC, as Ant's schema asks.
  private static func timestamp(_ date: Date) -> String { String(date.ISO8601Format().prefix(19)) }
}
