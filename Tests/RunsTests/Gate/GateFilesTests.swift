import Boundary
import Foundation
import Reporting
import Testing

@testable import Runs

struct GateFilesTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  @Test func aListHasKeysBehindItsScenariosAndMayHaveComments() {
    let list = GateList(text: "# first\nimport notes=4 importers=2 # small\n\n  mine.yml  \n")
    #expect(list.lines == [GateList.Line("import", ["notes=4", "importers=2"]), GateList.Line("mine.yml")])
    #expect(GateList(text: list.text) == list)
  }

  @Test func aBaselineIsReadAsItWasWritten() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cell = GateBaseline.Cell(objects: 3, costs: [.sqliteSteps: 7], instructions: 9)
    let baseline = GateBaseline(surroundings: .current(nil), cells: ["import main-only": cell], seconds: 2.5)
    try baseline.write(in: folder)
    #expect(try GateBaseline.read(in: folder) == baseline)
    let text = try String(contentsOfFile: folder + "/baseline.json", encoding: .utf8)
    #expect(text.contains("\n        \"SQLite steps\" : 7\n"))
  }

  @Test(arguments: ["", "{}", "[1]", #"{"cells":{},"seconds":1,"version":0}"#])
  func aDamagedBaselineIsRefused(text: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(throws: ReportingError.self) { try GateBaseline.read(in: folder) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/baseline.json"))
    #expect(throws: ReportingError.self) { try GateBaseline.read(in: folder) }
  }

  @Test func functionsAreReadAsTheyWereWrittenAndThoseOfAnotherFormAreNone() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let functions = GateFunctions(hasInlined: false, cells: ["import main-only": ["SaveMerge.run": 7]])
    try functions.write(in: folder)
    #expect(GateFunctions.read(in: folder) == functions)
    try Data(#"{"cells":{"import main-only":{"$s8CoreData9SaveMergeV3runyyF":7}}}"#.utf8)
      .write(to: URL(fileURLWithPath: folder + "/functions.json"))
    #expect(GateFunctions.read(in: folder).cells.isEmpty)
  }
}
