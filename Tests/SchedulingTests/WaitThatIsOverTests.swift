import Testing

// S1.7
@Suite struct WaitThatIsOverTests {
  @Test(arguments: ["main", "queue", "thread", "errand", "gate", "group"])
  func aWaitThatIsOverClosesNoCycle(_ kind: String) throws {
    #expect(try Probe.line("over-\(kind)") == "no deadlock")
  }
}
