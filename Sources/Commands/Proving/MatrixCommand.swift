import ArgumentParser
import Foundation
import Reporting
import Runs
import Scenarios

/// `contextbench matrix`: which strategy shows which violation under which merge policy.
struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix", abstract: "Show strategies × merge policies × kinds of violations.",
    discussion: """
      Runs scenarios with every merge policy: ✓ clean, ✗ with a witness, – not exercised. Prints a table and writes \
      matrix.csv. Timings are left out. Without files it is the matrix of the README, which --check compares and \
      --write renews. The last line printed is the results folder.
      """)

  @Argument(
    help: "Scenario files, or names of shipped scenarios; none = those of the README.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var files: [String] = []

  @Flag(help: "The scenarios' own sizes instead of their quick ones.")
  var full = false

  @Option(help: "Seeds of each scenario, strategy and merge policy.")
  var seeds = 1

  @Option(
    help: ArgumentHelp("Only these strategies, separated by commas.", valueName: "a,b"),
    completion: .custom { _, _, prefix in Completions.strategies(prefix) })
  var strategy: String?

  @Flag(help: "Print the table as Markdown.")
  var markdown = false

  @Option(help: ArgumentHelp("Compare with the section of this Markdown file; 1 when it differs.", valueName: "file"))
  var check: String?

  @Option(help: ArgumentHelp("Rewrite the section of this Markdown file.", valueName: "file"))
  var write: String?

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  func validate() throws {
    if !(1...100_000).contains(seeds) { throw ValidationError("--seeds is from 1 to 100000.") }
    if check != nil, write != nil { throw ValidationError("--check and --write are not both possible.") }
  }

  func run() throws {
    let section = MarkedSection("matrix")
    let file = try (check ?? write).map { try read($0, section) }
    let options = try makeOptions()
    try CellsCommand.runAndExit { interruption in
      try await MatrixRunner(options, interruption: interruption).run()
    } show: { [markdown, check, write] report in
      let generated = report.matrix.markdown()
      print(markdown ? generated : report.matrix.text())
      for failure in report.harnessFailures { StandardError.write(failure) }
      var status = ExitStatus(report.ending, isInterrupted: report.isInterrupted)
      if status == .passed, let file {
        if check != nil { status = Self.compare(section.content(of: file) ?? "", generated) }
        if let write { status = Self.write(section.replacing(in: file, with: generated) ?? file, to: write) }
      }
      print(report.folder)
      return status
    }
  }

  private func makeOptions() throws -> MatrixOptions {
    let run = CellsCommand.options(out: out, replayArguments: full ? [] : ["--quick"])
    do throws(ScenarioProblems) {
      return try MatrixOptions(
        run: run, files: files, strategies: strategy, seeds: seeds, quick: !full, loader: Executable.loader)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.usage.exitCode
    }
  }

  /// The file's text, which has the section.
  private func read(_ path: String, _ section: MarkedSection) throws -> String {
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    guard let text, section.content(of: text) != nil else {
      StandardError.write(
        text == nil
          ? "\(path): cannot be read as UTF-8 text. Give the path of a Markdown file"
          : "\(path): has no section for the matrix. Put these lines where it belongs:\n\(section.marks)")
      throw ExitStatus.usage.exitCode
    }
    return text
  }

  private static func compare(_ old: String, _ new: String) -> ExitStatus {
    guard old != new else { return .passed }
    let (oldLines, newLines) = (old.split(separator: "\n"), new.split(separator: "\n"))
    for line in oldLines where !newLines.contains(line) { StandardError.write("- \(line)") }
    for line in newLines where !oldLines.contains(line) { StandardError.write("+ \(line)") }
    StandardError.write(
      "The matrix differs from the results. Find out why, and renew it with \(Program.current.name) matrix --write FILE"
    )
    return .violation
  }

  private static func write(_ text: String, to path: String) -> ExitStatus {
    do {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      return .passed
    } catch {
      StandardError.write(
        "\(path): cannot be written: \(ReportingError.reason(error)). Choose a place that is writable")
      return .harnessFailure
    }
  }
}
