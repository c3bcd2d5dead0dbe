import Foundation
import Testing

// The main queue on the main thread, in a child: under a test runner it is served by other threads.
struct MainLoopTests {
  /// What the probe printed for one of its cases; its own alarm ends it if it hangs.
  private func probe(_ name: String) throws -> String {
    let process = Process()
    process.executableURL = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      .appending(path: "SchedulingProbe")
    process.arguments = [name]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  @Test func aGroupThatMainWaitsForAndThatWaitsForMainIsADeadlock() throws {
    let line = try probe("main-waits-for-a-group-that-waits-for-main")
    // Whichever waits last closes the cycle.
    let main = "main thread waits for group \"imports\""
    let pool = #/thread \d+ \(import\) waits for main queue/#
    #expect(line.hasPrefix("deadlock: "))
    #expect(line.contains(main))
    #expect(line.contains(pool))
  }

  @Test func aQueueEnteredAgainThroughTheMainThreadIsADeadlock() throws {
    let line = try probe("main-between")
    #expect(line.wholeMatch(of: #/deadlock: main thread waits for A; thread \d+ waits for main queue/#) != nil)
  }

  @Test func nestingsThatMainCanServeRunThereAndRaiseNoAlarm() throws {
    #expect(try probe("legal") == "legal: true")
  }

  @Test func anIdleMainLoopUsesNoProcessor() throws {
    let line = try probe("idle")
    let seconds = try #require(line.split(separator: " ").last.flatMap { Double($0) })
    #expect(seconds < 0.15, "\(line); the child ran for 0.2 s")
  }
}
