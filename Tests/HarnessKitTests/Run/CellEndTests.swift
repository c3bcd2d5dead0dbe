import Checking
import Foundation
import Testing

@testable import HarnessKit

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

  @Test func aDeadlineIsAHang() { #expect(end(.timedOut) == .broken(.hang(limitSeconds: 2, stacks: nil))) }

  @Test func theHarnesssOwnFailureIsNoViolation() { #expect(end(.exited(70), output: "no disk") == .failed("no disk")) }
}
