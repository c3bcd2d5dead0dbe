import ArgumentParser
import Foundation
import Reporting
import Scenarios

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
    help: ArgumentHelp(
      "A repeat of the baseline, or a folder of repeats: two or more show how much runs differ.", valueName: "dir"))
  var noiseRun: [String] = []

  @Option(
    help: ArgumentHelp(
      "Exit with 2 unless every row shows or excludes a change of this size: 5%.", valueName: "percent"))
  var mustShow: Percentage?

  @Option(
    help: ArgumentHelp("Also write every row with its probabilities as CSV; - = standard output.", valueName: "file"))
  var comparison: String?

  @Flag(help: "Exit with 4 when something is better and nothing worse.")
  var improvements = false

  @Flag(help: "Show every row of the comparison; without it ten, those first that were decided.")
  var all = false

  /// Rows that are shown without ``all``.
  private static let rowsMax = 10

  /// Rows that are shown; nil = all.
  var rowsMax: Int? { all ? nil : Self.rowsMax }

  /// The form that is asked for, if one is.
  var forms: [ExportArguments.Form] { comparison.map { [("--comparison \($0)", $0)] } ?? [] }

  /// Whether a program reads the comparison from standard output.
  var takesStandardOutput: Bool { comparison.map(OutputFile.isStandardOutput) ?? false }

  /// Whether anything is asked for, which needs something to compare with.
  var isGiven: Bool {
    all || basis != .automatic || thresholds != nil || !noiseRun.isEmpty || improvements || mustShow != nil
      || comparison != nil
  }

  /// The options, with the thresholds of scenarios and of the file.
  ///
  /// - Throws: `ReportingError` or `ScenarioProblems` when a file cannot be read.
  func options(scenarios: [Scenario]) throws -> ComparisonOptions {
    var options = ComparisonOptions()
    options.basis = basis
    options.thresholds = scenarios.flatMap(\.thresholds)
    if let thresholds { options.thresholds += try ThresholdFile.read(thresholds, vocabulary: .registered) }
    options.repeats = try noiseRun.flatMap { try Results.runs(in: $0) }
    options.mustShow = mustShow?.share
    return options
  }
}

/// A relative difference: `5%`, `5 %` or `5`.
struct Percentage: ExpressibleByArgument {
  /// 1 is as much again; above 0, to 10.
  let share: Double

  init?(argument: String) {
    let number = argument.hasSuffix("%") ? String(argument.dropLast()) : argument
    guard let percent = Double(number.trimmingCharacters(in: .whitespaces)), percent > 0, percent <= 1_000 else {
      return nil
    }
    share = percent / 100
  }
}

extension ComparisonOptions.Basis: ExpressibleByArgument {}
