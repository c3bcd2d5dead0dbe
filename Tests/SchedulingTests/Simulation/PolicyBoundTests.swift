import Testing

@testable import Scheduling

/// What policies promise about finding a mistake, and what they cannot find.
@Suite(.serialized) struct PolicyBoundTests {
  private static let steps = 20

  /// One task does `Self.steps` steps; whether the other's only step comes after `late` of them and before the rest.
  private func isBetween(_ policy: any SchedulePolicy, late: Int) -> (isFound: Bool, outcome: SimulationOutcome) {
    let seen = Locked(-1)
    let done = Locked(0)
    let outcome = Simulation.run(policy: policy) {
      let queue = SerialQueue(label: "queue")
      let pool = WorkPool(label: "pool", width: 2)
      pool.submit("long") {
        for _ in 0..<Self.steps { queue.sync { done.withLock { $0 += 1 } } }
      }
      pool.submit("short") { queue.sync { seen.withLock { $0 = done.current } } }
    }
    return (seen.current >= late && seen.current < Self.steps, outcome)
  }

  @Test func pctFindsAMistakeOfDepthTwoAsOftenAsItPromises() {
    // Found where the short task's step comes directly after the last but one of the long task: its priority is lower, and
    // the change falls to one step.
    let runs = 4_000
    let first = isBetween(PCTPolicy(seed: 1, depth: 1, steps: 1), late: Self.steps - 1).outcome
    let found = (1...runs).count { seed in
      isBetween(PCTPolicy(seed: UInt64(seed), depth: 2, steps: first.steps), late: Self.steps - 1).isFound
    }
    // Three tasks: main, long, short.
    let bound = 1 / (3 * Double(first.steps))
    #expect(Double(found) / Double(runs) >= bound)
  }

  @Test func aRandomWalkMissesWhatPCTFindsAtOnce() {
    // The short task's one step after all but the last of twenty, each a fair draw: less than one in 2^18.
    let late = Self.steps - 1
    let walks = (1...1_000).count { isBetween(RandomWalkPolicy(seed: UInt64($0)), late: late).isFound }
    #expect(walks == 0)
    let changes = (1...1_000).count { isBetween(PCTPolicy(seed: UInt64($0), depth: 2, steps: 30), late: late).isFound }
    #expect(changes > 0)
  }

  /// Two tasks with so many steps each on one queue, recorded by who did them.
  private func orders(_ policy: any SchedulePolicy, steps: Int) -> (order: String, outcome: SimulationOutcome) {
    let order = Locked("")
    let outcome = Simulation.run(policy: policy) {
      let pool = WorkPool(label: "pool", width: 2)
      for name in ["a", "b"] {
        pool.submit(name) {
          for _ in 0..<steps {
            Simulation.pass("step")
            order.withLock { $0 += name }
          }
        }
      }
    }
    return (order.current, outcome)
  }

  private func exhaust(preemptions: Int, steps: Int) -> (orders: Set<String>, simulations: Int, prints: Set<UInt64>) {
    var next: ExhaustivePolicy? = ExhaustivePolicy(preemptions: preemptions)
    var seen: Set<String> = []
    var prints: Set<UInt64> = []
    var count = 0
    while let policy = next {
      let (order, outcome) = orders(policy, steps: steps)
      seen.insert(order)
      prints.insert(outcome.fingerprint)
      count += 1
      next = (outcome.policy as? ExhaustivePolicy)?.next()
    }
    return (seen, count, prints)
  }

  @Test func anExhaustiveSearchComesToEveryOrderOnce() {
    let all = exhaust(preemptions: .max, steps: 3)
    // Six steps, three of them a's.
    #expect(all.orders.count == 20)
    #expect(all.prints.count == all.simulations)
  }

  @Test func aBoundOnPreemptionsLeavesOutTheOthers() {
    #expect(exhaust(preemptions: 0, steps: 3).orders == ["aaabbb", "bbbaaa"])
    let one = exhaust(preemptions: 1, steps: 3)
    #expect(one.orders.isSuperset(of: ["abbbaa", "aabbba", "baaabb", "bbaaab"]))
    #expect(!one.orders.contains("ababab"))
    #expect(exhaust(preemptions: 2, steps: 3).simulations > one.simulations)
  }
}
