import Boundary
import CProcess
import Checking
import Scheduling

/// A cell whose instructions are counted: it runs once in a simulation, in the order in which its tasks become ready.
enum CountedCell {
  /// Steps after which the cell counts as a livelock: many times what the longest scenarios take.
  private static let stepsMax = 50_000_000

  /// Runs the cell and calls `onEnd` once its result is written.
  ///
  /// - Precondition: called on the main thread, before another thread begins; the cell has one process.
  static func run(_ request: CellRequest, onEnd: @Sendable () -> Never) -> Never {
    precondition(SerialQueue.main.isHeld, "instructions are counted from the main thread on")
    cprocess_stay_on_processor(0)
    SimulatedCell.prepareProcess()
    var options = Simulation.Options()
    options.stepsMax = stepsMax
    let result = SimulatedCell.run(request, policy: FIFOPolicy(), options: options)
    if let failure = result.failure { CellExit.fail(failure) }
    for violation in result.violations { result.records.append(violation) }
    do {
      try result.records.write(in: request.directory)
    } catch {
      CellExit.fail("\(error)")
    }
    var measurement = result.measurement ?? CellMeasurement()
    measurement.keepCountsOnly()
    CellRunner.finish(measurement, in: request.directory, onEnd)
  }
}
