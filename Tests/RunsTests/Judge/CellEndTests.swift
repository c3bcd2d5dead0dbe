import Boundary
import Checking
import Foundation
import Scenarios
import Testing

@testable import Runs

@Suite struct CellEndTests {
  private let none = CellArtifacts(in: "/nonexistent", kept: "histories/0", executable: "")

  private func end(_ end: ChildProcess.End, hasResult: Bool = false, output: String = "") -> CellEnd {
    CellEnd(end, hasResult: hasResult, timeoutSeconds: 2, output: output, artifacts: none)
  }

  @Test func aChildThatEndsWithAResultHasFinished() { #expect(end(.exited(0), hasResult: true) == .finished) }

  @Test func aChildThatEndsWithoutAResultIsACrash() {
    #expect(end(.exited(0), output: "a\nlast words") == .broken(.abnormalExit(status: 0, detail: "last words")))
    #expect(end(.exited(3), hasResult: true) == .broken(.abnormalExit(status: 3, detail: "")))
  }

  @Test func aSignalOfItsOwnIsACrash() {
    #expect(end(.signaled(SIGSEGV)) == .broken(.crash(signal: SIGSEGV, detail: "")))
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGHUP, SIGINT]) func aSignalOfOthersComesFromOutside(signal: Int32) {
    #expect(end(.signaled(signal)) == .killedFromOutside(.killedFromOutside(signal: signal)))
  }

  @Test func aCellThatTheMachineStarvedBlamesNoStrategy() {
    guard case .starved(let reason) = end(.starved(MachineDelay(processor: 4.25, stolen: 0.01, memory: 1))) else {
      Issue.record("a starved cell is not broken")
      return
    }
    #expect(reason.contains("for 4.3 s its threads were ready and had no processor, for 1.0 s the machine waited"))
    let outcome = CellOutcome(
      end: .starved(reason), results: [], required: ["lost-record"], expectation: ScenarioExpectation())
    #expect(outcome.verdict == .unknown && outcome.ending == .inconclusive && outcome.reasons == [reason])
  }

  @Test func aRunThatWasStoppedItselfBlamesNoStrategy() {
    guard case .starved(let reason) = end(.starved(MachineDelay(unwatched: 12))) else {
      Issue.record("a cell that was not watched is not broken")
      return
    }
    #expect(reason.contains("for 12.0 s the run itself was stopped, so that it did not end within the time left"))
  }

  @Test func aTrapSaysWhatItWasAbout() {
    let output =
      "a line\nCoreData/NSManagedObject.swift:7: Fatal error: a note belongs to another context\nCurrent stack:"
    guard case .broken(let violation) = end(.signaled(SIGILL), output: output) else {
      Issue.record("a trap breaks the cell")
      return
    }
    #expect(violation.seen.contains("Fatal error: a note belongs to another context"))
  }

  @Test func aDeadlineIsAHang() { #expect(end(.timedOut) == .broken(.hang(limitSeconds: 2, stacks: nil))) }

  @Test func theHarnesssOwnFailureIsNoViolation() { #expect(end(.exited(70), output: "no disk") == .failed("no disk")) }

  @Test func aCrashSaysWhatTheRuntimeSaidAndWhereItsBacktraceIs() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = "*** Swift runtime failure: arithmetic overflow ***\n\nThread 0 crashed:\n"
    try text.write(toFile: folder + "/contextbench-1-0.0.log", atomically: true, encoding: .utf8)
    let artifacts = CellArtifacts(in: folder, kept: "histories/7", executable: "")
    let end = CellEnd(.signaled(SIGILL), hasResult: false, timeoutSeconds: 1, output: "", artifacts: artifacts)
    let detail = "Swift runtime failure: arithmetic overflow; backtrace: histories/7/contextbench-1-0.0.log"
    #expect(end == .broken(.crash(signal: SIGILL, detail: detail)))
  }

  @Test func aDeathThatTheScenarioAsksForIsNoStrangersDoing() {
    let killed = CellEnd.killedFromOutside(.killedFromOutside(signal: 9))
    guard case .killedFromOutside(let violation) = killed.whereInjected(.death) else {
      Issue.record("it stays blameless")
      return
    }
    #expect(violation.kind == .crash && violation.subject == "process, by the fault death")
    #expect(CellEnd.finished.whereInjected(.death) == .finished)
  }
}
