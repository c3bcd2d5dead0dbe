import Testing

// The main queue on the main thread, in a child: under a test runner it is served by other threads.
struct MainLoopTests {
  @Test func aGroupThatMainWaitsForAndThatWaitsForMainIsADeadlock() throws {
    let line = try Probe.line("main-waits-for-a-group-that-waits-for-main")
    // Whichever waits last closes the cycle.
    let main = "main thread waits for group \"imports\""
    let pool = #/thread \d+ \(import\) waits for main queue/#
    #expect(line.hasPrefix("deadlock: "))
    #expect(line.contains(main))
    #expect(line.contains(pool))
  }

  @Test func aQueueEnteredAgainThroughTheMainThreadIsADeadlock() throws {
    let line = try Probe.line("main-between")
    #expect(line.wholeMatch(of: #/deadlock: main thread waits for A; thread \d+ waits for main queue/#) != nil)
  }

  @Test func nestingsThatMainCanServeRunThereAndRaiseNoAlarm() throws {
    #expect(try Probe.line("legal") == "legal: true")
  }

  @Test func anIdleMainLoopUsesNoProcessor() throws {
    let line = try Probe.line("idle")
    let seconds = try #require(line.split(separator: " ").last.flatMap { Double($0) })
    #expect(seconds < 0.15, "\(line); the child ran for 0.2 s")
  }
}
