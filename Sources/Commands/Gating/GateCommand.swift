import ArgumentParser
import Boundary
import Foundation
import Measuring
import Reporting
import Runs
import Scenarios

/// `contextbench gate`: whether a build costs more than the accepted baseline.
struct GateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gate", abstract: "Fail when this build costs more than the accepted baseline.",
    discussion: """
      Runs every cell of the folder's scenarios once, in a simulation and in a fixed order, so that what it counts does \
      not vary: statements, rows, pages, syncs, faults, notifications, blocks on main, turns waited for, and more. One more \
      of any fails. Of one cell of each scenario instructions are counted as well, by valgrind where it is installed; one \
      per cent more fails, and the functions that were added to are named. Wall time decides nothing.
      Ends with 0 when nothing costs more, with 3 when something does, with 1 when a cell comes to no end, with 5 when a \
      cell of the baseline was not run, and with 2 when nothing could be compared. What cannot be compared, since SQLite or \
      the compiler is another, is a line; with --strict it ends with 2.

      EXAMPLES
        \(Program.current.name) gate --init
            Writes the scenarios, the baseline, and a GitHub workflow.
        \(Program.current.name) gate
            Compares this build with the baseline.
        \(Program.current.name) gate --accept
            Takes the new numbers; commit them with the change that they are of.
      """)

  @Flag(name: .customLong("init"), help: "Write the gate's folder and a workflow file.")
  var initializes = false

  @Flag(help: "Write the numbers of this build as the baseline.")
  var accept = false

  @Option(
    help: ArgumentHelp(
      "With --init: a scenario file, or the name of a shipped scenario; without it those that take little time.",
      valueName: "scenario"),
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var scenario: [String] = []

  @Option(help: ArgumentHelp("The gate's folder.", valueName: "dir"))
  var dir = "contextbench-gate"

  @Flag(help: "Name every cell that differs.")
  var all = false

  @Flag(help: "End with 2 when something could not be compared, or is not in the baseline.")
  var strict = false

  @Flag(help: "Count no instructions.")
  var noInstructions = false

  func validate() throws {
    if initializes, accept { throw ValidationError("--init writes a baseline already: leave --accept out.") }
    if !initializes, !scenario.isEmpty {
      throw ValidationError("--scenario belongs to --init; later edit \(dir)/\(GateList.fileName).")
    }
    for name in scenario where !GateList.Line.canHave(name) {
      throw ValidationError("--scenario: \(GateList.fileName) has no blank and no # in a name: \(name).")
    }
    if dir.isEmpty { throw ValidationError("--dir is the path of a folder.") }
  }

  func run() throws {
    if initializes { try GateFolder(dir).begin(scenarios: scenario, countingInstructions: !noInstructions) }
    let scenarios: [Scenario]
    var base: GateBaseline?
    do {
      let list = try GateList.read(in: dir)
      if !initializes, !accept { base = try GateBaseline.read(in: dir) }
      scenarios = try list.scenarios(Executable.loader)
    } catch {
      StandardError.write("\(error)")
      throw ExitStatus.usage.exitCode
    }
    let counter = noInstructions ? nil : try Self.counter([Executable.path])
    let command = self
    let accepted = base
    try CellsCommand.runAndExit { interruption in
      defer { counter?.removeCopies() }
      let runner = GateRunner(
        scenarios, executable: Executable.path, counter: counter, interruption: interruption)
      var bar = ProgressBar(total: runner.count)
      defer { bar.clear() }
      return try await runner.run(against: accepted) { done, name in bar.update(done: done, label: name) }
    } show: { result in
      guard let result else { return .interrupted }
      guard let accepted else { return command.write(result) }
      let comparison = GateComparison(
        accepted, GateFunctions.read(in: command.dir), with: result, ignoringInstructions: command.noInstructions)
      print(comparison.text(program: Program.current.name, all: command.all), terminator: "")
      return comparison.status(isStrict: command.strict)
    }
  }

  /// Counts the instructions of these executables; nil where a tool for it is missing.
  static func counter(_ executables: [String]) throws -> InstructionCounter? {
    guard InstructionCounter.missingTool() == nil else { return nil }
    return try CellsCommand.orExit { () throws(HarnessFailure) in try InstructionCounter(of: executables) }
  }

  /// Writes the counts as the baseline.
  private func write(_ result: GateRunner.Result) -> ExitStatus {
    precondition(initializes || accept, "a baseline is written when that was asked for")
    for (name, reason) in result.failures.sorted(by: { $0.key < $1.key }) { StandardError.write("\(name): \(reason)") }
    guard result.failures.isEmpty else {
      StandardError.write("The baseline was not written. Take these scenarios out of \(dir)/\(GateList.fileName)")
      return .violation
    }
    do throws(ReportingError) {
      try result.functions.write(in: dir)
      try result.baseline.write(in: dir)
    } catch {
      StandardError.write(error.description)
      return .harnessFailure
    }
    for name in result.tooLarge {
      print(
        "\(name): more than \(HumanReadable.count(GateRunner.countedAllocationsMax)) allocations, no instructions are counted"
      )
    }
    let instructions = result.baseline.cells.values.count { $0.instructions != nil }
    let rest = initializes ? "and \(GateFolder.workflowPath)" : "with the change that they are of"
    print(
      "\(HumanReadable.count(result.baseline.cells.count)) cells, instructions of \(instructions), "
        + "in \(HumanReadable.seconds(result.baseline.seconds)): commit \(dir) \(rest)")
    return .passed
  }
}
