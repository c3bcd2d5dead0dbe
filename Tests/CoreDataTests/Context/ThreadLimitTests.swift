import Testing

/// What happens where the system has no room for one more thread, in a child process.
@Suite struct ThreadLimitTests {
  // S1.3
  @Test func aThreadThatCannotBeMadeEndsTheProcessWithTheRemedy() throws {
    let (reason, _, output) = try Probe.run(["no-room-for-threads"])
    #expect(reason == .uncaughtSignal)
    #expect(output.contains("No thread could be made for \"private queues\""), "\(output)")
    #expect(output.contains("ulimit -v"), "\(output)")
  }
}
