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
    package var leavesTasks: Bool { outcome.ending != .finished }
  }

  /// By the simulation's clock; so slow that a heartbeat of 60 Hz comes in between.
  static let stepNanoseconds: UInt64 = 100_000

  /// Lets the process simulate cells: its clocks and SQLite's waits are the simulation's where there is one. Once, before
  /// anything else is done.
  package static func prepareProcess() {
    MonotonicClock.replace { Simulation.now }
    HistoryWriter.replaceClock { Simulation.now }
    StoreCheckpoints.watchReads()
    BusyWait.replace {
      guard Simulation.isCurrent else { return false }
      Simulation.wait(nanoseconds: UInt64(BusyWait.microseconds) * 1_000)
      return true
    }
  }

  /// Runs the cell once.
  ///
  /// - Parameter request: its folder exists, with nothing but an `EmptyStore` in it, or empty.
  /// - Precondition: the cell has one process.
  package static func run(
    _ request: CellRequest, policy: any SchedulePolicy, options: Simulation.Options
  ) -> Result { run(request, policy: policy, options: options, meter: nil) }

  /// The same, with `meter` counting the costs of its measured span.
  static func run(
    _ request: CellRequest, policy: any SchedulePolicy, options: Simulation.Options, meter: CostMeter?
  ) -> Result {
    precondition(request.share.count == 1, "a simulation has one process")
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
    let outcome = faults.whileWatching {
      Simulation.run(policy: policy, options) {
        Simulation.keepOpen(true)
        begin(request, strategy, workload, faults, records, meter) { measurement in
          ends.withLock { $0.measurement = measurement }
          Simulation.keepOpen(false)
        }
      }
    }
    let end = ends.withLock { $0 }
    return Result(
      outcome: outcome, measurement: end.measurement, failure: end.failure,
      violations: violations(outcome, stepsMax: options.stepsMax), lockOrders: LockOrder.orders, death: end.death,
      records: records)
  }

  private static func begin(
    _ request: CellRequest, _ strategy: any Strategy.Type, _ workload: any Workload.Type, _ faults: FaultInjector,
    _ records: RecordsInMemory, _ meter: CostMeter?, onEnd: @escaping @Sendable (CellMeasurement) -> Void
  ) {
    do {
      let running = Locked<CellSession?>(nil)
      CellReports.install(writingTo: records, keepsBacktraces: false) {
        guard let session = running.withLock({ $0.take() }) else { CellExit.fail("a dead end before the cell began") }
        session.endEarly()
      }
      let session = try CellSession(
        request: request, strategy: strategy, workload: workload, meter: MainThreadMeter(isSimulated: true),
        faults: faults, records: records
      ) { measurement in
        running.withLock { $0 = nil }
        onEnd(measurement)
      }
      running.withLock { $0 = session }
      session.costs = meter
      let prepared = try workload.init(session)
      CellRunner.start(prepared, request, session)
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
