import Testing

@testable import Cells

/// How much of a late tick the strategy is charged with.
@Suite struct HeartbeatTests {
  private static let interval: UInt64 = 16

  private func held(late: UInt64, ran: UInt64, waited: UInt64) -> UInt64 {
    let last = Heartbeat.Usage(ran: 1_000, waited: 500)
    return Heartbeat.Usage(ran: 1_000 + ran, waited: 500 + waited).held(since: last, late: late, every: Self.interval)
  }

  @Test func whatMainWaitedForAProcessorIsNotCharged() {
    #expect(held(late: 300, ran: 10, waited: 280) == 20)
    #expect(held(late: 300, ran: 10, waited: 400) == 0)
  }

  @Test func whatMainRanIsCharged() {
    // The kernel counts more waiting than there was.
    #expect(held(late: 300, ran: 216, waited: 290) == 200)
    #expect(held(late: 300, ran: 900, waited: 300) == 300)
  }

  @Test func aLockThatMainWaitedForIsCharged() { #expect(held(late: 300, ran: 5, waited: 0) == 300) }

  @Test func aThreadThatRunsUsesItsProcessor() {
    let before = Heartbeat.Usage.now()
    var sum = 0.0
    while Heartbeat.Usage.now().ran < before.ran + 1_000_000 { sum += 1 }
    #expect(sum > 0)
  }
}
