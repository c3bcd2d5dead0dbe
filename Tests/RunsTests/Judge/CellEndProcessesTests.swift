import Boundary
import Checking
import Foundation
import Reporting
import Scenarios
import Testing

@testable import Runs

@Suite struct CellEndProcessesTests {
  private func request(_ folder: String, processes: Int) -> CellRequest {
    CellRequest(
      key: CellKey(
        run: "test", cell: 0, scenario: "soak", strategy: "main-only", options: "", mergePolicy: "error", seed: 1,
        repetition: 0),
      workload: "soak", settings: ScenarioSettings(["processes": String(processes)]), directory: folder)
  }

  private func end(
    _ end: ChildProcess.End, in folder: String = "/nonexistent", broken: BrokenProcess? = nil, processes: Int = 3
  ) -> CellEnd {
    var measurement = CellMeasurement()
    measurement.brokenProcess = broken
    return CellEnd(
      end, of: request(folder, processes: processes), measurement, timeoutSeconds: 2, output: "", kept: "histories/0",
      executable: "")
  }

  private func subject(_ end: CellEnd) -> String? {
    switch end {
    case .broken(let violation), .killedFromOutside(let violation): violation.subject
    case .finished, .failed, .interrupted, .starved: nil
    }
  }

  @Test func theProcessThatDiedIsNamed() {
    #expect(subject(end(.signaled(SIGSEGV))) == "process 1 of 3")
    let second = BrokenProcess(name: "process 2 of 3", signal: SIGSEGV, status: 0)
    #expect(subject(end(.exited(0), broken: second)) == "process 2 of 3")
    let killed = BrokenProcess(name: "process 3 of 3", signal: SIGKILL, status: 0)
    #expect(subject(end(.exited(0), broken: killed)) == "process 3 of 3, from outside")
    let early = BrokenProcess(name: "process 3 of 3", signal: 0, status: 4)
    #expect(subject(end(.exited(0), broken: early)) == "process 3 of 3")
    let failed = BrokenProcess(name: "process 3 of 3", signal: 0, status: 70)
    #expect(end(.exited(0), broken: failed) == .failed("no message"))
  }

  @Test func aCellThatEndsWellHasFinished() { #expect(end(.exited(0)) == .finished) }

  @Test func theOnlyProcessHasNoNumber() { #expect(subject(end(.signaled(SIGSEGV), processes: 1)) == "process") }

  @Test func aHangNamesThoseThatCameToTheFewestMeetings() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (index, meetings) in [3, 2, 3].enumerated() {
      let own = CellRequest.directory(of: index, in: folder)
      try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
      try MeetingLog.write(meetings, in: own)
    }
    #expect(subject(end(.timedOut, in: folder)) == "process 2 of 3")
    let result = CellRequest.directory(of: 1, in: folder) + "/" + CellMeasurement.fileName
    func leaveResult(isComplete: Bool) throws {
      var measurement = CellMeasurement()
      measurement.isComplete = isComplete
      try JSONEncoder().encode(measurement).write(to: URL(fileURLWithPath: result))
    }
    // It saw another end, as all do when the cell is ended at its limit.
    try leaveResult(isComplete: false)
    #expect(subject(end(.timedOut, in: folder)) == "process 2 of 3")
    // A process that has ended does not hang.
    try leaveResult(isComplete: true)
    #expect(subject(end(.timedOut, in: folder)) == "process 1 of 3, process 3 of 3")
  }
}
