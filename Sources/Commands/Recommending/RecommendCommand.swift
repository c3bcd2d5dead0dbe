import ArgumentParser
import Exploring
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench recommend`: which arrangement an app should use.
struct RecommendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recommend", abstract: "Say which arrangement an app should use, with reasons and code.",
    discussion: """
      Without a folder it runs the import with your numbers through every strategy (own-model with --model; with rates app, an \
      app's whole mix), and searches \
      the orders in which two writers can change one row, under every merge policy, for lost updates. With the folder of a run it reads its results. Strategies that \
      held are ranked by their cost: the weighted geometric mean of how many times as much main-thread time, time until \
      everything is visible and memory they take as the best; ratios that cannot be distinguished from 1 count as 1, \
      unless their interval reaches beyond \(HumanReadable.significant(Recommendation.tieMax)). \
      Losing updates under every merge policy counts as \(HumanReadable.significant(Recommendation.lossFactor)) times as much. \
      The last line printed is the results folder.
      """)

  @Argument(help: "The folder of a run with several strategies; none = run what is described by the options.")
  var folder: String?

  @OptionGroup(title: "What the app does") var app: RecommendApp

  @Option(help: ArgumentHelp("How much a free main thread matters.", valueName: "weight"))
  var mainThread = 1.0

  @Option(help: ArgumentHelp("How much it matters to finish early.", valueName: "weight"))
  var throughput = 1.0

  @Option(help: ArgumentHelp("How much memory matters.", valueName: "weight"))
  var memory = 1.0

  @Option(
    help: ArgumentHelp("How much it matters that no update of two writers of one row is lost.", valueName: "weight"))
  var safety = 1.0

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  @Flag(help: "Run although this is a debug or sanitized build, whose timings mean nothing.")
  var allowDebug = false

  func validate() throws {
    let weights = [mainThread, throughput, memory, safety]
    if weights.contains(where: { !($0 >= 0 && $0 <= 1_000) }) || weights.allSatisfy({ $0 == 0 }) {
      throw ValidationError("Weights are from 0 to 1000, and one is above 0.")
    }
    if folder != nil, app.isGiven || out != nil {
      throw ValidationError("A folder has been run already: leave out what describes the app, and --out.")
    }
    if folder == nil, !allowDebug, !BuildConfiguration.current.isComparable {
      throw ValidationError(
        "Timings of a debug or sanitized build mean nothing. Build with -c release, or add --allow-debug.")
    }
  }

  private var weights: RecommendationWeights {
    RecommendationWeights(mainThread: mainThread, throughput: throughput, memory: memory, safety: safety)
  }

  func run() throws {
    if let folder {
      throw show(folder).exitCode
    }
    let replay = allowDebug ? ["--allow-debug"] : []
    var options = CellsCommand.options(out: out ?? "contextbench-results/" + RunName.make(), replayArguments: replay)
    let losses: MatrixOptions
    do throws(ScenarioProblems) {
      options.scenarios = [try app.scenario(Executable.loader)]
      var risks = options
      guard let out = options.out else { preconditionFailure("a run that is recommended from has a folder") }
      risks.out = out + "/" + Self.risks
      losses = try MatrixOptions(
        run: risks, files: Self.riskScenarios, strategies: nil, schedules: Self.riskSchedules,
        loader: Executable.loader)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    try CellsCommand.runAndExit { [options] interruption in
      let report = try await Runner(options, interruption: interruption).run()
      guard !report.isInterrupted else { return (report, nil as MatrixReport?) }
      return (report, try await MatrixRunner(losses, Executable.loader, interruption: interruption).run())
    } show: { report, matrix in
      let isInterrupted = report.isInterrupted || matrix?.isInterrupted != false
      if isInterrupted || report.ending == .harnessFailed {
        print(report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth), terminator: "")
        return ExitStatus(report.ending, isInterrupted: isInterrupted)
      }
      let status = show(report.folder, ran: [app.command, Self.riskCommand])
      for failure in matrix?.harnessFailures ?? [] { StandardError.write(failure) }
      return matrix?.ending == .harnessFailed ? .harnessFailure : status
    }
  }

  /// Two writers in a given order, and two that meet as they may.
  private static let riskScenarios = ["two-writers", "counters"]
  /// Schedules of each of them, strategy and merge policy that are searched for lost updates.
  private static let riskSchedules = 30
  private static var riskCommand: String {
    "\(Program.current.name) matrix \(riskScenarios.joined(separator: " ")) --schedules \(riskSchedules)"
  }
  /// The folder of the matrix in that of the run.
  private static let risks = "risks"

  /// Ranks the strategies of a results folder; passed when one can be recommended.
  ///
  /// - Parameter ran: the commands that run the same cells.
  private func show(_ folder: String, ran: [String] = []) -> ExitStatus {
    do throws(ReportingError) {
      let results = try Results(readingFrom: folder).judged
      let matrix = folder + "/" + Self.risks
      let hasLosses = FileManager.default.fileExists(atPath: matrix + "/" + Table<MatrixRow>.matrix.fileName)
      let losses = hasLosses ? try Table<MatrixRow>.matrix.read(matrix + "/" + Table<MatrixRow>.matrix.fileName) : []
      let conclusions = Conclusion.all(cells: results.cells, violations: results.violations)
      guard !conclusions.isEmpty else {
        throw ReportingError(
          path: folder, cause: "has no two strategies of one scenario to choose from, or none held",
          remedy: "Name a run of several strategies, or leave the folder out")
      }
      let recommendation = Recommendation(conclusions, losses: losses, cells: results.cells, weights: weights)
      print(
        recommendation.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.textWidth), terminator: "")
      if app.hasRates, let frames = LoadCurve.frames(results.cells) { print("\n" + frames) }
      if !ran.isEmpty { print("\nran\n" + ran.map { "  \($0)" }.joined(separator: "\n")) }
      print("\n" + folder)
      return recommendation.candidates.isEmpty ? .violation : .passed
    } catch {
      StandardError.write(error.description)
      return .usage
    }
  }
}
