import Boundary
import CProcess
import Checking
import Foundation
import Measuring
import Scenarios

/// Runs the cells of a gate, as many at once as there are processors: counts do not depend on other processes.
package struct GateRunner: Sendable {
  /// The counts of all cells.
  package struct Result: Sendable {
    package var baseline: GateBaseline
    package var functions = GateFunctions()
    /// By cell, where instructions were counted.
    var profiles: [String: InstructionProfile] = [:]
    /// Cells that came to no end, and why.
    package var failures: [String: String] = [:]
    /// Cells that are too large for their instructions to be counted.
    package var tooLarge: [String] = []

    /// Takes over the instructions of the cells that have costs here.
    mutating func add(_ counts: Result) {
      precondition(
        counts.baseline.cells.keys.allSatisfy { baseline.cells[$0] != nil },
        "instructions are those of cells with costs")
      profiles = counts.profiles
      failures.merge(counts.failures) { $1 }
      for (name, cell) in counts.baseline.cells { baseline.cells[name]?.instructions = cell.instructions }
      baseline.seconds += counts.baseline.seconds
    }

    /// Keeps the lesser allocations and instructions of the same cells: noise between two runs only adds to them.
    mutating func keepLeast(_ other: Result) {
      for (name, new) in other.baseline.cells {
        guard let old = baseline.cells[name] else { continue }
        if let least = new.costs[.allocations], least < old.costs[.allocations] ?? 0 {
          baseline.cells[name]?.costs[.allocations] = least
        }
        if let least = new.instructions, least < old.instructions ?? 0 {
          baseline.cells[name]?.instructions = least
          profiles[name] = other.profiles[name]
        }
      }
    }
  }

  /// How often cells that seem to allocate more, or to take more instructions, are run again. Foundation allocates where it
  /// compares two keys of a table that fall together, which follows from their places, and those from which of two threads came
  /// first.
  private static let recountsMax = 3
  /// More cells than these do not cost more by accident.
  private static let recountedMax = 4
  /// A cell of more allocations than these, or some 1,600,000,000 instructions, has none counted: it takes minutes under callgrind,
  /// and one per cent of so much shows no single function.
  package static let countedAllocationsMax = 1_000_000

  /// One child.
  private struct Job: Sendable {
    let cell: PlannedCell
    let name: String
    let countsInstructions: Bool
  }

  /// The counts of a child.
  private enum Outcome: Sendable {
    case costs(GateBaseline.Cell)
    case instructions(InstructionProfile)
    case failed(String)
    case interrupted
  }

  /// The costs of every cell.
  private let costs: [Job]
  /// The instructions of one cell of each scenario, another strategy each time.
  private let counts: [Job]
  private let executable: String
  private let counter: InstructionCounter?
  private let interruption: Interruption

  /// - Parameter counter: counts the instructions of one cell of each scenario; nil where nothing can.
  package init(
    _ scenarios: [Scenario], executable: String, counter: InstructionCounter?, interruption: Interruption
  ) {
    var costs: [Job] = []
    var counts: [Job] = []
    for (number, var scenario) in scenarios.enumerated() {
      // A count is the same in both arms of a pair.
      scenario.settings.values[Keys.runsPairs.key.name] = "false"
      let cells = Plan([scenario]).cells.map { (cell: $0, name: Self.name(of: $0.variant, in: scenario)) }
        .sorted { $0.name < $1.name }
      costs += cells.map { Job(cell: $0.cell, name: $0.name, countsInstructions: false) }
      precondition(cells.allSatisfy { !$0.cell.isWarmup }, "a count needs no warm-up")
      guard counter != nil, !cells.isEmpty else { continue }
      let chosen = cells[number % cells.count]
      counts.append(Job(cell: chosen.cell, name: chosen.name, countsInstructions: true))
    }
    precondition(
      Set(costs.map(\.name)).count == costs.count, "a cell has a name of its own, by which its counts are kept")
    precondition(counts.count <= scenarios.count, "instructions are counted of one cell of each scenario")
    (self.costs, self.counts) = (costs, counts)
    self.executable = executable
    self.counter = counter
    self.interruption = interruption
  }

  /// The most children that it starts.
  package var count: Int { costs.count + counts.count }

  /// Runs everything; nil when it was interrupted.
  ///
  /// - Parameters:
  ///   - base: few cells that seem to take more allocations or instructions than here are run again, and the least counts; those
  ///     that take more have their functions named. Without it all have.
  ///     Instructions are counted where they were counted there.
  ///   - progress: is called after each child with how many have ended, and the name of the last.
  package func run(against base: GateBaseline? = nil, progress: (Int, String) -> Void) async throws -> Result? {
    guard var result = try await run(costs, progress: progress) else { return nil }
    let counted = counted(result.baseline, against: base)
    guard let counts = try await run(counted, progress: { progress(costs.count + $0, $1) }) else { return nil }
    result.add(counts)
    if base == nil { result.tooLarge = Set(self.counts.map(\.name)).subtracting(counted.map(\.name)).sorted() }
    for _ in 0..<Self.recountsMax {
      let cells = base.map { GateComparison($0, GateFunctions(), with: result).cellsWithInexactIncreases } ?? []
      guard 1...Self.recountedMax ~= cells.count else { break }
      let again = (costs + counted).filter { cells.contains($0.name) }
      guard let recount = try await run(again, progress: { _, _ in }) else { return nil }
      result.keepLeast(recount)
    }
    let slower = base.map { Set(GateComparison($0, GateFunctions(), with: result).slower.map(\.cell)) }
    result.functions = GateFunctions.of(result.profiles.filter { slower?.contains($0.key) ?? true }, in: executable)
    return result
  }

  /// The cells that have instructions counted, the longest first, so that processors end together.
  private func counted(_ now: GateBaseline, against base: GateBaseline?) -> [Job] {
    func size(_ job: Job) -> Int { now.cells[job.name]?.costs[.allocations] ?? 0 }
    return counts.filter { job in
      guard now.cells[job.name] != nil else { return false }
      guard let base else { return size(job) <= Self.countedAllocationsMax }
      return base.cells[job.name]?.instructions != nil
    }.sorted { size($0) > size($1) }
  }

  private func run(_ jobs: [Job], progress: (Int, String) -> Void) async throws -> Result? {
    let begin = MonotonicClock.now()
    cprocess_keep_addresses()
    let folder = try ScratchFolder("gate")
    defer { folder.remove() }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    var result = Result(baseline: GateBaseline(surroundings: .current(counter), cells: [:], seconds: 0))
    var wasInterrupted = false
    try await withThrowingTaskGroup(of: (slot: Int, job: Int, outcome: Outcome).self) { group in
      var next = 0
      func start(on slot: Int) {
        guard next < jobs.count, !wasInterrupted else { return }
        let number = next
        next += 1
        group.addTask { (slot, number, try await run(jobs[number], slot: slot, in: folder.path + "/\(number)")) }
      }
      for slot in 0..<processors { start(on: slot) }
      var done = 0
      while let (slot, number, outcome) = try await group.next() {
        let name = jobs[number].name
        switch outcome {
        case .costs(let cell): result.baseline.cells[name] = cell
        case .instructions(let profile): result.profiles[name] = profile
        case .failed(let reason): result.failures[name] = reason
        case .interrupted: wasInterrupted = true
        }
        done += 1
        progress(done, name)
        start(on: slot)
      }
      precondition(done == jobs.count || wasInterrupted, "each job has ended")
    }
    precondition(
      wasInterrupted || result.baseline.cells.count + result.failures.count <= jobs.count, "each cell is one")
    for (name, profile) in result.profiles where result.failures[name] == nil {
      result.baseline.cells[name, default: GateBaseline.Cell(objects: 0, costs: [:])].instructions = profile.total
    }
    result.baseline.seconds = Double(MonotonicClock.now() - begin) / 1e9
    return wasInterrupted ? nil : result
  }

  /// Tells a variant from the others of its scenario: the strategy, and of its options those that another one has otherwise.
  static func name(of variant: Scenario.Variant, in scenario: Scenario) -> String {
    let others = scenario.variants.filter { $0.strategy == variant.strategy }
    let options = variant.options.sorted { $0.key < $1.key }.filter { option in
      others.contains { $0.options[option.key] != option.value }
    }
    precondition(others.contains(variant), "a variant is one of its scenario")
    return ([scenario.name, variant.strategy] + options.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
  }

  /// Runs one child.
  ///
  /// - Parameter slot: the processor that it stays on.
  private func run(_ job: Job, slot: Int, in folder: String) async throws -> Outcome {
    precondition(slot >= 0, "processors are numbered from 0")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var key = job.cell.key(run: "gate")
    key.cell = slot
    var request = CellRequest(
      key: key, workload: job.cell.settings[Keys.workload], settings: job.cell.settings, directory: folder)
    request.countsInstructions = true
    request.countsCosts = job.countsInstructions ? nil : true
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try JSONEncoder().encode(request).write(to: URL(fileURLWithPath: folder + "/request.json"))
    } catch {
      throw HarnessFailure("\(folder): cannot be written: \(error)")
    }
    // Under callgrind a cache for each thread is cheaper, and the allocator's instructions are counted.
    let exact = job.countsInstructions ? [:] : AllocationCounter.exactEnvironment
    let environment = InstructionCounter.environment.merging(exact) { $1 }
    let child = ChildProcess(
      executable: executable, arguments: ["cell", "--parent", String(getpid())], inputPath: folder + "/request.json",
      outputPath: folder + "/output.txt", environment: environment,
      timeoutSeconds: job.cell.settings[Keys.timeoutSeconds])
    let counted = job.countsInstructions ? counter?.counted(child, in: folder) : nil
    let end = try await (counted ?? child).run(interruption)
    if end == .interrupted { return .interrupted }
    return outcome(of: job, end, in: folder)
  }

  private func outcome(of job: Job, _ end: ChildProcess.End, in folder: String) -> Outcome {
    let data = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + CellMeasurement.fileName))
    let measurement = data.flatMap { try? JSONDecoder().decode(CellMeasurement.self, from: $0) }
    guard end == .exited(0), let measurement, measurement.isComplete else {
      let output = (try? String(contentsOfFile: folder + "/output.txt", encoding: .utf8)) ?? ""
      let line = output.split(separator: "\n").last.map { ": \($0)" } ?? ""
      return .failed(end == .exited(0) ? "it came to no end: see explore for its scenario" : "\(end)\(line)")
    }
    if job.countsInstructions {
      guard let profile = InstructionCounter.profile(in: folder), profile.total > 0 else {
        return .failed("no instructions were counted")
      }
      return .instructions(profile)
    }
    guard let costs = measurement.costs else { return .failed("its costs were not counted") }
    return .costs(GateBaseline.Cell(objects: measurement.objects ?? 0, costs: costs))
  }
}
