import Testing

@testable import Scheduling

struct OrderGraphTests {
  /// Queues that a task comes into one inside the other, and then leaves.
  private typealias Chain = [UInt64]

  private func rings(_ chains: [(task: UInt64, chain: Chain)]) -> [Set<UInt64>] {
    var graph = OrderGraph<Int>()
    return chains.enumerated().flatMap { place, entry in
      entry.chain.indices.flatMap { depth in
        graph.enter(entry.chain[depth], holding: Array(entry.chain[..<depth]), task: entry.task, at: place)
      }
    }.map { ring in Set(ring.map(\.edge.outer)) }
  }

  /// Whether there is an interleaving of the chains, one a task, in which no task can continue.
  private func canDeadlock(_ chains: [Chain]) -> Bool {
    // How far each task is: it holds so many queues of its chain, or is done.
    var states: Set<[Int]> = [chains.map { _ in 0 }]
    var fresh = Array(states)
    while let state = fresh.popLast() {
      let held = zip(chains, state).flatMap { chain, depth in depth == chain.count ? [] : Array(chain[..<depth]) }
      var isStuck = zip(chains, state).contains { $0.count > $1 }
      for task in chains.indices where state[task] < chains[task].count {
        guard !held.contains(chains[task][state[task]]) else { continue }
        isStuck = false
        var next = state
        next[task] += 1
        if states.insert(next).inserted { fresh.append(next) }
      }
      if isStuck { return true }
    }
    return false
  }

  // Three tasks, four queues, every chain of up to three: a ring is reported exactly when some interleaving deadlocks.
  @Test func aRingIsReportedExactlyWhenSomeInterleavingDeadlocks() {
    let queues: [UInt64] = [1, 2, 3, 4]
    var chains: [Chain] = [[]]
    for _ in 0..<3 {
      chains += chains.flatMap { chain in queues.filter { !chain.contains($0) }.map { chain + [$0] } }
      chains = Array(Set(chains))
    }
    // With nothing nested there is nothing to report.
    chains = chains.filter { $0.count > 1 }.sorted { $0.lexicographicallyPrecedes($1) } + [[]]
    #expect(chains.count == 37)
    var deadlocks = 0
    var wrong: [[Chain]] = []
    for first in chains.indices {
      for second in chains.indices[first...] {
        for third in chains.indices[second...] {
          let run = [chains[first], chains[second], chains[third]]
          let found = rings(run.enumerated().map { (UInt64($0), $1) })
          if found.isEmpty == canDeadlock(run) { wrong.append(run) }
          deadlocks += found.isEmpty ? 0 : 1
        }
      }
    }
    #expect(wrong.isEmpty)
    #expect(deadlocks > 1_000)
  }

  @Test func oneTaskInBothOrdersIsNone() {
    #expect(rings([(1, [1, 2]), (1, [2, 1])]).isEmpty)
    #expect(rings([(1, [1, 2]), (1, [2, 1]), (2, [1, 2])]) == [[1, 2]])
  }

  @Test func ordersUnderACommonQueueAreNone() {
    #expect(rings([(1, [9, 1, 2]), (2, [9, 2, 1])]).isEmpty)
    #expect(rings([(1, [9, 1, 2]), (2, [8, 2, 1])]) == [[1, 2]])
    #expect(rings([(1, [9, 1, 2]), (2, [9, 2, 1]), (3, [2, 1])]) == [[1, 2]])
  }

  @Test func aQueueEnteredAgainIsNoOrder() {
    #expect(rings([(1, [1, 2, 1]), (2, [2, 1, 2])]) == [[1, 2]])
    #expect(rings([(1, [1, 2, 1]), (2, [1, 2, 1])]).isEmpty)
  }

  @Test func eachRingIsReportedOnceWithTheFirstPlaceOfEachOrder() {
    var graph = OrderGraph<String>()
    #expect(graph.enter(2, holding: [1], task: 1, at: "first").isEmpty)
    #expect(graph.enter(2, holding: [1], task: 2, at: "second").isEmpty)
    let found = graph.enter(1, holding: [2], task: 3, at: "third")
    #expect(found.count == 1)
    #expect(found.first?.map(\.place) == ["third", "first"])
    #expect(graph.enter(1, holding: [2], task: 4, at: "fourth").isEmpty)
    #expect(graph.enter(2, holding: [1], task: 5, at: "fifth").isEmpty)
  }

  @Test func aQueueThatIsGoneIsForgottenButNotWhatWasDoneUnderIt() {
    var graph = OrderGraph<Int>()
    _ = graph.enter(2, holding: [1], task: 1, at: 1)
    graph.forget(2)
    #expect(graph.edges.isEmpty)
    _ = graph.enter(1, holding: [9], task: 1, at: 1)
    _ = graph.enter(2, holding: [9, 1], task: 1, at: 1)
    graph.forget(9)
    #expect(graph.edges.map { [$0.outer, $0.inner] } == [[1, 2]])
    #expect(graph.enter(1, holding: [8, 2], task: 2, at: 2).count == 1)
  }
}
