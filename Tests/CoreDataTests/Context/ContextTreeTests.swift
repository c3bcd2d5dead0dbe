import Testing

// S1.7, S1.8, S4.5, S5.3
@Suite struct ContextTreeTests {
  /// Nothing waits for ever, no deadlock is reported that is none, and children show their parents' saves.
  @Test(arguments: 1...8) func contextsThatMergeByThemselvesNeitherWaitForEachOtherNorFallBehind(seed: Int) throws {
    let (reason, status, output) = try Probe.run(["trees", "\(seed)"])
    #expect(reason == .exit)
    #expect(status == 0)
    #expect(output.split(separator: "\n").filter { !$0.hasPrefix("posted ") } == ["consistent"])
  }
}
