import Testing

@testable import Scheduling

/// Tasks of Swift's that threads of a simulation wait for.
@Suite(.serialized) struct AwaitedTaskTests {
  /// The order in which two clients' tasks do their parts, each with a child task and a place to give way in each part.
  private func order(_ policy: any SchedulePolicy) -> (parts: [String], outcome: SimulationOutcome) {
    let parts = Locked<[String]>([])
    let outcome = Simulation.run(policy: policy, recordsTrace: true) {
      let pool = WorkPool(label: "clients", width: 2)
      for client in 1...2 {
        pool.submit("client \(client)") {
          @Sendable func note(_ part: String) async {
            Checkpoint("part").reach("")
            parts.withLock { $0.append("\(client)\(part)") }
            await Task.yield()
          }
          try? BlockingHop.run("unit") { (unit: AwaitedUnit<Int>) in
            await note("begin")
            async let child: Void = note("child")
            await child
            try unit.run(client)
          } body: { _ in
            parts.withLock { $0.append("\(client)unit") }
          }
        }
      }
    }
    return (parts.current, outcome)
  }

  @Test func everyPartOfATaskIsOfTheSimulation() {
    var orders: Set<[String]> = []
    for seed in 1...40 as ClosedRange<UInt64> {
      let (parts, outcome) = order(RandomWalkPolicy(seed: seed))
      #expect(outcome.ending == .finished && parts.count == 6)
      let again = order(RandomWalkPolicy(seed: seed))
      #expect(again.parts == parts && again.outcome.trace == outcome.trace)
      orders.insert(parts)
    }
    #expect(orders.count > 10)
  }

  @Test func aCycleThroughATaskIsADeadlock() {
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      let queue = SerialQueue(label: "store")
      WorkPool(label: "client", width: 1).submit("client") {
        queue.sync {
          try? BlockingHop.run("unit") { (unit: AwaitedUnit<Int>) in
            try unit.run(1)
          } body: { _ in
            queue.sync {}
          }
        }
      }
    }
    // The unit waits for the queue, and the task that holds that waits for the unit.
    #expect(outcome.cycles.count == 1)
  }
}
