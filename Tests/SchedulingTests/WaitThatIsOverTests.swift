import Testing

// S1.7, S1.8
@Suite struct WaitThatIsOverTests {
  @Test(arguments: ["main", "queue", "thread", "errand", "gate", "group"])
  func aWaitThatIsOverClosesNoCycle(_ kind: String) throws {
    #expect(try Probe.line("over-\(kind)") == "no deadlock")
  }
}
