import Measuring
import Scenarios
import Testing

@testable import Cells

struct ArrivalsTests {
  @Test func clientsAreDueInTurnAtEqualDistances() {
    var clients = (0..<3).map { Arrivals(ratePerSecond: 1_000, client: $0, of: 3, begin: 7) }
    var due: [UInt64] = []
    // All of them are past: no client waits.
    for _ in 0..<2 { for client in clients.indices { due.append(clients[client].waitForNext()) } }
    #expect(due == [7, 1_000_007, 2_000_007, 3_000_007, 4_000_007, 5_000_007])
  }

  @Test func noClientBeginsBeforeItIsDue() {
    let begin = MonotonicClock.now()
    var arrivals = Arrivals(ratePerSecond: 100, client: 1, of: 2, begin: begin)
    let due = arrivals.waitForNext()
    #expect(due == begin + 10_000_000)
    #expect(MonotonicClock.now() >= due)
  }

  @Test func theLatencyOfALateOperationCountsFromWhenItWasDue() throws {
    let recorder = try TestRecorder.make()
    let start = OperationStart(at: 5_000, due: 1_000)
    recorder.record("write", in: "test", since: start, until: OperationStart(at: 6_000))
    recorder.record("write", in: "test", since: OperationStart(at: 5_000), until: OperationStart(at: 6_000))
    let kinds = OperationKinds([recorder], phaseSeconds: [:]).measurements
    #expect(kinds.map(\.latencyFrom).sorted() == ["begin", "intended"])
    #expect(kinds.first { $0.latencyFrom == "intended" }?.summary.latencyNanosecondsMax == 5_000)
    #expect(kinds.first { $0.latencyFrom == "begin" }?.summary.latencyNanosecondsMax == 1_000)
  }

  @Test func aPhaseTakesAllThatIsDueBeforeItsEndAndNothingAfter() {
    let limit = PhaseLimit(Phase(name: "a", weights: ["insert": 1], durationSeconds: 1), begin: 0)
    #expect(limit.admitsOne(due: 999_999_999))
    #expect(!limit.admitsOne(due: 1_000_000_000))
    // Now is long after a second of the monotonic clock's begin.
    #expect(!limit.admitsOne())
  }
}
