import Foundation
import Scheduling
import Testing

/// No order of a program is tried twice, and a search knows when there are no more.
@Suite struct OrderTreeTests {
  /// Tasks that do a number of steps each.
  private func run(_ steps: [Int], _ policy: any SchedulePolicy) -> (order: String, policy: any SchedulePolicy) {
    let order = Locked("")
    let outcome = Simulation.run(policy: policy) {
      let pool = WorkPool(label: "tasks", width: steps.count)
      for (number, count) in steps.enumerated() {
        let queue = SerialQueue(label: "queue \(number)")
        pool.submit("task \(number)") {
          for _ in 0..<count { queue.sync { order.withLock { $0 += "\(number)" } } }
        }
      }
    }
    return (order.current, outcome.policy)
  }

  /// Orders of a search by a policy, until there are no more.
  private func orders(_ steps: [Int], _ base: (UInt64) -> any SchedulePolicy) throws -> [String] {
    let tree = OrderTree()
    var orders: [String] = []
    while !tree.isExhausted, orders.count < 10_000 {
      let (order, policy) = run(steps, UnseenPolicy(base(UInt64(orders.count)), tree))
      tree.add(try #require(policy as? UnseenPolicy).walk)
      orders.append(order)
    }
    return orders
  }

  @Test(arguments: [[1], [1, 1], [2, 1], [2, 2]]) func aSearchIsThroughWhenAllWereTried(steps: [Int])
    throws
  {
    // As many as a search has that goes through all of them in a row.
    var policy: ExhaustivePolicy? = ExhaustivePolicy(preemptions: .max)
    var all = 0
    var different: Set<String> = []
    while let next = policy {
      let (order, outcome) = run(steps, next)
      all += 1
      different.insert(order)
      policy = (outcome as? ExhaustivePolicy)?.next()
    }
    for base in [{ _ in FIFOPolicy() }, { RandomWalkPolicy(seed: $0) }] as [(UInt64) -> any SchedulePolicy] {
      let orders = try orders(steps, base)
      #expect(orders.count == all)
      #expect(Set(orders) == different)
    }
  }

  /// A search of several processes, each of which tries a few orders.
  @Test(arguments: [1, 3]) func theNextProcessTriesNoneOfThemAgain(ordersEach: Int) throws {
    let path = FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    var orders: [String] = []
    var tree = try OrderTree(path: path)
    while !tree.isExhausted, orders.count < 10_000 {
      for _ in 0..<ordersEach where !tree.isExhausted {
        let (order, policy) = run([2, 2], UnseenPolicy(RandomWalkPolicy(seed: UInt64(orders.count)), tree))
        tree.add(try #require(policy as? UnseenPolicy).walk)
        orders.append(order)
      }
      try tree.write(to: path)
      tree = try OrderTree(path: path)
    }
    #expect(try orders == self.orders([2, 2]) { RandomWalkPolicy(seed: $0) })
    try Data(FileManager.default.contents(atPath: path)! + [1, 0, 0, 0]).write(to: URL(fileURLWithPath: path))
    #expect(throws: CocoaError.self) { try OrderTree(path: path) }
  }

  @Test func anOrderIsRepeatedByItsDecisions() throws {
    let tree = OrderTree()
    for seed in 0..<50 as Range<UInt64> {
      let (order, policy) = run([3, 3, 3], UnseenPolicy(RandomWalkPolicy(seed: seed), tree))
      let walk = try #require(policy as? UnseenPolicy).walk
      tree.add(walk)
      #expect(run([3, 3, 3], RepeatingPolicy(walk)).order == order)
    }
  }

  @Test func aProgramThatChangesIsNoError() throws {
    let tree = OrderTree()
    for number in 0..<200 {
      let (_, policy) = run(
        number.isMultiple(of: 3) ? [2, 1] : [2, 2, 1], UnseenPolicy(RandomWalkPolicy(seed: UInt64(number)), tree))
      tree.add(try #require(policy as? UnseenPolicy).walk)
    }
  }
}
