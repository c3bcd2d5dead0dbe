import ArgumentParser
import Foundation
import Reporting
import Runs

/// The output of a run on standard output.
struct OutputArguments: ParsableArguments {
  /// A form of it.
  enum Form: String, ExpressibleByArgument, CaseIterable {
    /// Tables for people.
    case text
    /// One document at the end, as `--json -`.
    case json
    /// A line for each cell as it ends, and one for the end.
    case jsonl
  }

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Standard output: text, json (one document), jsonl (a line for each cell as it ends).", valueName: "form"))
  var output = Form.text

  @Flag(help: "Print the results folder alone; the exit code says the rest.")
  var quiet = false

  @Flag(
    help: ArgumentHelp(
      """
      Show the strategies side by side on standard error while they run; where that is no terminal, a line for each cell.
      """))
  var watch = false

  func validate() throws {
    if quiet, watch { throw ValidationError("--quiet prints the folder alone: leave out --watch.") }
    if quiet, output != .text { throw ValidationError("--quiet prints the folder alone: leave out --output.") }
  }

  /// Forms to be written to standard output at the end.
  var exports: [Export] { output == .json ? [Export(format: JSONExport.self, file: "-")] : [] }

  /// The forms that go to standard output besides tables.
  var forms: [ExportArguments.Form] { output == .text ? [] : [("--output \(output.rawValue)", "-")] }

  /// Shown while cells run.
  var progress: ProgressForm { quiet ? .none : watch ? .watch : .bar }

  /// Where tables go, when these are written, too.
  func channel(_ exports: [Export], _ comparing: ComparingOptions) -> OutputChannel {
    if output == .jsonl { return .lines }
    let isTaken = comparing.takesStandardOutput || exports.contains(where: \.takesStandardOutput)
    if quiet { return isTaken ? .quietStandardError : .quiet }
    return isTaken ? .standardError : .standardOutput
  }
}

/// Where a run's tables go.
enum OutputChannel: Sendable {
  case standardOutput
  /// A program reads standard output.
  case standardError
  /// A program reads lines there.
  case lines
  /// Nowhere; the folder alone is printed.
  case quiet
  /// Nowhere; a program reads standard output, so that the folder goes to standard error.
  case quietStandardError

  /// Writes the text of a run, with its folder as the last line.
  func write(_ text: String, folder: String) {
    switch self {
    case .standardOutput: print(text, terminator: "")
    case .standardError, .lines: StandardError.write(text, terminator: "")
    case .quiet: print(folder)
    case .quietStandardError: StandardError.write(folder)
    }
  }

  /// Writes the table of a scenario while others run; nil where tables go nowhere.
  var scenarioWriter: (@Sendable (RunReport, String) -> Void)? {
    guard self != .quiet, self != .quietStandardError else { return nil }
    return { report, scenario in
      let text = report.text(of: scenario, colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth)
      write(text + "\n", folder: report.folder)
      // Where standard output is a file or a pipe, its reader shall not wait for more.
      fflush(nil)
    }
  }
}

/// Lines of JSON on standard output while a run is under way.
enum JSONLines {
  /// Writes a cell's row, its columns as keys.
  static func writeCell(_ row: CellRow) { write(JSONExport.line(of: row)) }

  /// Writes the last line.
  static func writeEnd(_ outcome: RunOutcome, folder: String) { write(JSONExport.line(of: outcome, folder: folder)) }

  private static func write(_ line: String) {
    print(line)
    // Its reader shall not wait for more.
    fflush(nil)
  }
}
