import CoreData
import Testing

/// How concurrency debugging is switched on from outside, and its default; in a child process.
@Suite struct ConcurrencySwitchTests {
  private func touchOffQueue(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> (reason: Process.TerminationReason, output: String) {
    var inherited = ProcessInfo.processInfo.environment
    inherited["COREDATA_CONCURRENCY_DEBUG"] = nil
    inherited["SWIFT_BACKTRACE"] = "enable=no"
    let result = try Probe.run(["off-queue"] + arguments, environment: inherited.merging(environment) { $1 })
    return (result.reason, result.output)
  }

  // S1.6
  @Test(
    arguments: [
      (["-com.apple.CoreData.ConcurrencyDebug", "1"], [:]), ([], ["COREDATA_CONCURRENCY_DEBUG": "1"]),
    ] as [([String], [String: String])])
  func aTouchOffTheQueueTraps(arguments: [String], environment: [String: String]) throws {
    let (reason, output) = try touchOffQueue(arguments, environment: environment)
    #expect(reason == .uncaughtSignal)
    #if DEBUG
      // Release builds leave the sentence out of the trap.
      #expect(output.contains("importer") && output.contains("hasChanges") && output.contains("main thread"))
    #endif
    #expect(!output.contains("went on"))
  }

  // S1.6
  @Test(arguments: [[], ["-com.apple.CoreData.ConcurrencyDebug", "0"]])
  func withoutTheSwitchNothingIsChecked(arguments: [String]) throws {
    let (reason, output) = try touchOffQueue(arguments)
    #expect(reason == .exit)
    #expect(output.contains("went on"))
  }
}
