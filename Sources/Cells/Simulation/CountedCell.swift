import Boundary
import CProcess
import Checking
import SQLite
import Scheduling

/// A cell of which instructions, or other costs, are counted: it runs once in a simulation, in the order in which its tasks become
/// ready.
enum CountedCell {
  /// Steps after which the cell counts as a livelock: many times those of the longest scenarios.
  private static let stepsMax = 50_000_000

  /// More threads than the tasks of a cell take at once.
  private static let threads = 32

  /// Has threads made for tasks, so that none is while instructions are counted: whether a task that ends leaves its thread in
  /// time for the next is chance.
  private static func makeThreads() {
    precondition(!Simulation.isCurrent, "threads are made before the cell")
    _ = Simulation.run(policy: FIFOPolicy()) {
      let pool = WorkPool(label: "first tasks", width: threads)
      for _ in 0..<threads {
        pool.submit("wait") { Simulation.wait(nanoseconds: SimulatedCell.stepNanoseconds * UInt64(threads)) }
      }
    }
  }

  /// Runs the cell once uncounted. The runtime's work of once a process is then done: it finds metadata and conformances in
  /// tables in an order that depends on the addresses of libraries, which differ in every process.
  private static func prepare(_ request: CellRequest, _ store: EmptyStore, _ options: Simulation.Options) throws {
    var request = request
    request.countsInstructions = nil
    try store.write(in: request.directory)
    _ = SimulatedCell.run(request, policy: FIFOPolicy(), options: options)
    try SurvivingFiles.clear(request.directory)
  }

  /// Runs the cell and calls `onEnd` once its result is written.
  ///
  /// - Precondition: called on the main thread, before another thread begins; the cell has one process.
  static func run(_ request: CellRequest, onEnd: @Sendable () -> Never) -> Never {
    precondition(SerialQueue.main.isHeld, "instructions are counted from the main thread on")
    cprocess_stay_on_processor(0)
    let meter = request.countsCosts == true ? CostMeter() : nil
    if meter != nil { WorkCounts.begin() }
    SimulatedCell.prepareProcess()
    makeThreads()
    var options = Simulation.Options()
    options.stepsMax = stepsMax
    options.recordsTrace = meter != nil
    do {
      // Nothing of a disk is counted, and the store is empty when the cell begins.
      let store = try EmptyStore(for: request)
      if meter == nil { try prepare(request, store, options) }
      try store.write(in: request.directory)
      let result = SimulatedCell.run(request, policy: FIFOPolicy(), options: options, meter: meter)
      if let failure = result.failure { CellExit.fail(failure) }
      for violation in result.violations { result.records.append(violation) }
      try result.records.write(in: request.directory)
      var measurement = result.measurement ?? CellMeasurement()
      measurement.keepCountsOnly()
      if measurement.isComplete { measurement.costs = meter?.costs(result.outcome.trace) }
      CellRunner.finish(measurement, in: request.directory, onEnd)
    } catch {
      CellExit.fail("\(error)")
    }
  }
}
