import Boundary
import Checking
import CoreData
import Measuring
import RowStore
import SQLite
import Scenarios
import Scheduling

/// Runs a cell in a simulation: the stack, the strategy and the workload as they are, in an order that a policy chooses,
/// by the simulation's clock.
package enum SimulatedCell {
  /// The result of one schedule.
  package struct Result: Sendable {
    package var outcome: SimulationOutcome
    /// The cell's measurement; nil where it did not come to its end.
    package var measurement: CellMeasurement?
    /// The error of its harness.
    package var failure: String?
    /// Deadlocks and livelocks that the simulation itself saw.
    package var violations: [Violation]
    /// Queues that were entered inside each other.
    package var lockOrders: Set<StepPair>
    /// The fault that ended the process of the cell, if one did: ``SurvivingFiles`` are all that is left.
    package var death: InjectedFault?
    /// Its histories and reports.
    package var records: RecordsInMemory
    /// Whether threads and objects of the cell stay in the process for ever.
    package var leavesTasks: Bool { outcome.ending != .finished || outcome.kills > 0 }
  }

  /// By the simulation's clock; so slow that a heartbeat of 60 Hz comes in between.
  static let stepNanoseconds: UInt64 = 100_000

  /// Lets the process simulate cells: its clocks and SQLite's waits are the simulation's where there is one. Once, before
  /// anything else is done.
  package static func prepareProcess() {
    MonotonicClock.replace { Simulation.now }
    HistoryWriter.replaceClock { Simulation.now }
    StoreCheckpoints.watchReads()
    SimulatedFiles.begin()
    BusyWait.replace {
      guard Simulation.isCurrent else { return false }
      Simulation.wait(nanoseconds: UInt64(BusyWait.microseconds) * 1_000)
      return true
    }
  }

  /// Runs the cell once.
  ///
  /// - Parameter request: its folder exists, with nothing but an `EmptyStore` in it, or empty.
  ///   A cell of several processes has as many in the simulation.
  package static func run(
    _ request: CellRequest, policy: any SchedulePolicy, options: Simulation.Options
  ) -> Result { run(request, policy: policy, options: options, meter: nil) }

  /// The same, with `meter` counting the costs of its measured span.
  static func run(
    _ request: CellRequest, policy: any SchedulePolicy, options: Simulation.Options, meter: CostMeter?
  ) -> Result {
    precondition(request.startedAs == nil, "a simulation starts the processes of a cell itself")
    guard let strategy = StrategyRegistry.strategy(named: request.key.strategy),
      let workload = WorkloadRegistry.workload(named: request.workload)
    else { preconditionFailure("a scenario that was read has a strategy and a workload") }
    let ends = Locked((measurement: nil as CellMeasurement?, failure: nil as String?, death: nil as InjectedFault?))
    CellExit.onFailure { message in
      guard Simulation.isCurrent else { return }
      ends.withLock { $0.failure = message }
      Simulation.abandon()
    }
    defer { CellExit.onFailure(nil) }
    LockOrder.reset()
    let records = RecordsInMemory()
    let faults = FaultInjector(request.settings, seed: request.key.seed) { fault in
      ends.withLock { $0.death = fault }
      Simulation.abandon()
    }
    faults.install()
    defer { faults.uninstall() }
    var options = options
    options.stepNanoseconds = stepNanoseconds
    func simulated() -> SimulationOutcome {
      Simulation.run(policy: policy, options) {
        Simulation.keepOpen(true)
        let parts = Parts(strategy: strategy, workload: workload, faults: faults, records: records)
        install(records, parts)
        let peers = request.share.count == 1 ? nil : startOthers(request, parts)
        begin(request, parts, peers, meter) { measurement in
          ends.withLock { $0.measurement = measurement }
          Simulation.keepOpen(false)
        }
      }
    }
    let isShared = SimulatedFiles.areShared(by: request)
    let outcome = faults.whileWatching { isShared ? SimulatedFiles.shared(simulated) : simulated() }
    let end = ends.withLock { $0 }
    return Result(
      outcome: outcome, measurement: end.measurement, failure: end.failure,
      violations: violations(outcome, stepsMax: options.stepsMax), lockOrders: LockOrder.orders, death: end.death,
      records: records)
  }

  /// The parts that the processes of a cell have alike.
  private struct Parts: Sendable {
    let strategy: any Strategy.Type
    let workload: any Workload.Type
    let faults: FaultInjector
    let records: RecordsInMemory
    /// The session of the first process, until it ends.
    let running = Locked<CellSession?>(nil)
  }

  private static func install(_ records: RecordsInMemory, _ parts: Parts) {
    CellReports.install(writingTo: records, keepsBacktraces: false) { [running = parts.running] in
      guard let session = running.withLock({ $0.take() }) else { CellExit.fail("a dead end before the cell began") }
      session.endEarly()
    }
  }

  /// Starts the other processes of the cell.
  private static func startOthers(_ request: CellRequest, _ parts: Parts) -> SimulatedPeers {
    precondition(request.share.isFirst, "the first process of a cell starts the others")
    return SimulatedPeers.start(request.share.count) { share, peers in
      var own = request
      own.startedAs = share
      own.cellDirectory = request.directory
      begin(own, parts, peers, nil) { measurement in peers.end(measurement) }
    }
  }

  /// Begins the cell in the calling task's process.
  private static func begin(
    _ request: CellRequest, _ parts: Parts, _ peers: SimulatedPeers?, _ meter: CostMeter?,
    onEnd: @escaping @Sendable (CellMeasurement) -> Void
  ) {
    do {
      let session = try CellSession(
        request: request, strategy: parts.strategy, workload: parts.workload, meter: MainThreadMeter(isSimulated: true),
        faults: parts.faults, records: parts.records
      ) { measurement in
        if request.share.isFirst { parts.running.withLock { $0 = nil } }
        onEnd(measurement)
      }
      if request.share.isFirst { parts.running.withLock { $0 = session } }
      session.costs = meter
      if let peers { session.join(peers) }
      let prepared = try parts.workload.init(session)
      session.shareSaves()
      session.meet { CellRunner.start(prepared, request, session) }
    } catch {
      CellExit.fail("\(error)")
    }
  }

  private static func violations(_ outcome: SimulationOutcome, stepsMax: Int) -> [Violation] {
    var violations = outcome.cycles.map { Violation.deadlock($0) }
    switch outcome.ending {
    // The last two are of intercepted calls, which a cell does not have.
    case .finished, .abandoned, .stalled, .notSimulated: break
    case .deadlock(let waits):
      guard violations.isEmpty else { break }
      violations = [
        Violation(
          kind: .hang, subject: "all tasks", expected: "every wait can end",
          seen: "no task can run: " + waits.joined(separator: "; "))
      ]
    case .stepLimit:
      violations.append(
        Violation(
          kind: .hang, subject: "the cell", expected: "it ends within \(stepsMax) steps",
          seen: "its tasks went on and came to no end: a livelock"))
    }
    return violations
  }
}
