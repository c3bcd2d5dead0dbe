import Checking
import Reporting
import Testing

@testable import Runs

struct SelftestReportTests {
  private func row(_ kind: ViolationKind, caught: Int = 3, alarms: Int = 0, of seeds: Int = 3) -> DetectionRow {
    DetectionRow(
      run: "r", kind: kind.rawValue, proof: .hazard, name: "a", seeds: seeds, caught: caught, secondsToFirst: 0.5,
      carefulSeeds: seeds, falseAlarms: alarms)
  }

  @Test func aKindWithoutAProofFailsIt() {
    var report = SelftestReport(folder: "results")
    report.add([row(.deadlock)], problems: [])
    #expect(report.ending == .passed)
    report.close(requiring: [.hang, .deadlock], run: "r")
    #expect(report.ending == .violated)
    #expect(report.rows.map(\.kind) == ["deadlock", "hang"])
    #expect(report.problems == ["hang has no proof: no hazard file must show it, and no stand-in is of it"])
    #expect(report.text(colour: false).contains("1 of 2 kinds caught in every seed"))
  }

  @Test func whatIsMissedOrAlarmsFailsIt() {
    for bad in [row(.deadlock, caught: 2), row(.deadlock, alarms: 1)] {
      var report = SelftestReport(folder: "results")
      report.add([bad], problems: [])
      #expect(report.ending == .violated)
    }
  }

  @Test func theTableIsInTheOrderOfTheKindsAndTheFolderIsTheLastLine() {
    var report = SelftestReport(folder: "results")
    report.add([row(.staleRead), row(.contextOffQueue)], problems: [])
    report.close(requiring: [], run: "r")
    let lines = report.text(colour: false).split(separator: "\n").map(String.init)
    #expect(lines[2].hasPrefix("context-off-queue  hazard  a   3 of 3       500 ms        0 of 3"))
    #expect(lines[3].hasPrefix("stale-read"))
    #expect(lines.last == "results")
  }

  @Test(arguments: [80, 120, 200]) func theTableFitsATerminal(width: Int) {
    var report = SelftestReport(folder: "results")
    var long = row(.crossContextRelationship, caught: 20, alarms: 20, of: 20)
    (long.name, long.secondsToFirst) = ("cross-context-relationship-of-two", 0.123)
    report.add([long, row(.deadlock)], problems: [])
    let table = report.text(colour: false, width: width).split(separator: "\n").prefix { !$0.contains("kinds caught") }
    #expect(table.allSatisfy { $0.count <= width }, "\(table.joined(separator: "\n"))")
    let first = table.dropFirst(2).first ?? ""
    #expect(first.hasPrefix("cross-context-relationship ") && first.hasSuffix(" 20 of 20"), "\(first)")
    #expect(width < 120 || (first.contains(long.name) && first.contains("  123 ms  ")), "\(first)")
  }
}
