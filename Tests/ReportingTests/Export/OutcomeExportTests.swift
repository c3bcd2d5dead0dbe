import Checking
import Foundation
import Testing

@testable import Reporting

/// Every form of a run's results has its comparison and its exit code.
struct OutcomeExportTests {
  /// A run with one exit code, for every cause of it that is not the same to the forms.
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var code: Reporting.ExitStatus
    var results: ExportedResults
    var testDescription: String { name }
  }

  /// Pairs of a strategy with a candidate that takes `factor` times as long.
  private static func pairs(_ factor: Double, count: Int = 20, head: Bool = true) -> [CellRow] {
    (0..<count).flatMap { repetition in
      ([.base] + (head ? [.head] : [])).map { (arm: Arm) in
        var row = CellRow(
          key: ExportSamples.key(2 * repetition + (arm == .head ? 1 : 0), repetition: repetition), verdict: .held)
        row.arm = arm
        row.untilDurableSeconds =
          (arm == .head ? factor : 1) * (1 + 0.001 * Double((repetition * 7 + (arm == .head ? 3 : 0)) % 10))
        return row
      }
    }
  }

  /// Results without violations, of as many cells as there are rows.
  private static func exported(_ rows: [CellRow], _ outcome: (Results) -> RunOutcome) -> ExportedResults {
    let results = Results(path: "results", manifest: ExportSamples.manifest, cells: rows)
    var plan = ExportSamples.plan
    plan.blocks = []
    return ExportedResults(
      results: results.judged, manifest: ExportSamples.manifest, plan: plan, outcome: outcome(results))
  }

  private static func compared(_ rows: [CellRow], mustShow: Double? = nil, improvements: Bool = false)
    -> ExportedResults
  {
    exported(rows) { results in
      let comparison = Comparison(pairsOf: results.cells, mustShow: mustShow) { _ in
        [ComparedMetric("until_durable_s", effectMin: 0.02)].primary("until_durable_s")
          + [ComparedMetric("objects")]
      }
      return RunOutcome(
        results.judged.cells.map(\.ending).max() ?? .passed,
        comparison: ComparisonDocument(comparison, baseline: "a|b, side by side", failsOnImprovement: improvements))
    }
  }

  private static func plain(_ code: RunEnding, _ verdict: Verdict, failures: [String] = [], isInterrupted: Bool = false)
    -> ExportedResults
  {
    var row = CellRow(key: ExportSamples.key(0), verdict: verdict)
    row.ending = code
    row.reason = code == .passed ? nil : "for a reason"
    return exported([row]) { _ in
      RunOutcome(
        failures.isEmpty ? code : .harnessFailed, isInterrupted: isInterrupted, harnessFailures: failures)
    }
  }

  static let cases: [Case] = [
    Case(name: "passed", code: .passed, results: plain(.passed, .held)),
    Case(name: "equivalent", code: .passed, results: compared(pairs(1))),
    Case(name: "better", code: .passed, results: compared(pairs(0.8))),
    Case(name: "violated", code: .violation, results: plain(.violated, .violated)),
    Case(name: "not exercised", code: .inconclusive, results: plain(.inconclusive, .notExercised)),
    Case(name: "few pairs", code: .inconclusive, results: compared(pairs(1, count: 4))),
    Case(name: "must show", code: .inconclusive, results: compared(pairs(1), mustShow: 0.0001)),
    Case(name: "worse", code: .regression, results: compared(pairs(1.2))),
    Case(name: "improved", code: .improvement, results: compared(pairs(0.8), improvements: true)),
    Case(name: "not measured", code: .baselineMissing, results: compared(pairs(1, head: false))),
    Case(
      name: "floor failed", code: .harnessFailure, results: plain(.passed, .held, failures: ["the floor <failed>"])),
    Case(name: "interrupted", code: .interrupted, results: plain(.passed, .held, isInterrupted: true)),
    Case(
      name: "not compared", code: .usage,
      results: exported(pairs(1)) { _ in
        RunOutcome(
          .passed, comparison: ComparisonDocument(baseline: "b", status: .usage, problem: "not compared with b: why"))
      }),
  ]

  @Test(arguments: cases) func theFileOfTheOutcomeIsReadBack(_ run: Case) throws {
    let folder = try TemporaryFolder()
    let outcome = try #require(run.results.outcome)
    #expect(outcome.exitCode == run.code)
    #expect(try RunOutcome(ofRun: folder.path) == nil)
    try outcome.write(in: folder.path)
    #expect(try RunOutcome(ofRun: folder.path) == outcome)
    let text = try folder.text(RunOutcome.fileName)
    #expect(text.contains("\"exit_code\" : \(run.code.rawValue),"))
  }

  @Test(arguments: cases) func jUnitFailsExactlyWhenTheRunDoes(_ run: Case) throws {
    let elements = try JUnitExportTests.read(JUnitExport.text(of: run.results))
    let failed = elements.filter { $0.name == "failure" || $0.name == "error" }
    #expect(failed.isEmpty == (run.code == .passed), "\(failed)")
    let sums = try #require(elements.first { $0.name == "testsuites" }?.attributes)
    #expect(sums["failures"] == String(elements.count { $0.name == "failure" }))
    #expect(sums["errors"] == String(elements.count { $0.name == "error" }))
    #expect(sums["tests"] == String(elements.count { $0.name == "testcase" }))
    let names = elements.filter { $0.name == "testcase" }.map { [$0.attributes["classname"], $0.attributes["name"]] }
    #expect(Set(names).count == names.count && names.contains(["contextbench.run", "exit code"]))
    let types = Set(failed.compactMap { $0.attributes["type"] })
    switch run.name {
    case "worse": #expect(types == ["regression"] && failed.allSatisfy { $0.name == "failure" })
    case "few pairs", "must show": #expect(types == ["inconclusive"] && failed.allSatisfy { $0.name == "error" })
    case "not measured": #expect(types == ["not measured"])
    case "floor failed": #expect(failed.map { $0.attributes["message"] } == ["the floor <failed>"])
    default: break
    }
  }

  @Test(arguments: cases) func sarifHasAResultForEachRowThatFails(_ run: Case) throws {
    let log = try SARIFExportTests.run(run.results)
    let invocation = try #require(log.invocations.first)
    #expect(invocation.exitCode == Int(run.code.rawValue))
    let rules = log.results.map { log.tool.driver.rules[$0.ruleIndex].id }
    #expect(rules == log.results.map(\.ruleId))
    switch run.name {
    case "worse":
      #expect(rules == ["regression"] && log.results[0].message.text.contains("slower: 1.20× (1."), "\(log.results)")
    case "few pairs", "must show": #expect(rules == ["inconclusive-comparison"])
    case "improved": #expect(rules == ["improvement"])
    case "not measured": #expect(rules == ["not-measured-again"])
    case "violated", "not exercised": #expect(rules == ["not-passed"])
    default: #expect(rules.isEmpty)
    }
    let isToldThere = ["floor failed", "interrupted", "not compared"].contains(run.name)
    #expect((invocation.toolExecutionNotifications?.isEmpty == false) == isToldThere)
    #expect(invocation.executionSuccessful == !isToldThere)
  }

  @Test(arguments: cases) func annotationsHaveAnErrorForEachFailure(_ run: Case) throws {
    let lines = try GitHubAnnotations.text(of: run.results).split(separator: "\n").map(TextExportTests.command)
    #expect(lines.isEmpty == (run.code == .passed), "\(lines)")
    #expect(lines.allSatisfy { $0.level == "error" })
    if run.name == "worse" {
      #expect(lines.map { $0.properties["title"] } == ["regression"])
      #expect(lines[0].message.hasPrefix("import, parent-child, until_durable_s: slower: 1.20×"), "\(lines[0].message)")
    }
  }

  @Test(arguments: cases) func markdownBeginsWithTheExitCode(_ run: Case) throws {
    let text = try MarkdownExport.text(of: run.results)
    #expect(text.hasPrefix("# contextbench: \(run.code.name), "))
    #expect(text.contains("\n**Exit code \(run.code.rawValue)**: "))
    let comparison = run.results.outcome?.comparison
    #expect(text.contains("## Compared with ") == (comparison != nil))
    for row in comparison?.failures ?? [] { #expect(text.contains("**\(MarkdownExport.escaped(row.verdictText))**")) }
    for table in text.split(separator: "\n\n").filter({ $0.hasPrefix("|") }) {
      let bars = table.split(separator: "\n").map { $0.replacing("\\|", with: "").count { $0 == "|" } }
      #expect(Set(bars).count == 1, "\(table)")
    }
  }

  @Test(arguments: cases) func jsonHasTheExitCodeAndEveryRow(_ run: Case) throws {
    let text = try JSONExport.text(of: run.results)
    let document = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let outcome = try #require(document["outcome"] as? [String: Any])
    #expect(outcome["exit_code"] as? Int == Int(run.code.rawValue))
    let comparison = outcome["comparison"] as? [String: Any]
    let rows = comparison?["rows"] as? [[String: Any]] ?? []
    #expect(rows.count == run.results.outcome?.comparison?.rows.count ?? 0)
    if run.name == "worse" {
      #expect(rows.map { $0["verdict"] as? String } == ["worse"] && rows[0]["p_worse"] is Double)
    }
  }

  @Test(arguments: cases) func thePageHasTheExitCodeAndTheComparison(_ run: Case) throws {
    let page = HTMLReport(
      results: run.results.results, manifest: run.results.manifest, outcome: run.results.outcome, pictures: [],
      withoutPictures: "none"
    ).text
    let texts = try HTMLReportTests.texts(of: page)
    #expect(texts.contains("exit code \(run.code.rawValue): \(run.code.name)"))
    let comparison = run.results.outcome?.comparison
    #expect(texts.contains("Compared with \(comparison?.baseline ?? "")") == (comparison != nil))
    for row in comparison?.rows ?? [] { #expect(texts.contains(row.verdictText) && texts.contains(row.ratioText)) }
    for reason in run.results.outcome?.reasons ?? [] { #expect(texts.contains(reason)) }
  }
}
