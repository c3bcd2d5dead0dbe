import ArgumentParser
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench selftest`: lets the harness catch every mistake that it is there for.
struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: "Make every mistake on purpose, and check that it is caught.",
    discussion: """
      Runs each hazard beside the right way, and gives broken histories and files to the checkers of what no run can \
      show. Fails when a mistake is missed in one seed, when the right way raises an alarm, or when a kind of violation \
      has no proof. Writes detections.csv, and a results folder for each hazard. The last line printed is the folder.
      """)

  @Argument(help: "Hazards or kinds of violation; none = all, and every kind must have a proof.")
  var names: [String] = []

  @Flag(help: "Fewer seeds, and smaller scenarios by their quick sections.")
  var quick = false

  @Option(help: "Seeds of each hazard, from 1; default 20, with --quick 3.")
  var seeds: Int?

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  @Flag(help: "Run although this is a debug or sanitized build, whose timings mean nothing.")
  var allowDebug = false

  @Flag(help: "Break each checker and each rule of the judging in turn, in a build made with CONTEXTBENCH_MUTANTS set.")
  var mutants = false

  func validate() throws {
    if mutants {
      guard MutantTrial.areBuilt else {
        throw ValidationError("--mutants: this build has none. Use scripts/mutants, which makes one of its own.")
      }
      guard names.isEmpty else { throw ValidationError("--mutants tries all of them; leave the names out.") }
      return
    }
    if let seeds, !(1...100_000).contains(seeds) { throw ValidationError("--seeds is from 1 to 100000.") }
    if !allowDebug, !BuildConfiguration.current.isComparable {
      throw ValidationError(
        "Stalls of a debug or sanitized build mean nothing. Build with -c release, or add --allow-debug.")
    }
  }

  func run() throws {
    if mutants { try breakTheJudging() }
    let options = try makeOptions()
    try CellsCommand.runAndExit { interruption in
      try await SelftestRunner(options, interruption: interruption).run()
    } show: { report in
      print(report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth), terminator: "")
      return ExitStatus(report.ending, isInterrupted: report.isInterrupted)
    }
  }

  /// Tries the mutants, shows those that nothing noticed, and ends the process.
  private func breakTheJudging() throws -> Never {
    let rows = MutantTrial.rows()
    precondition(!rows.isEmpty, "a build with mutants has one")
    let missed = rows.filter(\.noticedBy.isEmpty).map(\.mutant)
    for problem in MutantTrial.problems { print("not passed: \(problem)") }
    for mutant in missed { print("not noticed: \(mutant)") }
    print("\(rows.count - missed.count) of \(rows.count) mutants noticed, by \(MutantTrial.caseCount) cases")
    if let out {
      try? FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      do throws(ReportingError) {
        try OutputFile.write(MutantTrial.text(rows), to: out + "/mutants.csv")
      } catch {
        StandardError.write(error.description)
        throw ExitStatus.harnessFailure.exitCode
      }
      print(out)
    }
    Self.exit(withError: missed.isEmpty && MutantTrial.problems.isEmpty ? nil : ExitStatus.violation.exitCode)
  }

  private func makeOptions() throws -> SelftestOptions {
    let run = CellsCommand.options(
      out: out, replayArguments: (quick ? ["--quick"] : []) + (allowDebug ? ["--allow-debug"] : []))
    do throws(ScenarioProblems) {
      return try SelftestOptions(
        run: run, names: names, seeds: seeds ?? (quick ? 3 : 20), quick: quick, loader: Executable.loader)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
  }
}
