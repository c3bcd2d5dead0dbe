import Testing

@testable import Scheduling

/// Time, deadlocks beside a heartbeat, and ends in a simulation.
@Suite(.serialized) struct SimulatedTimeTests {
  /// A log that tasks of one simulation write; the baton orders them.
  private final class Log: @unchecked Sendable {
    // Sendable: only the task with the baton touches it.
    var entries: [String] = []
    func add(_ entry: String) { entries.append(entry) }
  }

  @Test(arguments: [true, false]) func aWaitWithALimitEndsByTheSimulationsClock(_ isOpened: Bool) {
    let log = Log()
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      let latch = Latch(label: "latch")
      SerialQueue(label: "waiter").async {
        let begin = Simulation.now ?? 0
        let wasOpened = latch.wait(atMost: 2)
        log.add("\(wasOpened) after \(((Simulation.now ?? 0) - begin) / 1_000_000_000) s")
      }
      if isOpened { SerialQueue(label: "opener").async { latch.open() } }
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries == [isOpened ? "true after 0 s" : "false after 2 s"])
  }

  @Test func aTaskWaitsForAMomentWhileOthersGoOn() {
    let log = Log()
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      SerialQueue(label: "first").async {
        Simulation.wait(nanoseconds: 50_000)
        log.add("first")
      }
      SerialQueue(label: "second").async { log.add("second") }
    }
    #expect(outcome.ending == .finished)
    #expect(log.entries == ["second", "first"])
  }

  @Test func aHeartbeatHidesNoDeadlock() {
    let outcome = Simulation.run(policy: FIFOPolicy(), stepsMax: 10_000) {
      let ticker = Ticker(intervalNanoseconds: 16_000_000, on: .main) { _, _ in }
      let latch = Latch(label: "never opened")
      SerialQueue(label: "waiter").async { withExtendedLifetime(ticker) { latch.wait() } }
    }
    guard case .deadlock(let waits) = outcome.ending else {
      Issue.record("ended \(outcome.ending)")
      return
    }
    #expect(waits == ["waiter waits for latch \"never opened\""])
  }

  @Test func tickersAloneKeepASimulationOpenOnlyWhereItIsWanted() {
    let log = Log()
    func run(isKeptOpen: Bool) {
      log.entries = []
      _ = Simulation.run(policy: FIFOPolicy()) {
        Simulation.keepOpen(isKeptOpen)
        let box = Locked<Ticker?>(nil)
        let ticker = Ticker(intervalNanoseconds: 1_000_000, on: .main) { _, _ in
          log.add("tick")
          guard log.entries.count == 5 else { return }
          box.withLock { $0 = nil }
          Simulation.keepOpen(false)
        }
        box.withLock { $0 = ticker }
      }
    }
    run(isKeptOpen: true)
    #expect(log.entries.count == 5)
    run(isKeptOpen: false)
    #expect(log.entries.isEmpty)
  }

  @Test func anAbandonedSimulationEndsWhereItIs() {
    let log = Log()
    let outcome = Simulation.run(policy: FIFOPolicy()) {
      SerialQueue(label: "first").async {
        log.add("first")
        Simulation.abandon()
      }
      SerialQueue(label: "second").async { log.add("second") }
    }
    #expect(outcome.ending == .abandoned)
    #expect(log.entries == ["first"])
  }

  @Test func aSimulationInsideOfOneIsNotSimulated() {
    let outcome = Simulation.run(policy: FIFOPolicy()) { _ = Simulation.run(policy: FIFOPolicy()) {} }
    #expect(outcome.ending == .notSimulated("Simulation.run, inside of a simulation"))
  }

  @Test func pairsOfStepsOnOneResourceAreCollected() {
    var options = Simulation.Options()
    options.collectsPairs = true
    let outcome = Simulation.run(policy: FIFOPolicy(), options) {
      let queue = SerialQueue(label: "shared")
      let pool = WorkPool(label: "pool", width: 2)
      for number in 1...2 { pool.submit("job \(number)") { queue.sync {} } }
    }
    #expect(outcome.pairs == [StepPair("enter", "enter")])
    #expect(Simulation.run(policy: FIFOPolicy()) { SerialQueue(label: "queue").sync {} }.pairs.isEmpty)
  }
}
