import Boundary
import Foundation
import Reporting

/// Runs scenarios with every merge policy and gathers what each strategy shows.
package struct MatrixRunner: Sendable {
  private let options: MatrixOptions
  private let interruption: Interruption

  /// Makes a runner; nothing is written yet.
  package init(_ options: MatrixOptions, interruption: Interruption) {
    self.options = options
    self.interruption = interruption
  }

  /// Runs everything, as many scenarios at once as there are processors: nothing is timed.
  ///
  /// - Throws: `HarnessFailure` when results cannot be written or children cannot be started.
  package func run() async throws -> MatrixReport {
    let run = RunName.make()
    let folder = options.run.out ?? "contextbench-results/" + run
    let table = try makeFolder(folder, run: run)
    var report = MatrixReport(
      folder: folder, matrix: Matrix(strategies: options.strategies, mergePolicies: MatrixOptions.mergePolicies))
    var progress = ProgressBar(total: options.parts.count)
    defer { progress.clear() }
    var reports: [Int: RunReport] = [:]
    try await withThrowingTaskGroup(of: (Int, RunReport).self) { group in
      var waiting = Array(options.parts.enumerated())[...]
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { add(&waiting, to: &group, folder) }
      while let (number, part) = try await group.next() {
        reports[number] = part
        progress.update(done: reports.count, label: options.parts[number].scenario.name)
        add(&waiting, to: &group, folder)
      }
    }
    // In the order of the plan, so that each witness is the first one there.
    for (number, part) in reports.sorted(by: { $0.key < $1.key }) { report.add(part, replay: options.replay(number)) }
    do {
      try table.append(report.matrix.entries.map(MatrixRow.init))
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
    return report
  }

  /// Starts the next part, unless there is none or Ctrl-C came.
  private func add(
    _ waiting: inout ArraySlice<(offset: Int, element: MatrixOptions.Part)>,
    to group: inout ThrowingTaskGroup<(Int, RunReport), any Error>, _ folder: String
  ) {
    guard !interruption.isRequested, let next = waiting.popFirst() else { return }
    var own = options.run
    own.scenarios = [next.element.scenario]
    own.out = "\(folder)/runs/\(next.element.scenario.name)-\(next.element.mergePolicy)"
    own.progress = .none
    own.replay = options.replay(next.offset)
    let number = next.offset
    group.addTask { [own, interruption] in (number, try await Runner(own, interruption: interruption).run()) }
  }

  private func makeFolder(_ folder: String, run: String) throws -> CSVWriter<MatrixRow> {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      guard !FileManager.default.fileExists(atPath: folder + "/" + Manifest.fileName) else {
        throw HarnessFailure("--out: \(folder): holds the results of another run. Choose another folder.")
      }
      var whole = options.run
      whole.scenarios = options.parts.map(\.scenario)
      try whole.manifest(run: run, command: "matrix", seeds: [], path: folder).write(in: folder)
      return try CSVWriter(.matrix, in: folder)
    } catch let failure as HarnessFailure {
      throw failure
    } catch {
      throw HarnessFailure("--out: \(folder): the folder cannot be used: \(error)")
    }
  }
}

extension MatrixOptions {
  /// The command that brings a part's violation back.
  func replay(_ part: Int) -> ReplayCommand {
    var replay = run.replay
    replay.arguments += ["--set", "merge_policy=\(parts[part].mergePolicy)"]
    return replay
  }
}
