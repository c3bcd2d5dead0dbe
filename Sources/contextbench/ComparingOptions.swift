import ArgumentParser
import HarnessKit
import Reporting

/// How runs are compared, by `compare` and by `run --baseline`.
struct ComparingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to compare: ratios (multiples of the floor, across machines), times (one machine), automatic.",
      valueName: "basis"))
  var basis = ComparisonOptions.Basis.automatic

  @Option(
    help: ArgumentHelp(
      "YAML file with a list thresholds: of {column, percent} and, where wanted, scenario and strategy.",
      valueName: "file"))
  var thresholds: String?

  @Option(
    help: ArgumentHelp("A repeat of the base run, to estimate noise; may be given several times.", valueName: "dir"))
  var noiseRun: [String] = []

  @Flag(help: "Exit with 4 when something is better and nothing worse.")
  var improvements = false

  /// Whether anything is asked for, which needs something to compare with.
  var isGiven: Bool { basis != .automatic || thresholds != nil || !noiseRun.isEmpty || improvements }

  /// The options, with the thresholds of scenarios and of the file.
  ///
  /// - Throws: `ReportingError` or `ScenarioProblems` when a file cannot be read.
  func options(scenarios: [Scenario]) throws -> ComparisonOptions {
    var options = ComparisonOptions()
    options.basis = basis
    options.thresholds = scenarios.flatMap(\.thresholds)
    if let thresholds { options.thresholds += try ThresholdFile.read(thresholds) }
    options.repeats = try noiseRun.map { try Results(readingFrom: $0) }
    return options
  }
}

extension ComparisonOptions.Basis: ExpressibleByArgument {}
