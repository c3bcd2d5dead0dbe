import Boundary
import Scheduling
import Synchronization
import Testing

@testable import Cells

struct CostMeterTests {
  /// Every step of a program, in the order in which its tasks become ready.
  private func trace(_ body: @escaping @Sendable () -> Void) -> [SimulationOutcome.Entry] {
    Simulation.run(policy: FIFOPolicy(), recordsTrace: true, body).trace
  }

  private let queue = SerialQueue(label: "a queue")

  @Test func oneMoreBlockOnMainIsOneMoreHop() {
    let one = CostMeter.costs(of: trace { [queue] in queue.async { SerialQueue.main.async {} } })
    let two = CostMeter.costs(
      of: trace { [queue] in
        queue.async {
          SerialQueue.main.async {}
          SerialQueue.main.async {}
        }
      })
    #expect(one[.mainHops] == 1 && two[.mainHops] == 2)
    #expect((two[.mainSteps] ?? 0) == (one[.mainSteps] ?? 0) + 1)
    #expect(one[.blocks] == 1 && two[.blocks] == 1)
  }

  @Test func aTurnThatIsHeldMakesOthersWait() {
    let costs = CostMeter.costs(
      of: trace { [queue] in
        queue.async { SerialQueue(label: "inner").sync { SerialQueue.main.sync {} } }
        WorkPool(label: "pool", width: 1).submit("waits") { queue.sync {} }
      })
    #expect(costs[.turnsWaited] == 1, "main's block")
    #expect(costs[.stepsWaited] ?? 0 > 0 && costs[.stepsHeld] ?? 0 > 0)
    #expect(costs[.mainHops] == 1)
  }

  @Test func aTurnThatNoThreadWantsIsNotWaitedFor() {
    let costs = CostMeter.costs(of: trace { [queue] in queue.sync {} })
    #expect(costs[.turnsTaken] == 1 && costs[.turnsWaited] == nil && costs[.wakeUps] == nil)
  }
}
