import ArgumentParser
import Exploring
import Foundation
import Reporting
import Runs
import Scenarios

/// `contextbench matrix`: which strategy shows which violation under which merge policy.
struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix", abstract: "Show strategies × merge policies × kinds of violations.",
    discussion: """
      Explores scenarios with every merge policy, in simulations: ✓ clean, in so many schedules; ✗ with a witness, a \
      schedule that replay brings back; – not exercised. Prints a table and writes matrix.csv and the witnesses. Without \
      files it is the matrix of results/matrix/README.md: --write renews it, and --check fails when something is seen that it \
      does not show; fewer schedules are enough for that. The last line printed is the results folder.
      """)

  @Argument(
    help: "Scenario files, or names of shipped scenarios; none = those of results/matrix.",
    completion: .custom { _, _, prefix in Completions.scenarios(prefix) })
  var files: [String] = []

  @Option(help: "Schedules of each scenario, strategy and merge policy.")
  var schedules = 100

  @Option(
    help: ArgumentHelp("Only these strategies, separated by commas.", valueName: "a,b"),
    completion: .custom { _, _, prefix in Completions.strategies(prefix) })
  var strategy: String?

  @Flag(help: "Print the table as Markdown.")
  var markdown = false

  @Option(help: ArgumentHelp("Compare with the section of this Markdown file; 1 when more is seen.", valueName: "file"))
  var check: String?

  @Option(help: ArgumentHelp("Rewrite the section of this Markdown file.", valueName: "file"))
  var write: String?

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  func validate() throws {
    let counts = 1...ExploreOptions.countMax
    if !(counts ~= schedules) { throw ValidationError("--schedules is from 1 to \(counts.upperBound).") }
    if check != nil, write != nil { throw ValidationError("--check and --write are not both possible.") }
  }

  func run() throws {
    let section = MarkedSection("matrix")
    precondition(check == nil || write == nil, "a file is compared, or written")
    let file = try (check ?? write).map { try read($0, section) }
    let options = try makeOptions()
    try CellsCommand.runAndExit { interruption in
      try await MatrixRunner(options, Executable.loader, interruption: interruption).run()
    } show: { [markdown, check, write] report in
      let matrix = report.matrix
      print(markdown ? matrix.markdown() : matrix.text())
      for failure in report.harnessFailures { StandardError.write(failure) }
      var status = ExitStatus(report.ending, isInterrupted: report.isInterrupted)
      if status == .passed, let file {
        guard let shown = section.content(of: file) else { preconditionFailure("it had a section when it was read") }
        if check != nil { status = Self.compare(matrix, shown) }
        if let write {
          let table = matrix.markdown(in: URL(fileURLWithPath: write).deletingLastPathComponent().relativePath)
          guard let text = section.replacing(in: file, with: table) else { preconditionFailure("a section has marks") }
          status = Self.write(text, to: write)
        }
      }
      print(report.folder)
      return status
    }
  }

  private func makeOptions() throws -> MatrixOptions {
    do throws(ScenarioProblems) {
      return try MatrixOptions(
        run: CellsCommand.options(out: out), files: files, strategies: strategy, schedules: schedules,
        loader: Executable.loader)
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

  private static func compare(_ matrix: Matrix, _ shown: String) -> ExitStatus {
    let differences = matrix.differences(from: shown)
    guard !differences.isEmpty else { return .passed }
    for difference in differences { StandardError.write(difference) }
    StandardError.write(
      "This is not in the file's matrix. Find out why, and renew it with \(Program.current.name) matrix --write FILE")
    return .violation
  }

  private static func write(_ text: String, to path: String) -> ExitStatus {
    do throws(ReportingError) {
      try OutputFile.write(text, to: path)
      return .passed
    } catch {
      StandardError.write(error.description)
      return .harnessFailure
    }
  }
}
