import Boundary
import Checking
import Foundation
import Measuring
import Reporting
import Scenarios

/// Runs a plan: one child at a time, its rows written when it has ended.
package struct Runner: Sendable {
  let options: RunOptions
  /// All that was asked for.
  private let whole: Plan
  /// The plan to run: all of it, or the rest of an earlier run.
  let plan: Plan
  private let document: PlanDocument
  let run: String
  private let interruption: Interruption
  /// Whether goals of samples may add repetitions: not to a part of a plan, which does not see the measurements
  /// of the others, and not to a plan that was made elsewhere.
  private let mayExtend: Bool

  /// Makes a runner; nothing is written yet.
  package init(_ options: RunOptions, interruption: Interruption) {
    let plan = options.resumed.map { Plan(options.scenarios, as: $0.plan) } ?? Plan(options.scenarios)
    self.init(
      options, plan: options.shard.map(plan.part) ?? plan,
      document: plan.document(options.scenarios, shard: options.shard), mayExtend: options.shard == nil,
      interruption: interruption)
  }

  /// Makes a runner of a plan that was made elsewhere.
  ///
  /// - Parameter document: the plan as it is written; nil = the plan itself.
  init(
    _ options: RunOptions, plan: Plan, document: PlanDocument? = nil, mayExtend: Bool = false,
    interruption: Interruption
  ) {
    self.options = options
    self.mayExtend = mayExtend
    self.interruption = interruption
    whole = plan
    self.plan = options.resumed?.rest(of: plan) ?? plan
    self.document = document ?? plan.document(options.scenarios, shard: nil)
    run = options.resumed?.manifest.run ?? RunName.make()
    precondition(self.plan.cells.count <= whole.cells.count, "the rest of a plan is no longer than the plan")
    precondition(
      !mayExtend || options.shard == nil,
      "a part of a plan, which does not see the others' measurements, is not extended")
  }

  /// Runs everything.
  ///
  /// - Throws: `HarnessFailure` when results cannot be written or children cannot be started.
  package func run() async throws -> RunReport {
    let made = try makeFolder()
    let folder = made.folder
    let owner = folder.owner ?? options.resumed?.owner
    defer { owner?.release() }
    var manifest = made.manifest
    var report = RunReport(
      folder: folder.shownPath, plannedCellCount: whole.cells.count, replay: options.replay)
    for record in options.resumed?.records(of: whole, without: plan) ?? [] { report.add(record) }
    if let takeover = owner?.takeover { report.addWarning(takeover) }
    report.machine = manifest.machine
    report.noiseBefore = manifest.noiseBefore
    var progress = RunProgress(options.progress, total: plan.stepCount, records: report.records)
    defer { progress.clear() }
    defer { options.counter?.removeCopies() }
    try await runAll(in: folder, &report, &progress)
    manifest.noiseDuring = report.noiseDuring
    try folder.write(manifest)
    try folder.writePercentiles()
    return report
  }

  /// Runs the plan, and then the further repetitions that goals of samples ask for.
  private func runAll(
    in folder: ResultsFolder, _ report: inout RunReport, _ progress: inout RunProgress
  ) async throws {
    var done = 0
    for (number, block) in plan.blocks.enumerated() {
      guard try await run(block, in: folder, &report, &progress, &done) else { return }
      showScenario(endingWith: number, &report, &progress)
    }
    precondition(done == plan.stepCount, "each child of the plan has ended")
    guard mayExtend else { return }
    var grown = document
    for scenario in options.scenarios {
      guard let goal = SamplingGoal(scenario.settings) else { continue }
      let planned = grown.blocks.filter { $0.scenario == scenario.name }
      var repetition = (planned.map(\.repetition).max() ?? -1) + 1
      while true {
        let missing = goal.missing(in: report.records.filter { $0.cell.scenario.name == scenario.name })
        if missing.isEmpty { break }
        guard repetition < goal.repetitionsMax else {
          report.addWarning(
            "\(scenario.name): after repetitions_max, \(repetition): " + missing.joined(separator: "; ")
              + ". Raise repetitions_max, or make the cells longer.")
          break
        }
        let block = grown.append(scenario, repetition: repetition)
        try folder.write(grown)
        report.plannedCellCount += block.cells.count
        guard try await run(block, in: folder, &report, &progress, &done) else { return }
        repetition += 1
      }
    }
  }

  /// Yields a scenario when its last block has ended, so that its table is printed at once. The last
  /// scenario comes with the end, and so does one that may grow.
  private func showScenario(endingWith block: Int, _ report: inout RunReport, _ progress: inout RunProgress) {
    guard let onScenario = options.onScenario, block + 1 < plan.blocks.count,
      let scenario = plan.blocks[block].cells.first?.scenario,
      plan.blocks[block + 1].cells.first?.scenario.name != scenario.name,
      !(mayExtend && SamplingGoal(scenario.settings) != nil)
    else { return }
    progress.clear()
    onScenario(report, scenario.name)
    report.markShown(scenario.name)
  }

  /// Runs a block; false when the run ends with it.
  private func run(
    _ block: PlannedBlock, in folder: ResultsFolder, _ report: inout RunReport, _ progress: inout RunProgress,
    _ done: inout Int
  ) async throws -> Bool {
    var floorSeconds: [[String?]: Double] = [:]
    for floor in block.floors {
      let name = block.cells.first.map { "\($0.scenario.name) floor" } ?? "floor"
      progress.update(done: done, label: name, of: block.cells.first?.scenario)
      guard !interruption.isRequested else {
        report = report.interrupted()
        return false
      }
      floorSeconds[floor.identity] = try await runFloor(floor, of: block, in: folder, &report)
      done += 1
    }
    for cell in block.cells {
      progress.update(done: done, label: "\(cell.scenario.name) \(cell.variant.strategy)", of: cell.scenario)
      let floor = floorSeconds[PlannedFloor.identity(cell.settings)]
      guard !interruption.isRequested, let record = try await run(cell, floorSeconds: floor, in: folder) else {
        report = report.interrupted()
        return false
      }
      report.add(record)
      options.onCell?(record.row)
      done += 1
      progress.add(record, done: done)
      if cell.arm != .base, options.stop?.isMet(by: record.outcome) ?? false { return false }
    }
    return true
  }

  /// The results folder, new or that of the resumed run, and the run's manifest.
  func makeFolder() throws -> (folder: ResultsFolder, manifest: Manifest) {
    if let resumed = options.resumed {
      do {
        let manifest = try resumed.prepare(for: plan, keepingStores: options.keepsStores)
        return (try ResultsFolder(resuming: resumed.folder), manifest)
      } catch {
        throw HarnessFailure("--resume: \(error)")
      }
    }
    let path = options.out ?? "contextbench-results/" + run
    var seeds: [UInt64] = []
    for cell in plan.cells where !seeds.contains(cell.seed) { seeds.append(cell.seed) }
    var manifest = options.manifest(run: run, command: "run", seeds: seeds, path: path)
    if options.counter == nil { manifest.noiseBefore = .now() }
    return (try ResultsFolder(path, manifest: manifest, plan: document), manifest)
  }

  /// Runs a cell, checks it, writes its rows; nil when it was interrupted.
  private func run(_ cell: PlannedCell, floorSeconds: Double?, in folder: ResultsFolder) async throws -> CellRecord? {
    let name = String(cell.number)
    var directory = try folder.makeCellFolder(name)
    let key = cell.key(run: run)
    var request = CellRequest(
      key: key, workload: cell.settings[Keys.workload], settings: cell.settings, directory: directory,
      checks: cell.scenario.checks)
    if options.counter != nil { request.countsInstructions = true }
    if options.notesOrder { request.notesOrder = true }
    let timeout = cell.settings[Keys.timeoutSeconds]
    let begin = MonotonicClock.now()
    let probeSeconds = NoiseProbe.seconds()
    let before = MachineActivity.current()
    let loadAverage = MachineActivity.loadAverage()
    let started = MonotonicClock.now()
    let executable = executable(of: cell)
    var childEnd = try await start("cell", request, by: executable, timeoutSeconds: timeout)
    if case .starved = childEnd {
      folder.removeCellFolder(name)
      directory = try folder.makeCellFolder(name)
      childEnd = try await start("cell", request, by: executable, timeoutSeconds: timeout)
    }
    let processSeconds = Double(MonotonicClock.now() - started) / 1e9
    let noise = CellNoise(
      probeSeconds: probeSeconds, before: before, after: .current(), loadAverage: loadAverage)
    if childEnd == .interrupted {
      folder.removeCellFolder(name)
      return nil
    }
    try folder.childEnded(name)
    let measurement = readMeasurement(CellMeasurement.self, in: directory)
    let end = CellEnd(
      childEnd, of: request, measurement, timeoutSeconds: timeout, output: output(in: directory),
      kept: "histories/" + name, executable: executable)
    var row = CellRow(key: key, verdict: .unknown)
    row.floorSeconds = floorSeconds
    if options.counter == nil {
      row.processSeconds = processSeconds
      row.noise = noise
    } else {
      row.instructions = InstructionCounter.total(in: directory)
    }
    return try settle(cell, end, measurement, row, begin: begin, in: folder)
  }

  private func executable(of cell: PlannedCell) -> String {
    cell.arm == .base ? options.base ?? options.executable : options.executable
  }

  /// Judges a cell that has ended, writes its rows and keeps its files.
  ///
  /// - Parameter known: its row, with the parent's measurements.
  func settle(
    _ cell: PlannedCell, _ end: CellEnd, _ measurement: CellMeasurement?, _ known: CellRow, begin: UInt64,
    in folder: ResultsFolder
  ) throws -> CellRecord {
    precondition(known.key == cell.key(run: run), "a row is that of its cell")
    let name = String(cell.number)
    let directory = try folder.makeCellFolder(name)
    let storePath = measurement.map(\.storePath) ?? (directory + "/" + CellFiles.store)
    let outcome = try CellJudge.judge(
      cell, options.vocabulary, .folder(directory), storePath: storePath, measurement: measurement, end: end,
      executable: executable(of: cell))

    var row = known
    row.verdict = outcome.verdict
    if let measurement { row.figures = measurement.figures }
    row.arm = cell.arm
    try folder.collectLog(of: name, isKept: !cell.isWarmup)
    row.ending = outcome.ending
    if !outcome.reasons.isEmpty { row.reason = outcome.reasons.joined(separator: "; ") }
    try write(cell, row, measurement, outcome, to: folder)
    if outcome.findings.contains(where: { $0.violation.severity == .error }) || outcome.ending != .passed {
      let kept = try folder.keepHistory(of: name, without: storePath)
      try exportHistory(of: cell, in: folder.path + "/" + kept)
      try folder.bound(kept, bytesMax: cell.settings[Keys.keptMegabytes] * 1_000_000)
    }
    if !options.keepsStores { folder.removeCellFolder(name) }
    return CellRecord(
      cell: cell, row: row, outcome: outcome, seconds: Double(MonotonicClock.now() - begin) / 1e9,
      operations: measurement?.operations ?? [])
  }

  /// Writes a kept history as JSON lines beside it; none where the cell left no usable one, which its checks say.
  private func exportHistory(of cell: PlannedCell, in kept: String) throws {
    guard let workload = options.vocabulary.workload(named: cell.settings[Keys.workload]),
      let history = try? History(cellDirectory: kept)
    else { return }
    do {
      let layout = try workload.layout(cell.settings)
      try history.writeJSONLines(to: kept + "/history.jsonl", layout: layout)
    } catch {
      throw HarnessFailure("the history cannot be exported: \(error)")
    }
  }

  private func write(
    _ cell: PlannedCell, _ row: CellRow, _ measurement: CellMeasurement?, _ outcome: CellOutcome,
    to folder: ResultsFolder
  ) throws {
    try folder.violations.append(
      outcome.findings.map {
        ViolationRow(
          key: row.key, violation: $0.violation, isExpected: $0.isExpected,
          replay: options.replay.text(for: $0.violation.kind, of: cell))
      })
    guard !cell.isWarmup else { return }
    try folder.timings.append(
      (measurement?.operations ?? []).map {
        TimingRow(
          key: row.key, phase: $0.phase, operation: $0.operation, role: $0.role, summary: $0.summary,
          latencyFrom: $0.latencyFrom)
      })
    // Last, so that a cell which has its row has all of them.
    try folder.cells.append(row)
  }

  /// Runs a floor; nil when it failed, which the report says.
  private func runFloor(
    _ floor: PlannedFloor, of block: PlannedBlock, in folder: ResultsFolder, _ report: inout RunReport
  ) async throws -> Double? {
    guard let cell = block.cells.first(where: { PlannedFloor.identity($0.settings) == floor.identity }) else {
      preconditionFailure("a floor is run for a cell of its block")
    }
    precondition(floor.seed == cell.seed, "a floor writes the data of its cells")
    let name = "floor-\(cell.number)"
    let directory = try folder.makeCellFolder(name)
    defer { folder.removeCellFolder(name) }
    let request = CellRequest(
      key: cell.key(run: run), workload: floor.settings[Keys.workload], settings: floor.settings,
      directory: directory)
    let end = try await start("floor", request, timeoutSeconds: floor.settings[Keys.timeoutSeconds])
    if let measurement = readMeasurement(FloorMeasurement.self, in: directory), end == .exited(0) {
      return measurement.floorSeconds
    }
    if end != .interrupted {
      report.addHarnessFailure("\(cell.scenario.name): the floor failed (\(end)): \(output(in: directory))")
    }
    return nil
  }

  /// Starts a child and waits for its end.
  ///
  /// - Parameter executable: nil = the one that runs cells.
  private func start(
    _ verb: String, _ request: CellRequest, by executable: String? = nil, timeoutSeconds: Double
  ) async throws -> ChildProcess.End {
    precondition(request.directory.hasPrefix("/"), "a child finds its folder from the root")
    let input = request.directory + "/request.json"
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      try encoder.encode(request).write(to: URL(fileURLWithPath: input))
      let child = ChildProcess(
        executable: executable ?? options.executable, arguments: [verb, "--parent", String(getpid())], inputPath: input,
        outputPath: Self.outputPath(in: request.directory),
        environment: ["SWIFT_BACKTRACE": Self.backtraceOptions(in: request.directory)], timeoutSeconds: timeoutSeconds)
      return try await (options.counter?.counted(child, in: request.directory) ?? child).run(interruption)
    } catch {
      let reason = error is CocoaError ? ReportingError.reason(error) : "\(error)"
      throw HarnessFailure("cell \(request.key.cell) cannot be started: \(reason)")
    }
  }

  private static func backtraceOptions(in directory: String) -> String {
    // The handler of a crash starts a process, which ThreadSanitizer takes for an error of its own.
    guard BuildConfiguration.current.sanitizer != .thread else { return "enable=no" }
    return "enable=yes,threads=crashed,registers=none,images=none,interactive=no,color=no,output-to=" + directory
  }

  private static func outputPath(in directory: String) -> String { directory + "/output.txt" }

  private func output(in directory: String) -> String {
    let text = try? String(contentsOfFile: Self.outputPath(in: directory), encoding: .utf8)
    return (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func readMeasurement<Measurement: Decodable>(_ type: Measurement.Type, in directory: String) -> Measurement? {
    let url = URL(fileURLWithPath: directory + "/" + CellMeasurement.fileName)
    return (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode(type, from: $0) }
  }
}
