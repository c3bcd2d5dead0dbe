import Checking
import Foundation
import SwiftCSV
import Testing

@testable import Reporting

struct CSVWriterTests {
  @Test func aRowIsInTheFileWhenAppendReturns() throws {
    let folder = try TemporaryFolder()
    let writer = try CSVWriter(.cells, in: folder.path)
    #expect(try folder.text("cells.csv") == Table<CellRow>.cells.header)
    for cell in 0..<5 {
      try writer.append(CellRow(key: Samples.key(cell: cell), verdict: .held))
      let csv = try NamedCSV(string: folder.text("cells.csv"), delimiter: .comma)
      #expect(csv.rows.map { $0["cell"] } == (0...cell).map { "\($0)" })
    }
  }

  @Test func severalRowsAreWrittenTogether() throws {
    let folder = try TemporaryFolder()
    let writer = try CSVWriter(.violations, in: folder.path)
    let rows = (0..<3).map {
      ViolationRow(
        key: Samples.key(cell: $0), violation: Samples.violation(subject: "a \"b\",\nc", seen: "노트, \($0)"),
        isExpected: false, replay: "x")
    }
    try writer.append(rows)
    try writer.append([])
    let csv = try NamedCSV(string: folder.text("violations.csv"), delimiter: .comma)
    #expect(csv.rows.map { $0["seen"] } == ["노트, 0", "노트, 1", "노트, 2"])
    #expect(csv.rows.allSatisfy { $0["subject"] == "a \"b\",\nc" && $0["expected"] == "no" })
  }

  @Test func aFileIsContinuedWithoutASecondHeader() throws {
    let folder = try TemporaryFolder()
    for cell in 0..<2 {
      try CSVWriter(.cells, in: folder.path).append(CellRow(key: Samples.key(cell: cell), verdict: .held))
    }
    let csv = try NamedCSV(string: folder.text("cells.csv"), delimiter: .comma)
    #expect(csv.rows.map { $0["cell"] } == ["0", "1"])
  }

  @Test(arguments: ["run,cell\n1,2\n", "x"])
  func aFileWithOtherColumnsIsLeftAlone(text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "cells.csv")
    let error = #expect(throws: ReportingError.self) { try CSVWriter(.cells, in: folder.path) }
    #expect(error?.description.contains("cells.csv: its columns are not those") == true)
    #expect(try folder.text("cells.csv") == text)
  }

  @Test func aMissingFolderIsNamedWithARemedy() throws {
    let error = #expect(throws: ReportingError.self) { try CSVWriter(.cells, in: "/no/such/folder") }
    #expect(error?.path == "/no/such/folder/cells.csv")
    #expect(error?.cause.contains("No such file or directory") == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test func adviceFitsWhyAFileCannotBeWritten() throws {
    let error = #expect(throws: ReportingError.self) {
      try CSVWriter(.cells, in: "/tmp/" + String(repeating: "x", count: 300))
    }
    #expect(error?.cause == "cannot be written: File name too long")
    #expect(error?.remedy == "Choose a shorter path")
  }

  @Test func aFullDiskIsAnError() throws {
    let file = try AppendOnlyFile(path: "/dev/full")
    let error = #expect(throws: ReportingError.self) { try file.append("x\n") }
    #expect(error?.cause.contains("No space left") == true)
  }

  @Test func theColumnsOfEachFileAreDescribedBesideIt() throws {
    let folder = try TemporaryFolder()
    _ = try CSVWriter(.cells, in: folder.path)
    _ = try CSVWriter(.violations, in: folder.path)
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + ColumnsDocument.fileName))
    let document = try JSONDecoder().decode(ColumnsDocument.self, from: data)
    #expect(
      document.schemaVersion == CellKey.schemaVersion && Set(document.files.keys) == ["cells.csv", "violations.csv"])
    let cells = try #require(document.files["cells.csv"])
    #expect(cells.columns.map(\.name) == Table<CellRow>.cells.columns.map(\.name))
    #expect(cells.grain == Table<CellRow>.cells.grain)
    let floor = try #require(cells.columns.first { $0.name == "floor_s" })
    #expect(floor.type == "number" && floor.unit == "s" && !floor.meaning.isEmpty)
  }
}
