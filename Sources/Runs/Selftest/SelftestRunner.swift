import Boundary
import Checking
import Foundation
import Reporting

/// Runs every hazard and its right way, and the stand-ins: the harness's test of itself.
package struct SelftestRunner: Sendable {
  private let options: SelftestOptions
  private let interruption: Interruption
  private let run = RunName.make()

  /// Makes a runner; nothing is written yet.
  package init(_ options: SelftestOptions, interruption: Interruption) {
    self.options = options
    self.interruption = interruption
  }

  /// Runs everything; untimed trials run beside each other, as many at once as there are processors.
  ///
  /// - Throws: `HarnessFailure` when results cannot be written or children cannot be started.
  package func run() async throws -> SelftestReport {
    let folder = options.run.out ?? "contextbench-results/" + run
    var whole = options.run
    whole.scenarios = options.pairs.flatMap(\.scenarios)
    let (owner, table) = try whole.makeFolder(
      folder, of: .detections, run: run, command: "selftest", seeds: (1...UInt64(options.seeds)).map(\.self))
    defer { owner.release() }
    var report = SelftestReport(folder: folder)
    if !options.requiredKinds.isEmpty { report.addCases(MutantTrial.caseCount, problems: MutantTrial.problems) }
    for standIn in options.standIns {
      let result = StandInTrial(standIn: standIn, seeds: options.seeds, run: run).result()
      report.add([result.row], problems: result.problems)
    }
    var progress = ProgressBar(total: options.pairs.count)
    defer { progress.clear() }
    var done = 0
    for (pairs, width) in [
      (options.pairs.filter { !$0.isTimed }, ProcessInfo.processInfo.activeProcessorCount),
      (options.pairs.filter(\.isTimed), 1),
    ] {
      try await withThrowingTaskGroup(of: (HazardPair, RunReport).self) { group in
        var waiting = pairs[...]
        for _ in 0..<width { add(&waiting, to: &group, folder) }
        while let (pair, pairReport) = try await group.next() {
          report.add(pair, pairReport, run: run)
          done += 1
          progress.update(done: done, label: pair.name)
          add(&waiting, to: &group, folder)
        }
      }
    }
    precondition(done == options.pairs.count || interruption.isRequested, "each hazard was run")
    report.close(requiring: options.requiredKinds, run: run)
    do {
      try table.append(report.rows)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
    return report
  }

  /// Starts the next pair, unless there is none or Ctrl-C came.
  private func add(
    _ waiting: inout ArraySlice<HazardPair>, to group: inout ThrowingTaskGroup<(HazardPair, RunReport), any Error>,
    _ folder: String
  ) {
    guard !interruption.isRequested, let pair = waiting.popFirst() else { return }
    var own = options.run
    own.scenarios = pair.scenarios
    own.out = folder + "/hazards/" + pair.name
    own.progress = .none
    group.addTask { [own, interruption] in (pair, try await Runner(own, interruption: interruption).run()) }
  }
}
