import ArgumentParser
import Foundation
import Reporting

/// `contextbench compare`: holds two runs against each other.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two runs: worse, better, equivalent or inconclusive.",
    discussion: """
      A row is worse or better when a test shows that its ratio exceeds the minimum effect (5 %, or a threshold), \
      equivalent when its 95 % interval lies within it, and else inconclusive. The verdict rests on one primary measure \
      per scenario, and on those that thresholds name; the others are secondary. Two runs alone are advisory: give \
      --noise-run twice or more, so that it is known how much runs differ. Of one run with pairs, by --against or aa, \
      its arms are compared, pair by pair, with a minimum effect of 2 %. \
      Exit codes: 2 inconclusive everywhere, on a row that a threshold names, or on any with --must-show; 3 something is \
      worse; 4 something is better and --improvements was given; 5 a row of the baseline was not measured again; 64 the \
      runs cannot be read or compared.
      """)

  @Argument(help: ArgumentHelp("Results folder, or cells.csv, of the baseline.", valueName: "baseline"))
  var base: String

  @Argument(
    help: ArgumentHelp(
      "Results folder, or cells.csv, of the candidate; without it, the pairs of the first are compared.",
      valueName: "candidate"))
  var head: String?

  @OptionGroup var comparing: ComparingOptions

  @OptionGroup(title: "The comparison in other forms") var exports: OutcomeExportArguments

  func validate() throws {
    try ExportArguments.refuseTwo(comparing.forms + ExportArguments.forms(exports.exports))
    if head == nil, comparing.basis != .automatic || !comparing.noiseRun.isEmpty {
      throw ValidationError(
        "Pairs are compared by themselves: leave out --basis and --noise-run, or name a second run.")
    }
  }

  func run() throws {
    do {
      let options = try comparing.options(scenarios: [])
      let results = try Results(readingFrom: base)
      let compared =
        if let head {
          try Comparison(base: results, head: Results(readingFrom: head), options: options)
        } else {
          try Comparison(sideBySide: results, options: options)
        }
      let comparison = compared.planned()
      let text = comparison.text(
        colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth, rowsMax: comparing.rowsMax)
      let isTaken = comparing.takesStandardOutput || exports.exports.contains(where: \.takesStandardOutput)
      if isTaken { StandardError.write(text) } else { print(text, terminator: "") }
      let document = ComparisonDocument(comparison, baseline: base, failsOnImprovement: comparing.improvements)
      guard try export(comparison, document) else { throw ExitStatus.harnessFailure.exitCode }
      throw document.status.exitCode
    } catch let exit as ExitCode {
      throw exit
    } catch {
      StandardError.write("\(error)")
      throw ExitStatus.usage.exitCode
    }
  }

  /// Writes the comparison alone: the violations of the candidate are its run's to tell.
  ///
  /// - Returns: whether everything could be written.
  private func export(_ comparison: Comparison, _ document: ComparisonDocument) throws -> Bool {
    var isWhole = true
    func attempt(_ write: () throws(ReportingError) -> Void) {
      do throws(ReportingError) {
        try write()
      } catch {
        StandardError.write(error.description)
        isWhole = false
      }
    }
    if let file = comparing.comparison { attempt { () throws(ReportingError) in try comparison.writeCSV(to: file) } }
    let exports = exports.exports
    guard !exports.isEmpty else { return isWhole }
    try Export.exitIfAnyIsUnwritable(exports)
    let exported = try ExportedResults(readingFrom: head ?? base).comparing(document)
    for export in exports { attempt { () throws(ReportingError) in try export.write(exported) } }
    return isWhole
  }
}
