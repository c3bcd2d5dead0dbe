import Dispatch
import Testing

@testable import Scheduling

struct TickerTests {
  private struct Tick {
    let intended: UInt64
    let actual: UInt64
  }

  /// The first `count` ticks on `queue`.
  private func ticks(_ count: Int, intervalNanoseconds: UInt64, on queue: SerialQueue) -> [Tick] {
    let ticks = Locked<[Tick]>([])
    let isDone = Latch(label: "enough ticks")
    let ticker = Ticker(intervalNanoseconds: intervalNanoseconds, on: queue) { intended, actual in
      #expect(queue.isHeld)
      let came = ticks.withLock { ticks in
        ticks.append(Tick(intended: intended, actual: actual))
        return ticks.count
      }
      if came == count { isDone.open() }
    }
    isDone.pass()
    ticker.stop()
    queue.drain()
    return ticks.withLock { $0 }
  }

  private func expectAGrid(_ ticks: [Tick], intervalNanoseconds: UInt64) {
    for tick in ticks { #expect(tick.intended <= tick.actual) }
    for (tick, next) in zip(ticks, ticks.dropFirst()) {
      #expect(next.intended > tick.actual, "the next one is in the future")
      #expect((next.intended - tick.intended).isMultiple(of: intervalNanoseconds))
    }
  }

  @Test(arguments: [UInt64(20_000), 1_000_000])
  func ticksAreMeantForAGridAndNeverComeEarly(intervalNanoseconds: UInt64) {
    let queue = SerialQueue(label: "ticks")
    let ticks = ticks(500, intervalNanoseconds: intervalNanoseconds, on: queue)
    expectAGrid(ticks, intervalNanoseconds: intervalNanoseconds)
  }

  // queue                         timer
  // held
  //                               tick 1, 2, 3 … missed
  // released
  // one tick, meant for 1
  @Test func missedTicksAreReportedAsTheEarliestOfThem() throws {
    let interval: UInt64 = 2_000_000
    let queue = SerialQueue(label: "held")
    let ticks = Locked<[Tick]>([])
    let isDone = Latch(label: "two ticks")
    let begin = DispatchTime.now().uptimeNanoseconds
    let ticker = queue.sync {
      let ticker = Ticker(intervalNanoseconds: interval, on: queue) { intended, actual in
        let count = ticks.withLock { ticks in
          ticks.append(Tick(intended: intended, actual: actual))
          return ticks.count
        }
        if count == 2 { isDone.open() }
      }
      let release = DispatchTime.now().uptimeNanoseconds + 10 * interval
      while DispatchTime.now().uptimeNanoseconds < release {}
      return ticker
    }
    isDone.pass()
    ticker.stop()
    let first = try #require(ticks.withLock { $0.first })
    #expect(first.intended >= begin + interval)
    #expect(first.actual - first.intended >= 8 * interval)
    expectAGrid(ticks.withLock { $0 }, intervalNanoseconds: interval)
  }

  @Test func aTickerLetGoInMidTickDoesNoHarm() {
    let queue = SerialQueue(label: "short-lived")
    for _ in 0..<300 { _ = ticks(1, intervalNanoseconds: 5_000, on: queue) }
    for _ in 0..<2_000 { _ = Ticker(intervalNanoseconds: 1_000, on: queue) { _, _ in } }
    queue.drain()
  }
}
