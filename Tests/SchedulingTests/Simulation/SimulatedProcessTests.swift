import Testing

@testable import Scheduling

/// Processes of one simulation; one simulation at a time in a process.
@Suite(.serialized) struct SimulatedProcessTests {
  /// A process counts on its main queue and on a pool, and another one kills it.
  private func killed(_ policy: any SchedulePolicy) -> (entries: [String], outcome: SimulationOutcome) {
    let log = Locked<[String]>([])
    let outcome = Simulation.run(policy: policy, recordsTrace: true) {
      let child = SimulatedProcess.start("child") {
        let pool = WorkPool(label: "clients", width: 1)
        pool.submit("client") {
          for number in 1...3 { SerialQueue(label: "work").sync { log.withLock { $0.append("client \(number)") } } }
        }
        pool.notifyWhenAllFinished(on: .main) { log.withLock { $0.append("child") } }
      }
      let pool = WorkPool(label: "killer", width: 1)
      pool.submit("kill") {
        child.kill()
        log.withLock { $0.append("killed") }
        child.run("too late") { log.withLock { $0.append("too late") } }
      }
      pool.notifyWhenAllFinished(on: .main) { log.withLock { $0.append("parent") } }
    }
    return (log.current, outcome)
  }

  private func walk(_ seed: UInt64) -> any SchedulePolicy {
    RareStepPolicy(RandomWalkPolicy(seed: seed), rate: 0.1, seed: seed)
  }

  @Test func aKilledProcessTakesNoFurtherStepAndTheOtherComesToItsEnd() {
    var ends: Set<Int> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let (entries, outcome) = killed(walk(seed))
      #expect(outcome.ending == .finished && outcome.kills == 1)
      #expect(entries.suffix(2) == ["killed", "parent"], "\(entries)")
      let before = entries.dropLast(2)
      #expect(["client 1", "client 2", "client 3", "child"].starts(with: before), "\(entries)")
      ends.insert(before.count)
    }
    #expect(ends == [0, 1, 2, 3, 4], "it is killed at every step")
  }

  @Test func theSameSeedAndTheSameScriptGiveTheSameTrace() {
    for seed in 1...50 as ClosedRange<UInt64> {
      let first = killed(walk(seed))
      let again = killed(walk(seed))
      #expect(again.entries == first.entries && again.outcome.trace == first.outcome.trace)
      let script = killed(ScriptPolicy(ScheduleSegment.segments(of: first.outcome.trace)))
      #expect(script.entries == first.entries && script.outcome.fingerprint == first.outcome.fingerprint)
      #expect((script.outcome.policy as? ScriptPolicy)?.divergence == nil)
    }
  }

  @Test func tasksAreNamedAfterTheirProcessAndEachHasItsMainQueue() {
    let names = Set(killed(RareStepPolicy(FIFOPolicy(), rate: 0, seed: 1)).outcome.trace.map(\.key))
    #expect(names == ["main", "kill", "child: main", "child: client"], "\(names)")
    let queues = Locked<[SerialQueue]>([])
    _ = Simulation.run(policy: FIFOPolicy()) {
      queues.withLock { $0.append(.main) }
      _ = SimulatedProcess.start("child") {
        #expect(SerialQueue.main.isHeld && SerialQueue.main.isMain)
        queues.withLock { $0.append(.main) }
        SerialQueue.main.async { #expect(SimulatedProcess.current?.name == "child") }
      }
    }
    #expect(queues.current.count == 2 && queues.current[0] !== queues.current[1])
    #expect(queues.current[0] === SerialQueue.main)
  }

  @Test func aBlockForOneProcessIsNotCalledInAnother() {
    let calls = Locked(0)
    _ = Simulation.run(policy: FIFOPolicy()) {
      let note = SimulatedProcess.only { (_: Int) in calls.withLock { $0 += 1 } }
      note(1)
      _ = SimulatedProcess.start("child") { note(2) }
    }
    #expect(calls.current == 1)
    SimulatedProcess.only { (_: Int) in calls.withLock { $0 += 1 } }(3)
    #expect(calls.current == 2)
  }

  @Test func killsAreRareAndComeWhereNothingElseCanRun() {
    var policy = RareStepPolicy(FIFOPolicy(), rate: 0, seed: 1)
    let kill = Choice(task: 1, step: Step(point: SimulatedProcess.killPoint))
    let other = Choice(task: 0, step: Step(point: "enter"))
    #expect(policy.choose([other, kill], current: 1) == 0)
    #expect(policy.choose([kill], current: nil) == 0)
    var often = RareStepPolicy(FIFOPolicy(), rate: 0.25, seed: 1)
    let kills = (0..<1_000).count { _ in often.choose([other, kill], current: 0) == 1 }
    #expect(200...300 ~= kills)
  }
}
