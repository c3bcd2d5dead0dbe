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
  /// - Throws: `HarnessFailure` when results cannot be written or children cannot be started.
  package func run() async throws -> CalibrationReport {
    let folder = options.run.out ?? "contextbench-results/" + run
    let table = try makeFolder(folder)
    var report = CalibrationReport(folder: folder)
    let trials = options.trials
    var progress = ProgressBar(total: trials.count, isShown: options.run.progress != .none)
    defer { progress.clear() }
    let primary = options.scenario.settings.values["primary_measure"] ?? ComparedMetric.primaryDefault
    // The bases of the pairs before, the latest last.
    var earlier: [[CellRow]] = []
    for (pair, slowdown) in trials.enumerated() {
      progress.update(done: pair, label: slowdown.map { "\($0.rawValue) slowed" } ?? "A/A pair")
      guard !interruption.isRequested else { break }
      let seed = UInt64(options.scenario.settings[Keys.seed]) + UInt64(pair) * Self.seedStep
      let plan = CalibrationPlan(
        options.scenario, slowdown: slowdown, share: options.share, repetitions: options.repetitions, seed: seed)
      let cells = try await runCells(plan.plan, in: folder + "/pairs/\(pair)")
      guard !cells.isInterrupted else { break }
      let measured = CalibrationPlan.rows(cells.records)
      let comparison = Comparison(pairsOf: measured) { _ in ComparedMetric.sideBySide.primary(primary) }
      var rows = comparison.rows.map {
        CalibrationRow(
          run: run, pair: pair, method: .beside, slowdown: slowdown, share: options.share, seed: seed, $0)
      }
      let base = CalibrationPlan.base(measured)
      if earlier.count == Self.baseRuns {
        let apart = Comparison(
          base: earlier[0], head: base, repeats: Array(earlier[1...]), isOfOneMachine: true
        ) { _ in ComparedMetric.times.primary(primary) }
        rows += apart.rows.map {
          CalibrationRow(run: run, pair: pair, method: .apart, slowdown: nil, share: 0, seed: seed, $0)
        }
        earlier.removeFirst()
      }
      earlier.append(base)
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

  /// Runs a pair's cells; their files go when it went well, since there would be thousands.
  private func runCells(_ plan: Plan, in folder: String) async throws -> RunReport {
    var own = options.run
    own.scenarios = [options.scenario]
    own.out = folder
    own.progress = .none
    let report = try await Runner(own, plan: plan, interruption: interruption).run()
    if report.harnessFailures.isEmpty {
      try? FileManager.default.removeItem(atPath: folder)
      // Goes when it is empty, stays with what was kept.
      rmdir(URL(fileURLWithPath: folder).deletingLastPathComponent().path)
    }
    return report
  }

  private func makeFolder(_ folder: String) throws(HarnessFailure) -> CSVWriter<CalibrationRow> {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      guard !FileManager.default.fileExists(atPath: folder + "/" + Manifest.fileName) else {
        throw HarnessFailure("--out: \(folder): holds the results of another run. Choose another folder.")
      }
      var whole = options.run
      whole.scenarios = [options.scenario]
      try whole.manifest(run: run, command: "calibrate", seeds: [], path: folder).write(in: folder)
      return try CSVWriter(.calibration, in: folder)
    } catch let failure as HarnessFailure {
      throw failure
    } catch {
      throw HarnessFailure("--out: \(folder): the folder cannot be used: \(error)")
    }
  }
}
