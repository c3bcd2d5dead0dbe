import Testing

@testable import Scheduling

/// Schedules by the names of their steps.
@Suite(.serialized) struct ScriptPolicyTests {
  /// Two clients raise a number: a lost update where both read before one writes.
  ///
  /// - Parameter edit: an unrelated step that a later version of the program has.
  private func lostUpdate(_ policy: any SchedulePolicy, edit: Bool = false) -> (sum: Int, outcome: SimulationOutcome) {
    let sum = Locked(0)
    let outcome = Simulation.run(policy: policy, recordsTrace: true) {
      let queue = SerialQueue(label: "store")
      let other = SerialQueue(label: "other")
      let pool = WorkPool(label: "clients", width: 2)
      for client in 1...2 {
        pool.submit("client \(client)") {
          if edit { other.sync {} }
          let seen = queue.sync { sum.current }
          if edit { other.sync {} }
          queue.sync { sum.withLock { $0 = seen + 1 } }
        }
      }
    }
    return (sum.current, outcome)
  }

  private func segments(_ lines: [(task: String, stop: (point: String, subject: String, nth: Int)?)])
    -> [ScheduleSegment]
  {
    lines.map { line in
      ScheduleSegment(
        task: line.task,
        stop: line.stop.map { ScheduleSegment.Stop(point: $0.point, subject: $0.subject, nth: $0.nth) })
    }
  }

  @Test func aScriptRepeatsEveryTraceItWasMadeFrom() {
    for seed in 1...100 as ClosedRange<UInt64> {
      let first = lostUpdate(RandomWalkPolicy(seed: seed))
      let again = lostUpdate(ScriptPolicy(ScheduleSegment.segments(of: first.outcome.trace)))
      #expect(again.outcome.fingerprint == first.outcome.fingerprint)
      #expect(again.sum == first.sum)
      let policy = again.outcome.policy as? ScriptPolicy
      #expect(policy?.divergence == nil && policy?.isThrough == true)
    }
  }

  @Test func aScriptByHandMakesTheUpdateLost() {
    let script = segments([
      ("client 1", ("enter", "store", 2)), ("client 2", nil), ("client 1", nil),
    ])
    let (sum, outcome) = lostUpdate(ScriptPolicy(script))
    #expect(sum == 1)
    #expect((outcome.policy as? ScriptPolicy)?.divergence == nil)
    #expect(lostUpdate(ScriptPolicy([])).sum == 2)
  }

  @Test func aScriptOutlivesStepsThatItDoesNotName() {
    var losses = 0
    for seed in 1...100 as ClosedRange<UInt64> {
      let first = lostUpdate(RandomWalkPolicy(seed: seed))
      guard first.sum == 1 else { continue }
      losses += 1
      let edited = lostUpdate(ScriptPolicy(ScheduleSegment.segments(of: first.outcome.trace)), edit: true)
      #expect(edited.sum == 1)
    }
    #expect(losses > 10)
  }

  @Test func whatDoesNotFitIsSaid() {
    func divergence(_ lines: [(task: String, stop: (point: String, subject: String, nth: Int)?)]) -> String? {
      let policy = lostUpdate(ScriptPolicy(segments(lines))).outcome.policy as? ScriptPolicy
      return policy?.divergence.map { "\($0.segment): \($0.reason)" }
    }
    #expect(divergence([("client 3", nil)]) == "0: client 3 cannot run here")
    #expect(
      divergence([("client 1", ("enter", "shop", 1))])
        == "0: client 1 waits or is over, and was to stop before enter 1 shop")
    #expect(
      divergence([("client 1", ("start", "client 1", 1))])
        == "0: client 1 is there already: before start")
  }
}
