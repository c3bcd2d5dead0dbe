import Foundation
import Testing

/// The tests of code that intercepts the calls of its process have one of their own, which no sanitizer intercepts as well.
@Suite(.enabled(if: ["none", nil].contains(ProcessInfo.processInfo.environment["CONTEXTBENCH_TEST_SANITIZER"])))
struct ContextTestingTests {
  /// Runs them; a run that does not end is ended, with a status of its own.
  private func run(_ filter: String?, _ settings: [String] = []) throws -> Tool.Result {
    let tool = try Tool()
    defer { tool.remove() }
    let tests = Tool.built("ContextTestingTests").path
    let process = try tool.start(
      settings + ["timeout", "--signal=KILL", "300", tests] + (filter.map { ["--filter", $0] } ?? []),
      of: URL(fileURLWithPath: "/usr/bin/env"))
    return try tool.finish(process)
  }

  @Test func allPass() throws {
    let result = try run(nil)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(result.errors.contains("passed after"))
  }

  @Test func aTraitFailsByTheOrder() throws {
    // The order is kept beside the source of the test.
    let kept = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("ContextTestingTests/ExploreTests-aTraitFails.schedule")
    defer { try? FileManager.default.removeItem(at: kept) }
    let result = try run("aTraitFails", ["CONTEXTBENCH_FAILS=1"])
    #expect(result.status == 1)
    for text in ["failure: Wrong()", "aTraitFails(isDeadlock:): hang: the test waits for what never comes"] {
      #expect(result.errors.contains(text), "\(result.errors)")
    }
  }

  /// The handler of crashes is no task: its waits are the system's.
  @Test(arguments: ["SWIFT_BACKTRACE=enable=yes,color=no,interactive=no", "SWIFT_BACKTRACE=enable=no"])
  func aTrapInABodyEndsTheProcess(backtrace: String) throws {
    let result = try run("aBodyThatTraps", [backtrace, "CONTEXTBENCH_TRAPS=1"])
    #expect([SIGILL, SIGTRAP].contains(result.status), "\(result.status) \(result.errors)")
    #expect(result.errors.contains("a body that traps"))
  }
}
