import Testing

@testable import Scheduling

/// Simulations; one at a time in a process.
@Suite(.serialized) struct SimulationTests {
  /// A log that tasks of one simulation write; the baton orders them.
  private final class Log: @unchecked Sendable {
    // Sendable: only the task with the baton touches it.
    var entries: [String] = []
    func add(_ entry: String) { entries.append(entry) }
  }

  /// Two clients read a number on a queue, and write it one higher: a lost update where both read before one writes.
  private func lostUpdate(_ policy: any SchedulePolicy, recordsTrace: Bool = false) -> (Int, SimulationOutcome) {
    let log = Log()
    let outcome = Simulation.run(policy: policy, recordsTrace: recordsTrace) {
      let queue = SerialQueue(label: "store")
      let group = WaitGroup(label: "clients")
      let pool = WorkPool(label: "clients", width: 2)
      let number = Locked(0)
      for client in 1...2 {
        group.run("client \(client)", on: pool) {
          let seen = queue.sync { number.current }
          queue.sync { number.withLock { $0 = seen + 1 } }
        }
      }
      group.notify(on: .main) { log.add("\(number.current)") }
    }
    return (Int(log.entries.last ?? "0") ?? 0, outcome)
  }

  /// Threads are reused from simulation to simulation; an object named after one would have another name the next time.
  @Test func aThreadHasTheNameOfItsTask() {
    let log = Log()
    for _ in 1...2 {
      _ = Simulation.run(policy: FIFOPolicy()) {
        let pool = WorkPool(label: "clients", width: 2)
        let group = WaitGroup(label: "clients")
        for client in 1...2 { group.run("client \(client)", on: pool) { log.add(ThreadRecord.current.name) } }
        group.notify(on: .main) { log.add(ThreadRecord.current.name) }
      }
    }
    #expect(log.entries.prefix(3) == log.entries.suffix(3))
    #expect(log.entries.prefix(3).sorted() == ["client 1", "client 2", "main"])
  }

  @Test func everythingEndsBeforeTheSimulation() {
    let (sum, outcome) = lostUpdate(FIFOPolicy())
    #expect(outcome.ending == .finished)
    #expect(sum == 2)
  }

  @Test func randomWalksFindALostUpdateAndReplaysRepeatIt() throws {
    var found = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      let (sum, outcome) = lostUpdate(RandomWalkPolicy(seed: seed), recordsTrace: true)
      guard sum == 1 else { continue }
      found += 1
      let script = ScriptPolicy(ScheduleSegment.segments(of: outcome.trace))
      let (again, replayed) = lostUpdate(script, recordsTrace: true)
      #expect(again == 1)
      #expect(replayed.trace == outcome.trace)
      #expect((replayed.policy as? ScriptPolicy)?.divergence == nil)
    }
    #expect(found > 20 && found < 180)
  }

  @Test func oneSeedGivesOneTrace() {
    let (_, first) = lostUpdate(RandomWalkPolicy(seed: 7), recordsTrace: true)
    let (_, second) = lostUpdate(RandomWalkPolicy(seed: 7), recordsTrace: true)
    #expect(first.trace == second.trace)
    #expect(first.trace.contains { $0.step.point == "enter" && $0.step.subject == "store" })
    #expect(lostUpdate(RandomWalkPolicy(seed: 8)).1.fingerprint != first.fingerprint)
  }

  @Test(arguments: ["pct", "pos", "delay-bounded"]) func everyPolicyFindsTheLostUpdate(_ name: String) {
    func policy(_ seed: UInt64) -> any SchedulePolicy {
      switch name {
      case "pct": PCTPolicy(seed: seed, depth: 2, steps: 20)
      case "pos": POSPolicy(seed: seed)
      default: DelayBoundedPolicy(seed: seed, delays: 2, steps: 20)
      }
    }
    let sums = (1...200).map { lostUpdate(policy($0)).0 }
    #expect(sums.contains(1))
    #expect(sums.contains(2))
  }

  @Test func nestedQueuesInBothOrdersCanDeadlock() {
    func run(_ seed: UInt64) -> SimulationOutcome {
      Simulation.run(policy: RandomWalkPolicy(seed: seed)) {
        let queues = [SerialQueue(label: "a"), SerialQueue(label: "b")]
        let pool = WorkPool(label: "pool", width: 2)
        for (outer, inner) in [(0, 1), (1, 0)] {
          pool.submit("job") { queues[outer].sync { queues[inner].sync {} } }
        }
      }
    }
    let outcomes = (1...50).map { run($0) }
    let endings = outcomes.map(\.ending)
    #expect(endings.contains(.finished))
    let stuck = endings.compactMap { ending -> [String]? in
      if case .deadlock(let links) = ending { links } else { nil }
    }
    #expect(!stuck.isEmpty && stuck.count < 50)
    #expect(outcomes.count { $0.cycles.count == 1 } == stuck.count)
    #expect(stuck.allSatisfy { $0.sorted() == ["job waits for the turn of a", "job waits for the turn of b"] })
  }

  @Test func blocksOfTheMainQueueRunOnTheMainTask() {
    let log = Log()
    let outcome = Simulation.run(policy: RandomWalkPolicy(seed: 3)) {
      #expect(SerialQueue.main.isHeld)
      let queue = SerialQueue(label: "worker")
      queue.async {
        #expect(!SerialQueue.main.isHeld)
        let value = SerialQueue.main.sync { () -> Int in
          #expect(SerialQueue.main.isHeld)
          return 5
        }
        log.add("\(value)")
        SerialQueue.main.async { log.add("main") }
      }
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries == ["5", "main"])
  }

  @Test func anErrorOnTheMainQueueComesBack() {
    struct Refused: Error {}
    let log = Log()
    _ = Simulation.run(policy: FIFOPolicy()) {
      SerialQueue(label: "worker").async {
        do { try SerialQueue.main.sync { throw Refused() } } catch { log.add("\(error is Refused)") }
      }
    }
    #expect(log.entries == ["true"])
  }

  @Test func gatesErrandsAndThreadsAreSimulated() {
    for seed in 1...30 as ClosedRange<UInt64> {
      let log = Log()
      let outcome = Simulation.run(policy: RandomWalkPolicy(seed: seed)) {
        let gate = Latch(label: "gate")
        let queue = SerialQueue(label: "opener")
        let thread = RunLoopThread(label: "thread")
        SerialQueue(label: "waiter").async {
          gate.wait()
          log.add((try? thread.run("errand") { thread.isCurrent ? "on" : "off" }) ?? "failed")
        }
        queue.async { gate.open() }
      }
      #expect(outcome.ending == .finished)
      #expect(log.entries == ["on"])
    }
  }

  @Test func aPoolRunsNoMoreThanItsWidth() {
    let log = Log()
    let outcome = Simulation.run(policy: RandomWalkPolicy(seed: 5)) {
      let pool = WorkPool(label: "pool", width: 2)
      let queue = SerialQueue(label: "queue")
      let running = Locked(0)
      for _ in 0..<6 {
        pool.submit("job") {
          let count = running.withLock { count in
            count += 1
            return count
          }
          log.add("\(count)")
          queue.sync {}
          running.withLock { $0 -= 1 }
        }
      }
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries.count == 6)
    #expect(Set(log.entries) == ["1", "2"])
  }

  @Test func tickersTickByTheSimulationsClock() {
    let log = Log()
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      let gate = Latch(label: "third tick")
      let ticker = Ticker(intervalNanoseconds: 1_000_000_000, on: .main) { intended, actual in
        #expect(actual >= intended)
        log.add("\((intended - Simulation.clockAtStart) / 1_000_000_000)")
        if log.entries.count == 3 { gate.open() }
      }
      SerialQueue(label: "waiter").async {
        gate.wait()
        ticker.stop()
      }
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries == ["1", "2", "3"])
  }

  @Test func tooManyStepsAreGivenUp() {
    let outcome = Simulation.run(policy: FIFOPolicy(), stepsMax: 100) {
      let queue = SerialQueue(label: "queue")
      while true { queue.sync {} }
    }
    #expect(outcome.ending == .stepLimit)
    #expect(outcome.steps == 101)
  }

  @Test func drainWaitsForTheLastBlock() {
    let log = Log()
    let outcome = Simulation.run(policy: RandomWalkPolicy(seed: 11)) {
      let queue = SerialQueue(label: "queue")
      for number in 1...3 { queue.async { log.add("\(number)") } }
      queue.drain()
      log.add("drained")
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries == ["1", "2", "3", "drained"])
  }

  /// Says at its end whether that is a step of a task.
  private final class Held: Sendable {
    private let log: Log

    init(_ log: Log) { self.log = log }

    deinit { log.add(Simulation.isCurrent ? "released by a task" : "released beside the tasks") }
  }

  @Test func whatATaskHoldsIsReleasedBeforeTheNextOneContinues() {
    let log = Log()
    _ = Simulation.run(policy: FIFOPolicy()) {
      let held = Held(log)
      Simulation.current?.add("holder") { withExtendedLifetime(held) {} }
    }
    #expect(log.entries == ["released by a task"])
  }
}
