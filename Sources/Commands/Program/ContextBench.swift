import ArgumentParser
import Measuring
import Reporting

/// The command.
struct ContextBench: ParsableCommand {
  private static let name = Program.current.name

  /// A line for each exit code.
  private static let exitCodes = ExitStatus.allCases.map { status in
    let code = String(status.rawValue)
    return code + String(repeating: " ", count: 5 - code.count) + status.meaning
  }.joined(separator: "\n  ")

  static let configuration = CommandConfiguration(
    commandName: name,
    abstract: "Runs a Core Data-style context stack under scenarios and strategies; reports timings and violations.",
    discussion: """
      EXAMPLES
        \(name) run Scenarios/import.yml
            The import through every strategy of the file: a table, and CSV files.
        \(name) run import --quick --strategy parent-child,notification-merge
            A shipped scenario by its name, scaled down, two strategies.
        \(name) run import --set notes=20000 --set importers=8 --repetitions 5
            Other sizes; list keys shows every key with its range and default.
        \(name) run hazards/deadlock --repetitions 50
            A mistake made on purpose: passes when it is caught every time.
        \(name) selftest
            Every mistake made on purpose, beside the right way: what is caught.
        \(name) explore counters --set merge_policy=overwrite --time-budget 1m
            Searches the interleavings of a cell; replay repeats what it finds.
        \(name) test MyApp --filter LoginTests
            Runs the tests of a package in every order of their tasks and queues.
        \(name) explain stale-read
            What a kind of violation means, its usual cause and the remedy.
        \(name) matrix
            Which strategy shows which violation under which merge policy.
        \(name) compare BASE HEAD
            Two results folders: what became worse or better, by how much.
        \(name) gate
            Whether this build costs more than the accepted one, by exact counts.
        \(name) recommend --importers 4 --save-every 500 --main-thread 3
            Which arrangement to use for such an app, with reasons and code.
        \(name) report contextbench-results/20261121-175330-7cf9
            A run as one HTML page, with pictures and timelines.
        \(name) validate my-scenario.yml
            Every mistake in a scenario file at once, with its line.
        \(name) export contextbench-results/20260102-030405-00ff --format junit
            The results of a run in the form of another tool.
        \(name) run import --shard 1/3 --out part-1
            A third of the plan; merge part-1 part-2 part-3 joins them.
        \(name) run --resume contextbench-results/20260102-030405-00ff
            The rest of an interrupted run.

        \(name) history nightly
            Where the measures of many runs changed, and at which revision.
        \(name) new strategy offline-first
            A package with a strategy, a workload, scenarios and a test of your own.

      COMPLETIONS (strategies, scenarios and keys included)
        \(name) --generate-completion-script bash
            into ~/.local/share/bash-completion/completions/\(name)
        \(name) --generate-completion-script zsh
            into ~/.zsh/completions/_\(name)
        \(name) --generate-completion-script fish
            into ~/.config/fish/completions/\(name).fish

      EXIT CODES
        \(exitCodes)
      """,
    version: Program.version + BuildConfiguration.current.suffix,
    subcommands: [
      RunCommand.self, PlanCommand.self, MergeCommand.self, CompareCommand.self, HistoryCommand.self,
      CalibrateCommand.self, GateCommand.self,
      ExportCommand.self, ReportCommand.self, RecommendCommand.self, SelftestCommand.self, ExplainCommand.self,
      MatrixCommand.self, ExploreCommand.self, ReplayScheduleCommand.self, ShrinkCommand.self, TestCommand.self,
      ListCommand.self, ValidateCommand.self, NewCommand.self, ManualCommand.self,
      CellCommand.self, SimulateCommand.self,
      FloorCommand.self,
    ])
}
