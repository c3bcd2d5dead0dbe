import Foundation
import Subprocess
import Testing

// The main queue on the main thread, in a child: under a test runner it is served by other threads.
struct MainLoopTests {
  /// What the probe printed for one of its cases.
  private func probe(_ name: String) async throws -> String {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let result = try await run(
      .path(.init(folder.appending(path: "SchedulingProbe").path)), arguments: [name],
      output: .string(limit: 4_096), error: .string(limit: 65_536))
    #expect(result.terminationStatus == .exited(0))
    #expect(result.standardError == "")
    return result.standardOutput.trimmingCharacters(in: .newlines)
  }

  @Test func aGroupThatMainWaitsForAndThatWaitsForMainIsADeadlock() async throws {
    let line = try await probe("main-waits-for-a-group-that-waits-for-main")
    // Whichever waits last closes the cycle.
    let main = "main thread waits for group \"imports\""
    let pool = #/thread \d+ \(import\) waits for main queue/#
    #expect(line.hasPrefix("deadlock: "))
    #expect(line.contains(main))
    #expect(line.contains(pool))
  }

  @Test func aQueueEnteredAgainThroughTheMainThreadIsADeadlock() async throws {
    let line = try await probe("main-between")
    #expect(line.wholeMatch(of: #/deadlock: main thread waits for A; thread \d+ waits for main queue/#) != nil)
  }

  @Test func nestingsThatMainCanServeRunThereAndRaiseNoAlarm() async throws {
    #expect(try await probe("legal") == "legal: true")
  }

  @Test func anIdleMainLoopUsesNoProcessor() async throws {
    let line = try await probe("idle")
    let seconds = try #require(line.split(separator: " ").last.flatMap { Double($0) })
    #expect(seconds < 0.15, "\(line); the child ran for 0.2 s")
  }
}
