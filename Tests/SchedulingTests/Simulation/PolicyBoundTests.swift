import Testing

@testable import Scheduling

/// The promises of policies about finding a mistake, and mistakes that they cannot find.
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

  @Test func aUniformWalkComesToTheRareOrderAsOftenAsToTheOthers() {
    // Of the places among the long task's 21 steps that the short one's two can take, 21 of 253 have the last before its end.
    let late = Self.steps - 1
    let steps = isBetween(FIFOPolicy(), late: late).outcome.stepsByTask
    let found = (1...1_000).count { isBetween(UniformWalkPolicy(seed: UInt64($0), steps: steps), late: late).isFound }
    #expect(found > 40, "\(found)")
    // Without the steps of the tasks it is a random walk.
    #expect(!(1...1_000).contains { isBetween(UniformWalkPolicy(seed: UInt64($0), steps: []), late: late).isFound })
  }

  /// Two tasks with so many steps each, recorded by task.
  ///
  /// - Parameter resources: of the steps of the one and the other.
  private func orders(
    _ policy: any SchedulePolicy, steps: Int, resources: [UInt64] = [0, 0]
  ) -> (order: String, outcome: SimulationOutcome) {
    let order = Locked("")
    let outcome = Simulation.run(policy: policy) {
      let pool = WorkPool(label: "pool", width: 2)
      for (name, resource) in zip(["a", "b"], resources) {
        pool.submit(name) {
          for _ in 0..<steps {
            Simulation.pass("step", resource)
            order.withLock { $0 += name }
          }
        }
      }
    }
    return (order.current, outcome)
  }

  private struct Search {
    var orders: Set<String> = []
    var simulations = 0
    var prints: Set<UInt64> = []
  }

  private func exhaust<Policy: SearchPolicy>(_ first: Policy, steps: Int, resources: [UInt64] = [0, 0]) -> Search {
    var next: Policy? = first
    var search = Search()
    while let policy = next {
      let (order, outcome) = orders(policy, steps: steps, resources: resources)
      search.orders.insert(order)
      search.prints.insert(outcome.fingerprint)
      search.simulations += 1
      next = (outcome.policy as? Policy)?.next()
    }
    return search
  }

  private func exhaust(preemptions: Int, steps: Int) -> Search {
    exhaust(ExhaustivePolicy(preemptions: preemptions), steps: steps)
  }

  @Test func aReducedSearchComesToEveryOrderOfStepsInConflict() {
    #expect(exhaust(ReducedPolicy(), steps: 3).orders.count == 20)
    #expect(exhaust(ReducedPolicy(), steps: 3, resources: [7, 7]).orders.count == 20)
  }

  @Test func aReducedSearchLeavesOutExchangesOfStepsOnDifferentResources() {
    let all = exhaust(preemptions: .max, steps: 3)
    let reduced = exhaust(ReducedPolicy(), steps: 3, resources: [7, 8])
    #expect(reduced.simulations * 3 < all.simulations, "\(reduced.simulations) of \(all.simulations)")
  }

  @Test func aReducedSearchContinuesWhereAnotherProcessLeftIt() throws {
    let first = ReducedPolicy()
    let next = try #require((orders(first, steps: 2, resources: [7, 7]).outcome.policy as? ReducedPolicy)?.next())
    let nodes = next.nodes.map { ReducedPolicy.Node(ready: $0.ready, tried: $0.tried, open: $0.open) }
    let continued = exhaust(ReducedPolicy(nodes: nodes), steps: 2, resources: [7, 7])
    #expect(continued.simulations == exhaust(first, steps: 2, resources: [7, 7]).simulations - 1)
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
