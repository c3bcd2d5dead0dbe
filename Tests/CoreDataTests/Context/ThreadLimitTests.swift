import Foundation
import Testing

/// A system without room for one more thread, in a child process.
///
/// A sanitizer maps memory of its own as it goes, and hangs where there is none.
@Suite(.enabled(if: ["none", nil].contains(ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"])))
struct ThreadLimitTests {
  // S1.3
  @Test func aThreadThatCannotBeMadeEndsTheProcessWithTheRemedy() throws {
    // The runtime's backtracer would run within the same limit.
    let environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    let (reason, _, output) = try Probe.run(["no-room-for-threads"], environment: environment)
    #expect(reason == .uncaughtSignal)
    #expect(output.contains("No thread could be made for \"private queues\""), "\(output)")
    #expect(output.contains("ulimit -v"), "\(output)")
  }
}
