import Boundary
import Foundation
import Reporting
import Scenarios

/// Compares A/A pairs, and pairs with a slowed candidate, as every comparison does: how often does a comparison see a
/// difference where there is none, and how often one that is there?
///
/// Each pair is compared as `run --against` does; and the baseline of each with the bases of the four pairs before it, which are
/// runs of the same executable, as `compare` does.
package struct CalibrationRunner: Sendable {
  /// Seeds between two pairs.
  private static let seedStep: UInt64 = 1_000
  /// Runs of the baseline that a run is compared with: a baseline and three repeats.
  private static let baseRuns = 4

  private let options: CalibrationOptions
  private let interruption: Interruption
  private let run = RunName.make()

  /// Makes a runner; nothing is written yet.
  package init(_ options: CalibrationOptions, interruption: Interruption) {
    self.options = options
    self.interruption = interruption
  }

  /// Runs every pair; its comparisons are written when it has ended.
  ///
  /// - Throws: `HarnessFailure` when results cannot be written, children cannot be started or no slowdown can be planted.
  package func run() async throws -> CalibrationReport {
    let folder = options.run.out ?? "contextbench-results/" + run
    var whole = options.run
    whole.scenarios = [options.scenario]
    let (owner, table) = try whole.makeFolder(folder, of: .calibration, run: run, command: "calibrate")
    defer { owner.release() }
    var report = CalibrationReport(folder: folder, shares: options.shares)
    let trials = options.trials
    var progress = ProgressBar(total: trials.count + 1, isShown: options.run.progress != .none)
    defer { progress.clear() }
    progress.update(done: 0, label: "scale of the slowdowns")
    guard let scale = try await makeScale(in: folder) else {
      report.isInterrupted = true
      return report
    }
    // The bases of the pairs before, the latest last.
    var earlier: [[CellRow]] = []
    for (pair, share) in trials.enumerated() {
      progress.update(
        done: pair + 1, label: share.map { "\(HumanReadable.significant($0 * 100)) % slower" } ?? "A/A pair")
      guard !interruption.isRequested else { break }
      let seed = (UInt64(options.scenario.settings[Keys.seed]) + UInt64(pair) * Self.seedStep) & UInt64(Int64.max)
      let plan = CalibrationPlan(options.scenario, repetitions: options.repetitions, seed: seed) { strategy in
        guard let share else { return nil }
        guard let steps = scale?.steps(strategy, share: share) else {
          preconditionFailure("a strategy that is slowed was measured")
        }
        return steps
      }
      let cells = try await runCells(plan.plan, in: folder + "/pairs/\(pair)", base: options.run.base)
      guard !cells.isInterrupted else { break }
      let measured = CalibrationPlan.rows(cells.records)
      let comparison = Comparison(pairsOf: measured) { _ in metrics }
      var rows = comparison.rows.map {
        CalibrationRow(run: run, pair: pair, method: .beside, share: share, seed: seed, $0)
      }
      rows += compareRuns(CalibrationPlan.base(measured), pair: pair, seed: seed, &earlier)
      let failures =
        cells.harnessFailures + comparison.missing.map { "pair \(pair): \($0.metric.column) was not measured" }
      report.add(rows, failures: failures)
      do {
        try table.append(rows)
      } catch {
        throw HarnessFailure("--out: \(error)")
      }
    }
    report.isInterrupted = interruption.isRequested
    return report
  }

  private var primary: String { options.scenario.settings.values["primary_measure"] ?? ComparedMetric.primaryDefault }

  private var metrics: [ComparedMetric] {
    options.countsInstructions ? ComparedMetric.counts : ComparedMetric.sideBySide.primary(primary)
  }

  /// Measures the cost of steps; nil inside where no cell is to be slowed, nil when it was interrupted.
  private func makeScale(in folder: String) async throws -> SlowdownScale?? {
    guard options.slowedPairs > 0, !options.shares.isEmpty else { return .some(nil) }
    let counts = options.countsInstructions
    let repetitions = counts ? SlowdownScale.countedRepetitions : SlowdownScale.timedRepetitions
    let plan = CalibrationPlan(
      options.scenario, repetitions: repetitions, seed: UInt64(options.scenario.settings[Keys.seed])
    ) { _ in SlowdownScale.probeSteps }
    let cells = try await runCells(plan.plan, in: folder + "/pairs/scale", base: nil)
    if cells.isInterrupted { return nil }
    if let failure = cells.harnessFailures.first { throw HarnessFailure(failure) }
    return try SlowdownScale(CalibrationPlan.rows(cells.records)) { row in
      counts ? row.instructions.map { Double($0) } : row.processor?.totalSeconds
    }
  }

  /// Compares a baseline with those before it, as runs; nothing until there are enough. Counts are compared in pairs only.
  private func compareRuns(
    _ base: [CellRow], pair: Int, seed: UInt64, _ earlier: inout [[CellRow]]
  ) -> [CalibrationRow] {
    guard !options.countsInstructions else { return [] }
    defer { earlier.append(base) }
    precondition(earlier.count <= Self.baseRuns, "the oldest base goes when a pair was compared with it")
    precondition(base.allSatisfy { $0.arm == nil }, "a baseline is compared as a run of its own")
    guard earlier.count == Self.baseRuns else { return [] }
    let apart = Comparison(
      base: earlier[0], head: base, repeats: Array(earlier[1...]), isOfOneMachine: true
    ) { _ in ComparedMetric.times.primary(primary) }
    earlier.removeFirst()
    return apart.rows.map { CalibrationRow(run: run, pair: pair, method: .apart, share: nil, seed: seed, $0) }
  }

  /// Runs a pair's cells; their files go when it went well, since there would be thousands.
  private func runCells(_ plan: Plan, in folder: String, base: String?) async throws -> RunReport {
    var own = options.run
    own.base = base
    own.scenarios = [options.scenario]
    own.out = folder
    own.progress = .none
    // A runner removes the files of its counter.
    if options.countsInstructions { own.counter = try InstructionCounter(of: own.executables) }
    let report = try await Runner(own, plan: plan, interruption: interruption).run()
    if report.harnessFailures.isEmpty {
      try? FileManager.default.removeItem(atPath: folder)
      // Removed when it is empty; stays with kept files.
      rmdir(URL(fileURLWithPath: folder).deletingLastPathComponent().path)
    }
    return report
  }
}
