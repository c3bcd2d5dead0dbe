import Boundary
import Checking
import CoreData
import RowStore
import Scenarios
import Scheduling

/// The child's side of a run: does one cell and ends the process.
public enum CellRunner {
  /// Runs the cell and exits with status 0 once `result.json` is in its folder, also when a deadlock or a
  /// relationship between contexts ended the cell; with 70 and a message on standard error when the harness failed.
  ///
  /// Serves the main queue with the main run loop.
  /// - Precondition: called on the main thread, once a process.
  public static func run(_ request: CellRequest) -> Never { run(request) { CellExit.end() } }

  /// Runs the cell; after its result is written, the caller continues.
  ///
  /// - Parameter onEnd: called on the thread that ended the cell: main, or the one that closed a deadlock's cycle, while
  ///   the others are where they are.
  package static func run(_ request: CellRequest, onEnd: @escaping @Sendable () -> Never) -> Never {
    guard let strategy = StrategyRegistry.strategy(named: request.key.strategy) else {
      CellExit.fail("there is no strategy \(request.key.strategy)")
    }
    Slowdown.plant(request.settings)
    if request.countsInstructions == true { CountedCell.run(request, onEnd: onEnd) }
    if request.workload == CrashSaver.workloadName { CrashSaver.run(request, strategy) }
    guard let workload = WorkloadRegistry.workload(named: request.workload) else {
      CellExit.fail("there is no workload \(request.workload)")
    }
    let notesOrder = request.notesOrder == true
    let meter = MainThreadMeter()
    let faults = FaultInjector(request.settings, seed: request.key.seed, process: request.share.index)
    faults.install()
    if notesOrder { noteOrder() }
    SerialQueue.main.async {
      do {
        let running = Locked<CellSession?>(nil)
        CellReports.install(
          writingTo: try LiveReportWriter(path: Evidence.reportsPath(in: request.sharedDirectory))
        ) {
          guard let session = running.withLock({ $0 }) else { CellExit.fail("a dead end before the cell began") }
          session.endEarly()
        }
        let session = try CellSession(
          request: request, strategy: strategy, workload: workload, meter: meter, faults: faults
        ) { measurement in
          finish(measurement, in: request.directory, onEnd)
        }
        running.withLock { $0 = session }
        try session.joinPeers(request)
        let prepared = try workload.init(session)
        // Names number the steps before: a simulation has no warm-up.
        if notesOrder { return start(prepared, request, session) }
        try WarmUp.run(request, strategy, meter: meter) {
          session.shareSaves()
          session.meet { start(prepared, request, session) }
        }
      } catch {
        CellExit.fail("\(error)")
      }
    }
    faults.whileWatching { MainLoop.run() }
  }

  /// Notes the order of this process's steps from now on, among them the reads of stores that are opened later.
  private static func noteOrder() {
    StoreCheckpoints.watchReads()
    LiveOrder.begin()
  }

  static func start(_ workload: any Workload, _ request: CellRequest, _ session: CellSession) {
    do {
      precondition(
        session.strategy.mainContext.concurrencyType == .mainQueueConcurrencyType, "main's context is on main's queue")
      session.watchMain()
      if request.checks.contains(NotificationChecker.checkName) {
        try NotificationRecorder.start(session, type(of: workload).schema(for: request.settings).layout)
      }
      try workload.start()
    } catch {
      CellExit.fail("\(error)")
    }
  }

  static func finish(
    _ measurement: CellMeasurement, in directory: String, _ onEnd: @Sendable () -> Never
  ) -> Never {
    do {
      try LiveOrder.end().map { NotedOrder(segments: $0.segments, isCut: $0.isCut) }?.write(in: directory)
      let data = try JSONEncoder().encode(measurement)
      let file = URL(fileURLWithPath: directory).appendingPathComponent(CellMeasurement.fileName)
      try data.write(to: file, options: .atomic)
    } catch {
      CellExit.fail("the result cannot be written: \(error)")
    }
    onEnd()
  }
}
