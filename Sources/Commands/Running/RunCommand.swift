import ArgumentParser
import Boundary
import Cells
import Checking
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench run`: runs scenarios.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run scenarios through strategies.",
    discussion: """
      A scenario is a file, the name of a shipped one, a pipe, or - for standard input. \
      Each cell (a strategy, once) runs in a process of its own, one at a time. Rows are written to cells.csv, \
      timings.csv and violations.csv as cells end. The last line printed is the results folder.

      Other forms are written when the run is over, also by export; as a file name - means standard output. Where a form \
      for programs goes there nothing else does: tables go to standard error.

      EXAMPLES
        \(Program.current.name) run import --quick --strategy parent-child,notification-merge
        \(Program.current.name) run --filter 'hazards/*' --quick --quiet
        \(Program.current.name) run import -o json | jq .outcome.exit_code
      """)

  @OptionGroup var scenarios: ScenarioArguments

  @Flag(help: "End the run with its first violation that its scenario does not expect.")
  var stopOnViolation = false

  @Option(
    help: ArgumentHelp("End the run with the first violation of this kind, expected or not.", valueName: "kind"),
    completion: .custom { _, _, _ in Completions.kinds }, transform: Self.kind)
  var stopOn: ViolationKind?

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  @Flag(help: "Print the plan and end.")
  var dryRun = false

  @Option(help: ArgumentHelp("Resume an interrupted run; takes no scenarios.", valueName: "dir"))
  var resume: String?

  @Flag(help: "Run the only cell of the plan in this process, for a debugger: no child, no deadline, no floor.")
  var inProcess = false

  @Flag(
    help: """
      Count instructions (with valgrind) instead of time: each cell runs once in a simulation, in a fixed order, and its \
      checks are left out.
      """)
  var instructions = false

  @Flag(
    help: """
      Note the order of each cell's steps, and turn violations into schedules for replay where that order shows them in a \
      simulation, too. There is no warm-up, and timings are not to be compared with those of other runs.
      """)
  var record = false

  @Flag(help: "Keep the stores' files in the results folder.")
  var keepStore = false

  @Flag(help: "Run although this is a debug or sanitized build, whose timings mean nothing.")
  var allowDebug = false

  @OptionGroup var output: OutputArguments

  @Option(help: ArgumentHelp("Compare with this run, and fail with 3 when something is worse.", valueName: "dir"))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "Run every cell also by this executable, one beside the other; compare them, and fail with 3 when this one is worse.",
      valueName: "executable"))
  var against: String?

  @OptionGroup(title: "With --baseline or --against") var comparing: ComparingOptions

  @OptionGroup(title: "Other forms of the results") var exports: ExportArguments

  func validate() throws {
    try ExportArguments.refuseTwo(output.forms + comparing.forms + exports.forms)
    if resume != nil {
      if !scenarios.isEmpty || out != nil || dryRun || inProcess || stopOnViolation || stopOn != nil || keepStore
        || allowDebug
        || instructions || record || baseline != nil || against != nil || comparing.isGiven
      {
        throw ValidationError(
          "--resume takes everything from the interrupted run. Leave the other options out.")
      }
    } else if baseline != nil, against != nil {
      throw ValidationError("--baseline compares the run with another run, --against with an executable. Choose one.")
    } else if against != nil, inProcess || comparing.basis != .automatic || !comparing.noiseRun.isEmpty {
      throw ValidationError("--against compares pairs of processes: leave out --in-process, --basis and --noise-run.")
    } else if instructions, inProcess {
      throw ValidationError("--instructions counts in a child process: leave out --in-process.")
    } else if record, inProcess || instructions || baseline != nil || against != nil {
      throw ValidationError(
        "--record compares nothing: leave out --in-process, --instructions, --baseline and --against.")
    } else if baseline == nil, against == nil, comparing.isGiven {
      throw ValidationError(
        "--basis, --thresholds, --noise-run, --must-show, --comparison and --improvements only apply to a comparison: also give --baseline or --against."
      )
    } else if scenarios.files.isEmpty, scenarios.filter.isEmpty {
      throw ValidationError("Give a scenario file, or the name of a shipped scenario.")
    }
  }

  func run() throws {
    if let resume { return try resumeRun(in: resume) }
    var options = try makeOptions()
    let gate = try makeGate(options.scenarios)
    if dryRun {
      let plan = Plan(options.scenarios)
      print((options.shard.map(plan.part) ?? plan).text(width: Terminal.tableWidth), terminator: "")
      return
    }
    try start(&options, as: self, gate, exports.exports + output.exports)
  }

  /// - Parameter command: the command that the run began with.
  private func start(
    _ options: inout RunOptions, as command: RunCommand, _ gate: RunGate?, _ exports: [Export]
  ) throws {
    try Export.exitIfAnyIsUnwritable(exports)
    precondition(options.counter == nil, "a run has one counter, which is made here")
    let interruption = try CellsCommand.makeInterruption()
    if command.instructions {
      let executables = options.executables
      options.counter = try CellsCommand.orExit { () throws(HarnessFailure) in
        try InstructionCounter(of: executables)
      }
    }
    let channel = output.channel(exports, comparing)
    options.progress = output.progress
    options.onScenario = channel.scenarioWriter
    if output.output == .jsonl { options.onCell = JSONLines.writeCell }
    let runner = Runner(options, interruption: interruption)
    if inProcess { runner.runInProcessAndExit(by: CellRunner.run) { Self.finish($0, gate, exports, channel) } }
    guard command.record else { runner.runAndExit { Self.finish($0, gate, exports, channel) } }
    precondition(options.notesOrder, "a run that is recorded notes its orders")
    let schedules = LiveSchedules(
      assignments: command.scenarios.assignments, isQuick: command.scenarios.quick, interruption: interruption)
    BackgroundRun.runAndExit {
      let report = try await runner.run()
      return (report: report, found: try await schedules.text(of: report))
    } finish: { result in
      Self.finish(result.map(\.report), gate, exports, channel, found: (try? result.get().found) ?? "")
    }
  }

  /// Runs the cells that an interrupted run did not finish, with that run's options.
  private func resumeRun(in folder: String) throws {
    let resumed: ResumedRun
    do throws(ReportingError) {
      resumed = try ResumedRun(readingFrom: folder)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
    guard var earlier = try? RunCommand.parse(Array(resumed.manifest.arguments.dropFirst())) else {
      try Self.refuse(folder, ["its command is not understood: \(resumed.manifest.arguments.joined(separator: " "))"])
      return
    }
    // A stream could be read only once, and is where it was copied to.
    for (place, path) in zip(earlier.scenarios.files.indices, resumed.manifest.scenarios)
    where path.contains("/contextbench/streams/") { earlier.scenarios.files[place] = path }
    var options = try earlier.makeOptions()
    options.arguments = resumed.manifest.arguments
    options.resumed = resumed
    try Self.refuse(folder, resumed.obstacles(for: options))
    let gate = try earlier.makeGate(options.scenarios)
    try start(&options, as: earlier, gate, earlier.exports.exports + exports.exports + output.exports)
  }

  private static func refuse(_ folder: String, _ obstacles: [String]) throws {
    try ScenarioArguments.exitIfAny(
      obstacles.map {
        ScenarioProblem(
          source: "--resume", key: folder, what: $0, advice: "Restore the run's original inputs, or start a new run")
      })
  }

  private func makeOptions() throws -> RunOptions {
    var problems: [ScenarioProblem] = []
    let part = scenarios.part(&problems)
    if !dryRun, !allowDebug, !BuildConfiguration.current.isComparable {
      problems.append(
        ScenarioProblem(
          source: "run", what: "timings of a debug or sanitized build mean nothing",
          advice: "Build with swift build -c release, or add --allow-debug to run nevertheless"))
    }
    var loaded = pair(scenarios.scenarios(&problems), &problems)
    if instructions { loaded = CountedScenario.scenarios(loaded, &problems) }
    if record { problems += loaded.compactMap { SimulationLimit.problem(of: $0) } }
    if part != nil { problems += Self.goalProblems(loaded) }
    if inProcess { problems += Self.inProcessProblems(loaded, part) }
    if instructions, !dryRun, let missing = InstructionCounter.missingTool() {
      problems.append(
        ScenarioProblem(source: "--instructions", what: missing, advice: "Install it, or leave the option out"))
    }
    try ScenarioArguments.exitIfAny(problems)
    var options = CellsCommand.options(
      loaded, out: out,
      replayArguments: (scenarios.quick ? ["--quick"] : []) + (allowDebug ? ["--allow-debug"] : [])
        + scenarios.assignments.flatMap { ["--set", $0] })
    options.base = against.map { URL(fileURLWithPath: $0).path }
    options.shard = part
    options.notesOrder = record
    options.keepsStores = keepStore
    options.stop = stopOn.map { .kind($0) } ?? (stopOnViolation ? .violation : nil)
    return options
  }

  /// The kind of that name.
  private static func kind(_ name: String) throws -> ViolationKind {
    guard let kind = ViolationKind(rawValue: name) else {
      let advice = NearestName.advice(for: name, in: ViolationKind.allCases.map(\.rawValue))
      throw ValidationError("There is no kind \(name). \(advice)")
    }
    return kind
  }

  /// Goals of samples, which a part of a plan cannot follow.
  private static func goalProblems(_ scenarios: [Scenario]) -> [ScenarioProblem] {
    scenarios.flatMap { scenario in
      ["min_time_s", "min_samples"].filter { scenario.settings.values[$0] != nil }.map { key in
        ScenarioProblem(
          source: "--shard", key: key, what: "asks \(scenario.name) for repetitions that depend on other parts",
          advice: "Set repetitions instead")
      }
    }
  }

  private func makeGate(_ scenarios: [Scenario]) throws -> RunGate? {
    guard baseline != nil || against != nil else { return nil }
    precondition(baseline == nil || against == nil, "a run is compared with another one, or with an executable")
    var source = ""
    do {
      let options = try comparing.options(scenarios: scenarios)
      if let against { return RunGate(beside: against, options, comparing) }
      source = "--baseline: "
      return try baseline.map { try RunGate(baseline: $0, of: scenarios.map(\.name), options, comparing) }
    } catch {
      StandardError.write("\(source)\(error)")
      throw ExitStatus.usage.exitCode
    }
  }

  /// Lets each cell run beside one of another executable.
  private func pair(_ scenarios: [Scenario], _ problems: inout [ScenarioProblem]) -> [Scenario] {
    guard let against else { return scenarios }
    if let problem = BesideExecutable(path: against).problem(allowsDebug: allowDebug) { problems.append(problem) }
    return scenarios.map { scenario in
      if scenario.settings[Keys.runsPairs] {
        problems.append(
          ScenarioProblem(
            source: "--against", key: "aa", what: "makes pairs of \(scenario.name) already",
            advice: "Set aa to false, or leave --against out"))
      }
      var scenario = scenario
      scenario.isBeside = true
      return scenario
    }
  }

  /// The problem of a plan that cannot be run without a child.
  private static func inProcessProblems(_ scenarios: [Scenario], _ part: Shard?) -> [ScenarioProblem] {
    let plan = Plan(scenarios)
    let count = (part.map(plan.part) ?? plan).cells.count
    guard count != 1, !scenarios.isEmpty else { return [] }
    return [
      ScenarioProblem(
        source: "--in-process", what: "the plan has \(count) cells, and one is possible",
        advice: "Add --strategy NAME, --repetitions 1 and --set warmup=0, see --dry-run")
    ]
  }

  private static func finish(
    _ result: Result<RunReport, HarnessFailure>, _ gate: RunGate?, _ exports: [Export], _ channel: OutputChannel,
    found: String = ""
  ) -> Int32 {
    switch result {
    case .success(let report):
      let judgement = report.isInterrupted ? nil : gate?.judge(report)
      var outcome = report.outcome(judgement?.document)
      let ofRun = outcome.harnessFailures.count
      if let failure = judgement?.failure { outcome.addHarnessFailure(failure) }
      ExportArguments.write(exports, from: report.folder, &outcome)
      for failure in outcome.harnessFailures.dropFirst(ofRun) { StandardError.write(failure) }
      // The results folder is the last line, whatever is printed.
      channel.write(
        found + (judgement.map { $0.text + "\n" } ?? "")
          + report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth), folder: report.folder)
      if channel == .lines { JSONLines.writeEnd(outcome, folder: report.folder) }
      return outcome.exitCode.rawValue
    case .failure(let failure):
      StandardError.write(failure.description)
      return ExitStatus.harnessFailure.rawValue
    }
  }
}
