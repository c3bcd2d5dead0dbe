import Testing

@testable import Scheduling

@Suite struct WaitInvariantTests {
  @Test func waitsOfManyThreadsHoldAtAnyMoment() throws {
    let queues = (0..<3).map { SerialQueue(label: "queue \($0)") }
    let threads = (0..<4).map { seed in
      TestThread {
        var random = SeededRandom(seed: UInt64(seed))
        for _ in 0..<2_000 {
          let queue = queues[Int.random(in: 0..<3, using: &random)]
          if Bool.random(using: &random) { queue.sync {} } else { queue.async {} }
        }
      }
    }
    for _ in 0..<200 { try WaitForGraph.verifyInvariants() }
    for thread in threads { thread.join() }
    for queue in queues { queue.drain() }
    try WaitForGraph.verifyInvariants()
  }

  @Test func aWaitWithoutAPlaceInTheLineIsFound() {
    let queue = SerialQueue(label: "queue")
    let thread = ThreadRecord(isMain: false)
    queue.sync {
      // Looked at by hand: the graph is the process's.
      let none = WaitForGraph.update { queue.contradiction(ofWaiting: thread) }
      #expect(none == "whoever has the turn does not know that others wait")
      #expect(
        WaitForGraph.update { queue.contradiction(ofWaiting: .current) } == "it has the turn")
    }
  }
}
