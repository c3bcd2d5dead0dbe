import Testing

@testable import Scheduling

/// Orders of live processes.
@Suite struct LiveOrderTests {
  private func passages(_ words: String) -> [LiveOrder.Passage] {
    words.split(separator: " ").map { word in
      LiveOrder.Passage(task: String(word.prefix(1)), point: String(word.dropFirst()), subject: "")
    }
  }

  private func texts(_ segments: [ScheduleSegment]) -> [String] {
    segments.map { segment in "\(segment.task) \(segment.stop.map { "\($0.point)\($0.nth)" } ?? "waits")" }
  }

  @Test func eachTaskRunsUntilThePlaceItComesToNext() {
    let noted = passages("ax ay bx ax ay bx bz ay")
    #expect(texts(LiveOrder.segments(of: noted)) == ["a x2", "b x2", "a y3", "b waits", "a waits"])
    #expect(LiveOrder.segments(of: []).isEmpty)
  }

  @Test func aSimulationFollowsWhatWasNotedLive() throws {
    #expect(
      try Probe.line("noted") == "live 1, in a simulation 1, misfit: nothing, first come, first served 3")
  }

  /// Two clients that enter a queue, twice each.
  private func clients(_ policy: any SchedulePolicy) -> (order: [Int], policy: (any FollowingPolicy)?) {
    let order = Locked<[Int]>([])
    let outcome = Simulation.run(policy: policy, recordsTrace: true) {
      let queue = SerialQueue(label: "queue")
      let pool = WorkPool(label: "clients", width: 2)
      for client in 1...2 {
        pool.submit("client \(client)") {
          for _ in 1...2 {
            queue.sync {
              order.withLock { $0.append(client) }
              Checkpoint("inside").reach("")
            }
          }
        }
      }
    }
    #expect(outcome.ending == .finished)
    return (order.current, outcome.policy as? any FollowingPolicy)
  }

  private func segments(_ parts: (task: String, point: String?, nth: Int)...) -> [ScheduleSegment] {
    parts.map { part in
      ScheduleSegment(
        task: part.task,
        stop: part.point.map {
          ScheduleSegment.Stop(point: $0, subject: $0 == "enter" ? "queue" : "", nth: part.nth)
        })
    }
  }

  @Test func whoHasToWaitTakesItsPartLater() {
    // Live, client 2 came to the place inside while client 1 had the queue: its steps there came later.
    let noted = segments(
      ("client 1", "inside", 1), ("client 2", "inside", 1), ("client 1", "enter", 2), ("client 2", nil, 0),
      ("client 1", nil, 0))
    let (order, policy) = clients(LiveOrderPolicy(noted))
    #expect(order == [1, 2, 2, 1])
    #expect(policy?.divergence == nil)
  }

  @Test func aPartThatIsNotBegunIsAMisfit() {
    let unknown = segments(("client 1", "inside", 1), ("client 3", nil, 0), ("client 1", nil, 0))
    #expect(clients(LiveOrderPolicy(unknown)).policy?.divergence?.reason == "there is no client 3")
    let beyond = segments(("client 1", "enter", 9), ("client 2", nil, 0), ("client 1", nil, 0))
    let divergence = clients(LiveOrderPolicy(beyond)).policy?.divergence
    #expect(divergence?.segment == 2)
    #expect(divergence?.reason == "client 1 did not come to enter 9 queue")
  }

  @Test func aStopThatTheTaskIsBeyondEndsItsPart() {
    // Both stops of client 1 are reached; the one named again is behind it.
    let script = [("client 1", 2), ("client 2", 1), ("client 1", 1), ("client 2", nil), ("client 1", nil)].map {
      ScheduleSegment(
        task: $0.0, stop: $0.1.map { ScheduleSegment.Stop(point: "enter", subject: "queue", nth: $0) })
    }
    let order = Locked<[Int]>([])
    let outcome = Simulation.run(policy: ScriptPolicy(script), recordsTrace: true) {
      let queue = SerialQueue(label: "queue")
      let pool = WorkPool(label: "clients", width: 2)
      for client in 1...2 {
        pool.submit("client \(client)") { for _ in 1...3 { queue.sync { order.withLock { $0.append(client) } } } }
      }
    }
    #expect(order.current == [1, 2, 2, 2, 1, 1])
    #expect((outcome.policy as? ScriptPolicy)?.divergence?.segment == 2)
  }
}
