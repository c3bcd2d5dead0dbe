import ArgumentParser
import Boundary
import Exploring
import Foundation
import Reporting
import Runs

/// `contextbench merge`: the parts of a plan become one results folder.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Join the results of shards.",
    discussion: """
      Takes the results folders of run … --shard 1/n to n/n, each once, of one revision and one plan, and writes one \
      folder with all rows, histories and histograms. Ends as a run of the whole plan would have ended; with 64, and \
      nothing written, when a part is missing, given twice, not finished, damaged, or of another plan, revision or \
      version. The last line printed is the folder. Takes the folders of explore … --shard, too: distinct orders and \
      pairs of steps are united, and of each kind of violation the schedule with the fewest preemptions is kept.
      """)

  @Argument(help: "The results folders of all parts.")
  var folders: [String]

  @Option(help: ArgumentHelp("Folder for the whole.", valueName: "dir"))
  var out: String?

  @OptionGroup(title: "Other forms of the results") var exports: ExportArguments

  func run() throws {
    try Export.exitIfAnyIsUnwritable(exports.exports)
    if folders.contains(where: ExplorationMerge.isExploration) { try mergeExplorations() }
    let run = RunName.make()
    let merge: ResultsMerge
    do throws(ResultsMerge.Refusal) {
      merge = try ResultsMerge(folders)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    let whole = merge.joined(run: run, arguments: Array(CommandLine.arguments.dropFirst()))
    let folder = out ?? "contextbench-results/" + run
    do throws(ReportingError) {
      try merge.write(whole, to: folder)
    } catch {
      StandardError.write("--out: \(error)")
      throw ExitStatus.harnessFailure.exitCode
    }
    var outcome = RunOutcome(whole.judged.cells.map(\.ending).max() ?? .passed)
    ExportArguments.write(exports.exports, from: folder, &outcome)
    print(GroupTable(whole.judged).text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth))
    if merge.hasSeveralMachines {
      StandardError.write("The parts ran on different machines: compare ratios to the floor, not times.")
    }
    for failure in outcome.harnessFailures { StandardError.write(failure) }
    print(folder)
    throw outcome.exitCode.exitCode
  }

  private func mergeExplorations() throws -> Never {
    do {
      let merge = try ExplorationMerge(folders)
      let folder = out ?? "contextbench-explorations/" + RunName.make()
      try merge.write(to: folder)
      for cell in merge.document.cells { print(cell.sentence) }
      print(folder)
      throw merge.document.cells.reduce(ExitStatus.passed) { $0.combined(with: $1.ending) }.exitCode
    } catch let refusal as ExplorationMerge.Refusal {
      StandardError.write(refusal.description)
      throw ExitStatus.usage.exitCode
    } catch let failure as HarnessFailure {
      StandardError.write(failure.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }
}
