import Checking
import CoreData
import Measuring
import Reporting
import Scheduling

/// One cell while it runs: its stack and strategy, its recorders, and what is measured.
public final class CellSession: @unchecked Sendable {
  // Sendable: what is not behind a lock is only touched on the main thread.

  /// The scenario's keys.
  public let settings: ScenarioSettings
  /// Seed of the cell's data and draws.
  public let seed: UInt64
  /// The strategy under test.
  public let strategy: any Strategy
  /// Folder of the cell.
  public let directory: String

  package let container: NSPersistentContainer
  package let environment: StrategyEnvironment
  package let meter: MainThreadMeter
  /// The main thread's recorder: process 0 of the history.
  package let main: WorkerRecorder
  let heartbeat: Heartbeat

  private let recorders: Locked<[WorkerRecorder]>
  private let phaseSeconds = Locked<[String: Double]>([:])
  private let walBytesPeak = Locked<UInt64>(0)
  private let acknowledged = Locked<Int>(0)
  private let inversesChecked = Locked<Int>(0)
  private let onEnd: @Sendable (CellMeasurement) -> Never
  private var measurement = CellMeasurement()
  private var cpuAtStart: UInt64 = 0
  private var allocatedAtStart: UInt64?

  init(
    request: CellRequest, strategy: any Strategy.Type, workload: any Workload.Type, meter: MainThreadMeter,
    onEnd: @escaping @Sendable (CellMeasurement) -> Never
  ) throws {
    settings = request.scenario
    seed = request.key.seed
    directory = request.directory
    self.meter = meter
    self.onEnd = onEnd
    container = try NotebookStore.open(in: directory, model: workload.schema(for: settings).model)
    environment = StrategyEnvironment(container: container, settings: settings, meter: meter)
    self.strategy = try strategy.init(environment)
    try FileManager.default.createDirectory(atPath: directory + "/histories", withIntermediateDirectories: true)
    main = WorkerRecorder(history: try HistoryWriter(path: History.path(of: 0, in: directory), process: 0), role: .main)
    recorders = Locked([main])
    heartbeat = Heartbeat(recorder: main, meter: meter)
  }

  /// A recorder for the next worker; processes are numbered from 1.
  package func makeRecorder() throws -> WorkerRecorder {
    try recorders.withLock { recorders in
      let process = UInt32(recorders.count)
      let history = try HistoryWriter(path: History.path(of: process, in: directory), process: process)
      let recorder = WorkerRecorder(history: history, role: .worker)
      recorders.append(recorder)
      return recorder
    }
  }

  // MARK: What is measured

  /// Starts the measured span; on the main thread.
  package func startMeasuring() {
    cpuAtStart = MonotonicClock.processCPU()
    allocatedAtStart = AllocationCounter.processBytes
    meter.start()
  }

  /// Ends the measured span; on the main thread.
  package func stopMeasuring() {
    let used = meter.stop()
    measurement.mainThread = used.time
    measurement.mainCPUSeconds = used.cpuSeconds
    measurement.cpuSeconds = Double(MonotonicClock.processCPU() - cpuAtStart) / 1e9
    if let before = allocatedAtStart, let after = AllocationCounter.processBytes {
      measurement.allocatedBytes = after - before
    }
  }

  /// Says when the workload's rows were all in the file and all known to main, as seconds from its first operation; on
  /// the main thread.
  package func setCompletion(untilDurable: Double?, untilVisible: Double?) {
    measurement.untilDurableSeconds = untilDurable
    measurement.untilVisibleSeconds = untilVisible
  }

  /// Says how long a phase took: what its rates refer to.
  package func setDuration(of phase: String, seconds: Double) {
    phaseSeconds.withLock { $0[phase] = seconds }
  }

  /// Counts objects that were made, changed or deleted, and acknowledged. Any thread.
  package func countAcknowledged(_ objects: Int) { acknowledged.withLock { $0 += objects } }

  /// Counts objects whose relationships were compared with the other side. Any thread.
  package func countCheckedInverses(_ objects: Int) { inversesChecked.withLock { $0 += objects } }

  /// Looks at the size of the write-ahead log. Any thread.
  package func sampleLog() {
    var status = stat()
    guard stat(storePath + "-wal", &status) == 0 else { return }
    let bytes = UInt64(status.st_size)
    walBytesPeak.withLock { $0 = max($0, bytes) }
  }

  private var storePath: String { directory + "/" + NotebookStore.fileName }

  // MARK: The end

  /// The workload came to its end: writes what was measured and ends the process, once the heartbeat, if there is one,
  /// has ticked at least once. On the main thread, with no worker left.
  package func end() {
    heartbeat.afterFirstTick { [self] in endNow() }
  }

  private func endNow() -> Never {
    heartbeat.stop()
    measurement.isComplete = true
    measurement.heartbeat = heartbeat.summary
    measurement.operations = summarizeOperations()
    measureRecording(&measurement)
    for recorder in recorders.withLock({ $0 }) { recorder.history.finish() }
    writeContextNames()
    onEnd(filled(measurement))
  }

  /// Ends the process because of a deadlock: workers are where they are. Any thread.
  func endEarly() -> Never {
    writeContextNames()
    onEnd(filled(CellMeasurement()))
  }

  private func writeContextNames() {
    do {
      try ContextNames.write(environment.contextNames, in: directory)
    } catch {
      fail(error)
    }
  }

  /// Ends the process because the harness cannot go on.
  package func fail(_ error: any Error) -> Never { CellExit.fail("\(error)") }

  private func filled(_ measurement: CellMeasurement) -> CellMeasurement {
    var measurement = measurement
    measurement.objects = acknowledged.withLock { $0 }
    measurement.walBytesPeak = walBytesPeak.withLock { $0 > 0 ? $0 : nil }
    measurement.counters = CheckCounters(
      guardedTouches: ConcurrencyDebugging.checkedUses, faultsFired: environment.firedFaults,
      waitsSeen: Int(WaitForGraph.announcedWaits), nestedEntries: LockOrder.nestedEntries,
      inversesChecked: inversesChecked.withLock { $0 }, heartbeats: heartbeat.ticks)
    measurement.storePath = storePath
    if BuildConfiguration.current.sanitizer == nil {
      measurement.rssBytesPeak = MemoryUsage.current()?.residentBytesPeak
    }
    return measurement
  }

  private func summarizeOperations() -> [OperationMeasurement] {
    struct Row: Hashable {
      var operation: WorkerRecorder.Operation
      var role: ThreadRole
    }
    var rows: [Row: LatencyRecorder] = [:]
    for recorder in recorders.withLock({ $0 }) {
      for (operation, latencies) in recorder.latencies {
        rows[Row(operation: operation, role: recorder.role), default: LatencyRecorder()].merge(latencies)
      }
    }
    let seconds = phaseSeconds.withLock { $0 }
    return rows.map { row, latencies in
      OperationMeasurement(
        phase: row.operation.phase, operation: row.operation.name, role: row.role.rawValue,
        summary: latencies.summary(durationSeconds: seconds[row.operation.phase]))
    }.sorted { ($0.phase, $0.operation, $0.role) < ($1.phase, $1.operation, $1.role) }
  }

  /// Records of the cost measurement; enough for a mean, few enough to take well under a millisecond.
  private static let costRecords = 2_000

  /// How much was recorded, and what that took: each kind's number times what one of it costs here.
  private func measureRecording(_ measurement: inout CellMeasurement) {
    let all = recorders.withLock { $0 }
    let records = all.reduce(0) { $0 + UInt64($1.history.count) }
    let latencies = all.reduce(0) { $0 + $1.latencies.reduce(0) { $0 + $1.recorder.count } }
    measurement.recorded = records + latencies
    guard let cost = try? HistoryWriter.measureCost(records: Self.costRecords, directory: directory) else { return }
    let latencyCost = WorkerRecorder.measureCost(records: Self.costRecords, history: main.history)
    measurement.recordingSeconds = (cost * Double(records) + latencyCost * Double(latencies)) / 1e9
  }
}
