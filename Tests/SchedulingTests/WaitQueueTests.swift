import Testing

@testable import Scheduling

struct WaitQueueTests {
  private func number(_ entry: WaitQueue.Entry?, _ threads: [ThreadRecord]) -> Int? {
    guard case .waiter(let waiter)? = entry else { return nil }
    return threads.firstIndex { $0 === waiter.thread }
  }

  @Test(arguments: [UInt64(1), 2, 3]) func firstComeFirstServed(seed: UInt64) {
    let threads = (0..<10).map { _ in ThreadRecord(isMain: false) }
    var random = SeededRandom(seed: seed)
    var line = WaitQueue()
    var model: [Int] = []
    // Longer and longer, then shorter: it must close the gap of those taken at any length.
    for round in 0..<2_000 {
      if Int.random(in: 0..<2_000, using: &random) < (round < 1_000 ? 1_400 : 600) {
        let number = Int.random(in: 0..<threads.count, using: &random)
        line.join(.waiter(WaitQueue.Waiter(threads[number])))
        model.append(number)
      } else {
        #expect(number(line.next(), threads) == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(line.isEmpty == model.isEmpty)
    }
  }

  @Test func whatWasTakenIsNotKept() {
    final class Witness: Sendable {}
    var line = WaitQueue()
    weak var kept: Witness?
    do {
      let witness = Witness()
      kept = witness
      line.join(.block { withExtendedLifetime(witness) {} })
      line.join(.block {})
    }
    #expect(kept != nil)
    _ = line.next()
    #expect(kept == nil)
    #expect(!line.isEmpty)
  }
}
