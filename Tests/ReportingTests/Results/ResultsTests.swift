import Checking
import Foundation
import Measuring
import Testing

@testable import Reporting

struct ResultsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try ManifestTests.manifest.write(in: folder.path)
    try CSVWriter(.cells, in: folder.path).append([Self.full, CellRow(key: Samples.key(cell: 4), verdict: .unknown)])
    try CSVWriter(.timings, in: folder.path).append(Self.timings)
    try CSVWriter(.violations, in: folder.path).append(Self.violations)
  }

  private static var full: CellRow {
    var row = CellRow(key: Samples.key(), verdict: .notExercised)
    row.objects = 1
    row.untilDurableSeconds = 0.1 + 0.2
    row.floorSeconds = 1.0 / 3
    row.mainThread = MainThreadTime(total: 5)
    row.stalls = StallSummary(ticks: 9, late: 2, lateness: LatencySummary(count: 0, latencyNanosecondsMax: 14))
    row.processor = ProcessorUsage()
    row.processor?.totalSeconds = 1e-9
    row.allocatedBytes = 16
    return row
  }

  private static let timings = [
    TimingRow(
      key: Samples.key(), phase: "import", operation: "save, \"all\"", role: "worker",
      summary: LatencySummary(count: 3, failed: 1, ratePerSecond: 0.1, latencyNanosecondsP50: 7))
  ]

  private static let violations = [
    ViolationRow(
      key: Samples.key(), violation: Samples.violation(seen: "two\nlines"), isExpected: true, replay: "contextbench")
  ]

  @Test func everyRowIsReadAsItWasWritten() throws {
    let results = try Results(readingFrom: folder.path)
    #expect(results.cells == [Self.full, CellRow(key: Samples.key(cell: 4), verdict: .unknown)])
    #expect(results.timings == Self.timings)
    #expect(results.violations == Self.violations)
    #expect(results.manifest?.run == "20260102-030405-00ff")
  }

  /// Whatever is declared later, reading and writing agree: filled fields come back as the same text.
  @Test func everyColumnComesBack() throws {
    try roundTrip(.cells)
    try roundTrip(.timings)
    try roundTrip(.violations)
    try roundTrip(.detections)
  }

  private func roundTrip<Row>(_ table: Table<Row>) throws {
    var row = table.empty()
    for (number, column) in table.columns.enumerated() {
      guard case .stored(let take) = column.reading, column.name != "schema_version" else { continue }
      for text in ["held", "crash", "warning", "injected fault", "yes", "\(number + 1)"] {
        if (try? take(text, &row)) != nil, column.value(row)?.csvText?.isEmpty == false { break }
      }
    }
    let folder = try TemporaryFolder()
    try folder.write(table.header + table.line(row), to: table.fileName)
    let read = try #require(try table.read(folder.path + "/" + table.fileName).first)
    #expect(table.line(read) == table.line(row))
    #expect(!table.columns.contains { $0.value(read) == nil && $0.unit != nil && $0.name != "floor_ratio" })
  }

  @Test func aFileOfCellsIsReadAlone() throws {
    let results = try Results(readingFrom: folder.path + "/cells.csv")
    #expect(results.cells.count == 2)
    #expect(results.manifest == nil)
  }

  @Test func theOrderOfColumnsDoesNotMatter() throws {
    let lines = try folder.text("cells.csv").split(separator: "\n")
    let turned = lines.map {
      $0.split(separator: ",", omittingEmptySubsequences: false).reversed().joined(separator: ",")
    }
    try folder.write(turned.joined(separator: "\n") + "\n", to: "cells.csv")
    #expect(try Results(readingFrom: folder.path).cells.first == Self.full)
  }

  @Test func anotherVersionIsReportedBeforeItsColumns() throws {
    try folder.write("schema_version,run,later\n99,x,1\n", to: "cells.csv")
    try expect("cells.csv:2: schema_version: is 99, and this contextbench reads version \(CellKey.schemaVersion).")
    try ManifestTests.manifest.write(in: folder.path)
    let text = try folder.text("manifest.json")
    let current = "\"schema_version\" : \(CellKey.schemaVersion)"
    try folder.write(text.replacingOccurrences(of: current, with: "\"schema_version\" : 99"), to: "manifest.json")
    try expect("manifest.json: schema_version: is 99")
  }

  @Test func aColumnThatWasAddedLaterMayBeMissing() throws {
    let lines = try folder.text("cells.csv").split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let kept = lines[0].indices.filter { !lines[0][$0].hasPrefix("instructions") }
    #expect(kept.count == lines[0].count - 2)
    try folder.write(
      lines.map { line in kept.map { line[$0] }.joined(separator: ",") + "\n" }.joined(), to: "cells.csv")
    let cells = try Results(readingFrom: folder.path).cells
    #expect(cells.count == lines.count - 1 && cells.allSatisfy { $0.instructions == nil })
  }

  @Test func unknownAndMissingColumnsAreNamed() throws {
    let text = try folder.text("cells.csv").replacingOccurrences(of: ",cpu_s,", with: ",cpu_days,")
    try folder.write(text, to: "cells.csv")
    try expect("cells.csv:1: has columns that are not known: cpu_days; lacks columns: cpu_s.")
  }

  @Test(
    arguments: [
      ("\"batch=500;workers=4\"", "batch=500;workers=4", nil),
      (",error,", ",\"error,", "cells.csv:2: opens a quote that is never closed"),
      (",not exercised", ",fine", "cells.csv:2: verdict: fine is not among its values"),
      (",9223372036854775807,", ",seven,", "cells.csv:2: seed: seven is not a whole number from 0"),
      (",3,import", ",,import", "cells.csv:2: cell: is empty, and needs a whole number"),
      ("0.30000000000000004", "nan", "cells.csv:2: until_durable_s: nan is not a finite number"),
      ("0.30000000000000004", "0.31", "cells.csv:2: floor_ratio: 0.9000000000000001 does not follow"),
    ] as [(String, String, String?)])
  func damageIsReportedWithItsPlace(old: String, new: String, message: String?) throws {
    let text = try folder.text("cells.csv")
    guard let range = text.range(of: old) else {
      #expect(message == nil, "\(old) is not in \(text)")
      return
    }
    try folder.write(text.replacingCharacters(in: range, with: new), to: "cells.csv")
    try expect(try #require(message))
  }

  @Test(arguments: ["cells.csv", "manifest.json"]) func whatExistsAndCannotBeReadIsDistinguished(name: String) throws {
    try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
    try expect(name + ": cannot be read. Make it a file that you may read")
  }

  @Test func aFileThatIsMissingIsNamed() throws {
    for name in ["violations.csv", "timings.csv", "cells.csv"] {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
      try expect(name + ": is not there")
    }
    let error = #expect(throws: ReportingError.self) { try Results(readingFrom: "/no/such/folder") }
    #expect(error?.description.contains("/no/such/folder: is not there. Name a results folder") == true)
  }

  @Test(arguments: [
    ("{", "manifest.json: is damaged: The given data was not valid JSON. Take the file"),
    ("{\"schema_version\": 1}", "manifest.json: is damaged: "),
  ])
  func aDamagedManifestIsReported(text: String, message: String) throws {
    try folder.write(
      text.replacingOccurrences(of: ": 1", with: ": \(CellKey.schemaVersion)"), to: "manifest.json")
    try expect(message)
  }

  @Test func aCellTwiceIsReported() throws {
    try CSVWriter(.cells, in: folder.path).append(Self.full)
    try expect("cells.csv: has cell 3 of run 20260102-030405-00ff twice")
  }

  private func expect(_ message: String) throws {
    let error = #expect(throws: ReportingError.self) { try Results(readingFrom: folder.path) }
    let description = try #require(error?.description)
    #expect(description.contains(message), "\(description)")
    #expect(error?.remedy.isEmpty == false)
  }
}
