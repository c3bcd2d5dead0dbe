import Boundary
import CProcess
import Checking
import CoreData
import Measuring
import Scenarios
import Scheduling

/// One cell while it runs: its stack and strategy, its recorders, and its measurements.
public final class CellSession: @unchecked Sendable {
  // Sendable: members without a lock are only touched on the main thread.

  /// The scenario's keys.
  public let settings: ScenarioSettings
  /// Seed of the cell's data and draws.
  public let seed: UInt64
  /// The key of the cell's rows.
  package let key: CellKey
  /// Folder of this process of the cell.
  public let directory: String
  /// Folder of the cell: the store and the histories of all its processes are there.
  package let sharedDirectory: String
  /// Which of the cell's processes this is.
  public let share: ProcessShare

  /// Where units of work go one by one; nil where the scenario lets them run beside each other.
  let unitQueue: SerialQueue?

  package let meter: MainThreadMeter
  /// The scenario's faults.
  package let faults: FaultInjector
  /// The main thread's recorder: process 0 of the history.
  public let main: WorkerRecorder
  let heartbeat: Heartbeat
  /// The cell's other processes; nil where it has only this one.
  var peers: (any CellPeers)?
  /// Hears of saves, for the other processes.
  var saveObserver: (any NSObjectProtocol)?

  /// Counts the costs of the measured span; nil where they are not counted. On the main thread.
  var costs: CostMeter?

  /// Records the notifications of saves; on the main thread.
  var notifications: NotificationRecorder?

  private let recorders: Locked<[WorkerRecorder]>
  private let phaseSeconds = Locked<[String: Double]>([:])
  let walBytesPeak = Locked<UInt64>(0)
  private let acknowledged = Locked<Int>(0)
  private let counted = Locked(CheckCounters())
  private let mainWrites = MainWrites()
  /// Outlives the stack, to see what is left of it.
  private let releases: ReleaseWatch
  private var hold: Hold?
  /// Where the cell of a simulation keeps its records; nil for one that writes files.
  private let records: RecordsInMemory?
  /// Whether the cell runs in a simulation, where nothing is measured.
  private var isSimulated: Bool { records != nil }
  private let onEnd: @Sendable (CellMeasurement) -> Void
  /// The objects that the cell holds until it is over.
  private struct Hold {
    let container: NSPersistentContainer
    let environment: StrategyEnvironment
    let strategy: any Strategy
  }

  private let countsInstructions: Bool
  private var measurement = CellMeasurement()
  private var judgedStore: String?
  private var memorySamples: [Int64] = []
  private var processorAtStart: ProcessorReading?
  private var startedAt = Date()
  private var allocatedAtStart: UInt64?

  init(
    request: CellRequest, strategy: any Strategy.Type, workload: any Workload.Type, meter: MainThreadMeter,
    faults: FaultInjector, records: RecordsInMemory? = nil, onEnd: @escaping @Sendable (CellMeasurement) -> Void
  ) throws {
    settings = request.settings
    seed = request.key.seed
    key = request.key
    countsInstructions = request.countsInstructions == true
    directory = request.directory
    sharedDirectory = request.sharedDirectory
    share = request.share
    unitQueue = request.settings[Keys.units] == .serial ? SerialQueue(label: "units") : nil
    self.meter = meter
    self.faults = faults
    self.records = records
    self.onEnd = onEnd
    let container = try NotebookStore.open(
      in: sharedDirectory, model: workload.schema(for: settings).model, settings, for: strategy)
    let environment = StrategyEnvironment(
      container: container, settings: settings, meter: meter, faults: faults, share: share)
    releases = environment.releases
    if CellReports.isInstalled { releases.watchNewContexts() }
    hold = Hold(container: container, environment: environment, strategy: try strategy.init(environment))
    if records == nil {
      try FileManager.default.createDirectory(
        atPath: sharedDirectory + "/histories", withIntermediateDirectories: true)
    }
    main = WorkerRecorder(
      history: try Self.makeHistory(0, share, in: sharedDirectory, records), role: .main, measures: records == nil,
      contextNumber: Self.numbering(environment))
    environment.historyLog = HistoryLog(main.history, number: Self.numbering(environment))
    recorders = Locked([main])
    heartbeat = Heartbeat(recorder: main, meter: meter, measures: records == nil)
  }

  private static func makeHistory(
    _ own: Int, _ share: ProcessShare, in directory: String, _ records: RecordsInMemory?
  ) throws -> HistoryWriter {
    let process = UInt32(share.number(own))
    if let records { return records.makeHistory(process: process) }
    return try HistoryWriter(path: History.path(of: process, in: directory), process: process)
  }

  /// Gives contexts their numbers in the history, as long as the stack lives.
  private static func numbering(
    _ environment: StrategyEnvironment
  ) -> @Sendable (NSManagedObjectContext) -> UInt32 {
    { [weak environment] context in environment?.number(of: context) ?? 0 }
  }

  // MARK: The stack

  /// The strategy under test.
  public var strategy: any Strategy { held.strategy }
  package var container: NSPersistentContainer { held.container }
  /// The environment of the strategy.
  public var environment: StrategyEnvironment { held.environment }

  private var held: Hold {
    guard let hold else {
      CellExit.fail("the stack was used after its cell ended; keep nothing of a CellSession beyond the end")
    }
    return hold
  }

  /// Looks from now on whether main stays as it is, where the strategy declares that; on the main thread.
  func watchMain() {
    if strategy.isMainReadOnly { mainWrites.watch(strategy.mainContext, of: type(of: strategy).name) }
  }

  /// A recorder for the next worker: another process of the history.
  ///
  /// - Parameter kinds: how many kinds of operations it takes before it allocates anything.
  public func makeRecorder(kinds: Int = WorkerRecorder.kindsDefault) throws -> WorkerRecorder {
    try recorders.withLock { recorders in
      let history = try Self.makeHistory(recorders.count, share, in: sharedDirectory, records)
      let recorder = WorkerRecorder(
        history: history, role: .worker, kinds: kinds, measures: !isSimulated,
        contextNumber: Self.numbering(environment))
      recorders.append(recorder)
      return recorder
    }
  }

  /// Ticks on main `tick_hz` times a second from now on, and measures how late main comes; on the main thread.
  ///
  /// - Parameter onTick: called on main with the number of each tick, from 0: the main thread's work meanwhile.
  public func startTicking(onTick: @escaping @Sendable (Int) -> Void = { _ in }) {
    heartbeat.start(hertz: settings[Keys.tickHertz], onTick: onTick)
  }

  // MARK: Measurements

  /// Starts the measured span; on the main thread.
  public func startMeasuring() {
    precondition(!measurement.isComplete, "a cell is measured before its end")
    if !isSimulated {
      precondition(processorAtStart == nil, "a cell is measured once")
      startedAt = Date()
      processorAtStart = .current()
      allocatedAtStart = AllocationCounter.processBytes
    }
    faults.arm()
    meter.start()
    costs?.start(environment)
    if countsInstructions { cprocess_count_instructions(1) }
  }

  /// Ends the measured span; on the main thread.
  public func stopMeasuring() {
    precondition(isSimulated || processorAtStart != nil, "a measurement that ends has begun")
    if countsInstructions { cprocess_count_instructions(0) }
    costs?.stop(environment)
    faults.disarm()
    measurement.mainThread = meter.stop()
    measurement.processor = processorAtStart.map { ProcessorReading.current().usage(since: $0) }
    if let before = allocatedAtStart, let after = AllocationCounter.processBytes {
      measurement.allocatedBytes = after - before
    }
  }

  /// Says when the workload's rows were all in the file and all known to main, as seconds from its first operation; on
  /// the main thread.
  public func setCompletion(untilDurable: Double?, untilVisible: Double?) {
    measurement.untilDurableSeconds = untilDurable
    measurement.untilVisibleSeconds = untilVisible
  }

  /// Sets the duration of a phase, for its rates.
  public func setDuration(of phase: String, seconds: Double) {
    precondition(seconds >= 0, "a phase ends after its begin")
    phaseSeconds.withLock { $0[phase] = seconds }
  }

  /// Counts objects that were made, changed or deleted, and acknowledged. Any thread.
  public func countAcknowledged(_ objects: Int) {
    precondition(objects >= 0, "what was acknowledged stays acknowledged")
    acknowledged.withLock { $0 += objects }
  }

  /// Counts objects with relationships that were compared with the other side. Any thread.
  package func countCheckedInverses(_ objects: Int) { count(\.inversesChecked, objects) }

  /// Counts things that a check had to check. Any thread.
  package func count(_ counter: WritableKeyPath<CheckCounters, Int>, _ number: Int = 1) {
    precondition(number >= 0, "a counter counts up")
    counted.withLock { $0[keyPath: counter] += number }
  }

  /// How often a second workloads look at the memory.
  package static let memorySamplesPerSecond = 1

  /// Looks at the memory; on the main thread, at equal distances of time.
  package func sampleMemory() {
    guard !isSimulated, BuildConfiguration.current.sanitizer == nil, let bytes = MemoryUsage.current()?.anonymousBytes
    else { return }
    memorySamples.append(Int64(clamping: bytes))
  }

  /// Says which file is judged, where it is not the session's own; on the main thread.
  package func setStore(_ path: String) { judgedStore = path }

  package var storePath: String { sharedDirectory + "/" + CellFiles.store }

  // MARK: The end

  /// Ends the cell after its workload: releases strategy, workload and stack, looks for leaks, writes the measurements
  /// and ends the process, once the heartbeat, if there is one, has ticked at least once. On the main thread, with no
  /// worker left.
  public func end() {
    faults.whenDelivered { [self] in
      heartbeat.afterFirstTick { [self] in endNow() }
    }
  }

  private func endNow() {
    precondition(SerialQueue.main.isHeld && !measurement.isComplete, "a cell ends once, on the main queue")
    heartbeat.stop()
    // Unsaved changes of main are seen when they are processed.
    strategy.mainContext.processPendingChanges()
    judgeLog()
    unshareSaves()
    notifications?.stop()
    notifications = nil
    measurement.stalls = heartbeat.summary
    if !isSimulated { measureRecording(&measurement) }
    environment.historyLog = nil
    for recorder in recorders.withLock({ $0 }) { recorder.history.finish() }
    measurement.contextNames = environment.contextNames
    measurement.isComplete = true
    // The block that came to this end still holds the workload.
    SerialQueue.main.async { [self] in letGo() }
  }

  private func letGo() {
    hold = nil
    LeakInspection(releases).run { [self] in
      count(\.contextsReleased, releases.contextCount)
      count(\.observersRemoved, releases.observerCount)
      guard let peers else { return complete(with: []) }
      peers.whenStartedOnesEnded { [self] others in complete(with: others) }
    }
  }

  /// Adds the measurements of the processes that this one started, and ends it.
  private func complete(with others: [CellMeasurement]) {
    precondition(
      others.count == (share.isFirst ? share.count - 1 : 0), "the first process gets the results of all others")
    if !isSimulated { addLatencies(of: others) }
    var whole = filled(measurement)
    for other in others { whole.add(other) }
    writeContextNames([measurement.contextNames] + others.sorted { $0.process < $1.process }.map(\.contextNames))
    onEnd(whole)
  }

  private func addLatencies(of others: [CellMeasurement]) {
    precondition(share.isFirst || others.isEmpty, "the first process alone adds up those of the others")
    var kinds = OperationKinds(recorders.withLock { $0 }, phaseSeconds: phaseSeconds.withLock { $0 })
    if share.isFirst {
      for other in others { kinds.add(other.latencies) }
    } else {
      measurement.latencies = kinds.recorded
    }
    measurement.operations = kinds.measurements
    writeLog(kinds)
  }

  /// Ends the process because of a deadlock, or because objects of two contexts were to be joined, which the stack stops
  /// the process for; or because another process of the cell ended. Workers are where they are. Any thread.
  func endEarly(because broken: BrokenProcess? = nil) -> Never {
    if share.isFirst, let hold {
      let others = [[String]](repeating: [], count: share.count - 1)
      writeContextNames([hold.environment.contextNames] + others)
    }
    var measurement = CellMeasurement()
    measurement.brokenProcess = broken
    onEnd(filled(measurement))
    // Live the process has ended.
    Simulation.abandon()
  }

  /// Writes all latencies, and how late main was for its ticks.
  private func writeLog(_ kinds: OperationKinds) {
    var entries = kinds.entries
    if heartbeat.summary != nil {
      entries.append(
        HistogramLog.Entry(
          tag: Self.stallTag, lengthSeconds: measurement.untilVisibleSeconds ?? 0, latencies: heartbeat.lateness))
    }
    let log = HistogramLog(
      comments: [
        "contextbench run \(key.run), cell \(key.cell): \(key.scenario), \(key.strategy), seed \(key.seed); nanoseconds"
      ], startSeconds: startedAt.timeIntervalSince1970, entries: entries)
    do {
      try Data(log.text.utf8).write(to: URL(fileURLWithPath: directory).appendingPathComponent(CellFiles.latencies))
    } catch {
      fail(error)
    }
  }

  /// The tag of the heartbeat's lateness.
  static let stallTag = "heartbeat/stall/main"

  private func writeContextNames(_ names: [[String]]) {
    let joined = ContextNames.joined(names)
    if let records {
      records.contextNames = joined
      return
    }
    do {
      try ContextNames.write(joined, in: directory)
    } catch {
      fail(error)
    }
  }

  private func filled(_ measurement: CellMeasurement) -> CellMeasurement {
    var measurement = measurement
    measurement.process = share.index
    measurement.objects = acknowledged.withLock { $0 }
    measurement.walBytesPeak = walBytesPeak.withLock { $0 > 0 ? $0 : nil }
    measurement.counters = counters
    measurement.faults = faults.counts
    measurement.memorySamples = memorySamples
    measurement.storePath = judgedStore ?? storePath
    if !isSimulated, BuildConfiguration.current.sanitizer == nil {
      measurement.rssBytesPeak = MemoryUsage.current()?.residentBytesPeak
    }
    return measurement
  }

  private var counters: CheckCounters {
    var counters = counted.withLock { $0 }
    counters.guardedTouches = ConcurrencyDebugging.checkedUses
    counters.faultsFired = releases.firedFaults
    counters.waitsSeen = Int(WaitForGraph.announcedWaits)
    counters.nestedEntries = LockOrder.nestedEntries
    counters.heartbeats = heartbeat.ticks
    counters.writesLookedAt = mainWrites.count
    return counters
  }

  /// Records of the cost measurement; enough for a mean, few enough to take well under a millisecond.
  private static let costRecords = 2_000

  /// Measures how much was recorded, and its cost: each kind's number times the cost of one here.
  private func measureRecording(_ measurement: inout CellMeasurement) {
    let all = recorders.withLock { $0 }
    let records = all.reduce(0) { $0 + UInt64($1.history.count) }
    let latencies = all.reduce(0) { $0 + $1.latencies.reduce(0) { $0 + $1.recorder.count } }
    measurement.recorded = records + latencies
    guard let cost = try? HistoryWriter.measureCost(records: Self.costRecords, directory: directory) else { return }
    let latencyCost = WorkerRecorder.measureCost(records: Self.costRecords, history: main.history)
    measurement.recordingSeconds = (cost * Double(records) + latencyCost * Double(latencies)) / 1e9
    measurement.recordingBytes = try? WorkerRecorder.measureAllocations(
      operations: Self.costRecords, directory: directory)
  }
}
