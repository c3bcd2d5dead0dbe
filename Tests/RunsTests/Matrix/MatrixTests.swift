import Cells
import Checking
import Reporting
import ScenarioSamples
import Scenarios
import Testing

@testable import Runs

struct MatrixTests {
  private static let lost = CheckResult(
    name: "lost-record", exercised: 1,
    violations: [Violation(kind: .lostRecord, subject: "Note", expected: "there", seen: "gone")])

  /// A matrix of one cell a strategy and policy that shows these results.
  private func matrix(_ results: (_ strategy: String, _ policy: String) -> [CheckResult]) throws -> Matrix {
    var matrix = Matrix(strategies: ["parent-child", "main-only"], mergePolicies: ["error", "overwrite"])
    for policy in ["error", "overwrite"] {
      let scenario = try readScenario(minimal, set: ["repetitions=1", "merge_policy=\(policy)"])
      for cell in Plan([scenario]).cells {
        let outcome = CellOutcome(
          end: .finished, results: results(cell.variant.strategy, policy), required: [],
          expectation: ScenarioExpectation())
        let row = CellRow(key: cell.key(run: "r"), verdict: outcome.verdict)
        matrix.add(
          CellRecord(cell: cell, row: row, outcome: outcome, seconds: 1),
          replay: "contextbench run test --strategy \(cell.variant.strategy) --set merge_policy=\(policy)")
      }
    }
    return matrix
  }

  @Test func aSignIsWhatWasSeenOverAllPolicies() throws {
    let held = CheckResult(name: "lost-record", exercised: 1)
    let matrix = try matrix { strategy, policy in
      strategy == "main-only" ? [held] : [policy == "overwrite" ? Self.lost : held]
    }
    #expect(matrix.summary("main-only", .lostRecord) == "✓")
    #expect(matrix.summary("parent-child", .lostRecord) == "✗ overwrite")
    #expect(matrix.summary("parent-child", .deadlock) == "–")
    #expect(try self.matrix { _, _ in [Self.lost] }.summary("main-only", .lostRecord) == "✗")
    // What the harness itself sees is exercised by every process that ends.
    #expect(matrix.summary("main-only", .hang) == "✓")
  }

  @Test func whatHadNothingToCheckIsNotClean() throws {
    let matrix = try matrix { _, policy in
      [CheckResult(name: "lost-record", exercised: policy == "error" ? 1 : 0)]
    }
    #expect(matrix.entry("main-only", "overwrite", .lostRecord).sign == "–")
    #expect(matrix.summary("main-only", .lostRecord) == "✓")
    let unknown = try self.matrix { _, _ in [CheckResult(name: "lost-record", unknown: "damaged")] }
    #expect(unknown.summary("main-only", .lostRecord) == "–")
  }

  @Test func aWarningIsNoViolation() throws {
    var warning = Self.lost
    warning.violations[0].severity = .warning
    #expect(try matrix { _, _ in [warning] }.summary("main-only", .lostRecord) == "✓")
  }

  @Test func whatIsTimedIsLeftOut() throws {
    let matrix = try matrix { _, _ in
      [
        CheckResult(
          name: "main-thread-stall", exercised: 1,
          violations: [Violation(kind: .mainThreadStall, subject: "main", expected: "short", seen: "long")])
      ]
    }
    #expect(!matrix.entries.contains { $0.place.kind == .mainThreadStall })
  }

  @Test func theMarkdownHasARowAKindAndAWitness() throws {
    let text = try matrix { strategy, _ in strategy == "main-only" ? [] : [Self.lost] }.markdown()
    #expect(text.contains("| kind | parent-child | main-only |\n|---|:-:|:-:|\n"))
    #expect(text.contains("| `lost-record` | ✗ | – |\n"))
    #expect(
      text.contains("lost-record: contextbench run test --strategy parent-child --set merge_policy=error\n"))
    #expect(text.contains("Not exercised by these files: context-off-queue, "))
  }

  @Test func theCSVHasARowAKindStrategyAndPolicy() throws {
    let matrix = try matrix { _, _ in [Self.lost] }
    #expect(matrix.entries.count == Matrix.kinds.count * 4)
    let lines = matrix.entries.map { Table.matrix.line(MatrixRow($0)) }
    #expect(
      lines.contains(
        "2,lost-record,main-only,error,violated,test,1,"
          + "contextbench run test --strategy main-only --set merge_policy=error\n"))
    #expect(lines.contains("2,deadlock,main-only,error,not exercised,,,\n"))
  }

  @Test func aSectionIsFoundAndReplacedBetweenItsMarks() throws {
    let section = MarkedSection("matrix")
    let text = "before\n" + section.marks + "\nafter\n"
    #expect(section.content(of: text) == "")
    let filled = try #require(section.replacing(in: text, with: "| a |\n"))
    #expect(section.content(of: filled) == "| a |\n")
    #expect(filled.hasPrefix("before\n") && filled.hasSuffix("\nafter\n"))
    #expect(section.content(of: "nothing") == nil)
    #expect(section.replacing(in: "<!-- end of matrix -->", with: "") == nil)
  }
}
