import Checking
import Foundation
import SwiftCSV
import Testing

@testable import Reporting

struct TextExportTests {
  @Test func everyFormIsNamedOnceAndFound() {
    let names = ExportFormats.all.map { $0.name }
    #expect(Set(names).count == names.count)
    for name in names { #expect(ExportFormats.named(name)?.name == name) }
    #expect(ExportFormats.named("xml") == nil)
  }

  @Test func csvHasARowAMeasureAndItsReaderAgrees() throws {
    let csv = try NamedCSV(string: CSVExport.text(of: ExportSamples.results()), delimiter: .comma)
    let durable = csv.rows.filter { $0["measure"] == "until_durable_s" }
    #expect(durable.map { $0["strategy"] } == ["parent-child", "main-only"])
    #expect(
      durable[0] == [
        "scenario": "import", "strategy": "parent-child", "options": "save_every=500", "merge_policy": "error",
        "operation": "", "measure": "until_durable_s", "unit": "s", "cells": "2", "median": "1.0", "least": "0.5",
        "greatest": "1.5",
      ])
    let save = csv.rows.first { $0["measure"] == "latency_ns_p50" }
    #expect(save?["operation"] == "import save (worker)" && save?["median"] == "2000000.0")
  }

  @Test func groupsOfOneStrategyAreDistinguishedByWhatDiffers() {
    var results = ExportSamples.results()
    #expect(CellGroup.groups(of: results).map(\.name) == ["import/parent-child", "import/main-only"])
    results.results.cells[3].key.options = "save_every=10;workers=2"
    results.results.cells[2].key.options = "save_every=500;workers=2"
    results.results.timings = []
    results.results.violations = []
    let names = CellGroup.groups(of: results).map(\.name)
    #expect(
      names == ["import/parent-child (save_every=10)", "import/parent-child (save_every=500)", "import/main-only"])
  }

  @Test func markdownHasATableAScenarioAndEveryCommand() throws {
    let text = try MarkdownExport.text(of: ExportSamples.results())
    #expect(text.hasPrefix("# contextbench: violated, 4 cells, 1 not run\n"))
    let table = text.split(separator: "\n").filter { $0.hasPrefix("|") }
    #expect(table.count == 4)
    // An escaped bar is none; every line has the columns of the first.
    let bars = table.map { $0.replacing("\\|", with: "").count { $0 == "|" } }
    #expect(Set(bars) == [9])
    #expect(text.contains("| parent-child | 1.00 s | 750 ms | 4.00× | – | 1.50 ms | 2 | held |"))
    #expect(text.contains("| main-only | 2.00 s |") && text.contains("| **violated 1/2** |"))
    #expect(text.contains("\n```sh\ncontextbench run 'a b.yml'\n```\n"))
    #expect(text.contains("**Not run:** cells 4"))
    #expect(text.contains("a \\<b\\> &amp; \"c\""))
  }

  /// A runner's way to read a command.
  static func command(_ line: Substring) throws -> (level: String, properties: [String: String], message: String) {
    let match = try #require(line.wholeMatch(of: /::([a-z]+) ([^:]*)::(.*)/))
    var properties: [String: String] = [:]
    for pair in match.2.split(separator: ",") {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      properties[parts[0]] = decoded(parts[1])
    }
    return (String(match.1), properties, decoded(String(match.3)))
  }

  private static func decoded(_ text: String) -> String {
    text.replacing("%2C", with: ",").replacing("%3A", with: ":").replacing("%0A", with: "\n").replacing(
      "%0D", with: "\r"
    )
    .replacing("%25", with: "%")
  }

  @Test func annotationsAreCommandsOfOneLine() throws {
    let lines = try GitHubAnnotations.text(of: ExportSamples.results()).split(separator: "\n")
    let commands = try lines.map(Self.command)
    #expect(commands.map(\.level) == ["error", "error", "error", "error", "warning"])
    #expect(
      commands.map { $0.properties["title"] } == [
        "lost-record", "deadlock: expected, and not seen", "overlap: not exercised", "not run", "main-thread-stall",
      ])
    #expect(commands.allSatisfy { $0.properties["file"] == "Scenarios/import, 1.yml" && $0.properties["line"] == "1" })
    #expect(commands[0].message.contains(ExportSamples.hostile))
    #expect(commands[0].message.hasSuffix("\nTo reproduce: contextbench run 'a b.yml'"))
  }

  @Test func moreAnnotationsThanAreShownSayHowMany() throws {
    var results = ExportSamples.results()
    let row = results.results.violations[0]
    results.results.violations = (0..<14).map { number in
      var row = row
      row.key.strategy = "strategy-\(number)"
      return row
    }
    let lines = try GitHubAnnotations.text(of: results).split(separator: "\n")
    #expect(lines.count == 10)
    // 14 strategies, an expected violation of one, one cell that was not exercised, one that was not run; nine are shown.
    #expect(try Self.command(lines[9]).properties["title"] == "and 8 more")
  }

  @Test func whatOnlyRanToBeComparedWithIsNotJudged() {
    var results = ExportSamples.results()
    let (count, timings) = (results.results.cells.count, results.results.timings.count)
    #expect(results.judged.results.cells.count == count)
    for index in results.results.cells.indices {
      switch results.results.cells[index].key.cell {
      // One that was measured, and one that was violated.
      case 0, 2: results.results.cells[index].arm = .base
      // One that could not be run.
      case 3:
        results.results.cells[index].arm = .base
        results.results.cells[index].ending = .harnessFailed
      default: results.results.cells[index].arm = .head
      }
    }
    let judged = results.judged
    #expect(judged.cells.map(\.key.cell) == [1, 3])
    #expect(judged.results.timings.count == timings - 1)
    #expect(judged.results.violations.map(\.key.cell) == [1])
    // They are not missing either.
    #expect(judged.missingCells == results.missingCells)
    #expect(JSONExport.hasBase && !CSVExport.hasBase && !JUnitExport.hasBase)
  }

  @Test func warmUpsAreLeftOutByThePlanAlone() throws {
    var results = ExportSamples.results()
    var warmup = try #require(results.plan.blocks.first)
    (warmup.block, warmup.repetition) = (90, -1)
    warmup.cells = [(100, Arm.base), (101, .head)].map { cell, arm in
      PlanDocument.Cell(cell: cell, strategy: "main-only", options: "", mergePolicy: "error", arm: arm)
    }
    results.plan.blocks.append(warmup)
    let found = try #require(results.results.violations.first)
    for cell in [100, 101] {
      var violation = found
      violation.key.cell = cell
      results.results.violations.append(violation)
    }
    let seen = results.judged.results.violations.map(\.key.cell)
    #expect(seen.contains(101) && !seen.contains(100))
  }
}
