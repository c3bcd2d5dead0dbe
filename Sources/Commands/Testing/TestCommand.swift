import ArgumentParser
import Boundary
import Foundation
import Reporting
import Scheduling

/// `contextbench test`: explores the tests of a package.
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test", abstract: "Run each test of a package in every order of its tasks, queues and threads.",
    discussion: """
      Builds the tests of a package, which are Swift Testing's or XCTest's and stay as they are, and explores each one in a \
      process of its own: the test runs again and again, each time in another order of its tasks, actors, queues and \
      threads. A test that passes alone and fails in some order is the finding: the order is made smaller, shown as a \
      table, and kept in the results folder. What the simulation does not see is named, and never counts as passed. \
      The results folder has a table as tests.json, tests.md, junit.xml and index.html; the last line printed is that folder.
      Ends with 0 when all tests passed in all orders, with 1 when one fails in some order, with 2 when one could not be \
      explored, with 6 when the tests cannot be built.
      Tests that spoil each other by a file or a global show with --together, and the two that do are named.

      EXAMPLES
        \(Program.current.name) test MyApp --filter LoginTests --schedules 1000
        \(Program.current.name) test MyApp --replay FOLDER/MyTests-Suite-name.schedule
      """)

  @Argument(help: "Folder of the package.", completion: .directory)
  var package = "."

  @Option(
    help: ArgumentHelp(
      "Only tests with a name, Module.Suite/test, that this regular expression finds.", valueName: "regex"))
  var filter: [String] = []

  @Flag(help: "Run the tests of each suite in one process, side by side.")
  var together = false

  @Option(help: "Orders of each test.")
  var schedules = 500

  @Option(
    help: ArgumentHelp(
      "Wall time of all searches together: 90s, 5m, 2h; without it 10 s for each test.", valueName: "time"))
  var timeBudget: String?

  @Option(
    help: ArgumentHelp("How orders are chosen: \(PolicyCatalogue.names.joined(separator: ", ")).", valueName: "name"),
    completion: .list(PolicyCatalogue.names))
  var policy = PolicyCatalogue.portfolioName

  @Option(help: "Seed of the search.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("Repeat the one order of this file.", valueName: "file"), completion: .file())
  var replay: String?

  @Option(help: ArgumentHelp("debug or release.", valueName: "name"), completion: .list(["debug", "release"]))
  var configuration = "debug"

  @Option(
    help: ArgumentHelp("Folder of the build; without it .build/explored-tests.build of the package.", valueName: "dir"))
  var scratchPath: String?

  @Option(
    help: ArgumentHelp(
      "A test executable that was built with the product ExploredTests; builds none.", valueName: "file"))
  var built: String?

  @Option(help: ArgumentHelp("The checkout of contextbench; without it that of this executable.", valueName: "dir"))
  var contextbench: String?

  @Option(help: ArgumentHelp("Folder for the results.", valueName: "dir"))
  var out: String?

  func validate() throws {
    guard schedules > 0 else { throw ValidationError("--schedules is positive.") }
    guard PolicyCatalogue.names.contains(policy) else {
      throw ValidationError(
        "--policy: there is no \(policy). It is one of \(PolicyCatalogue.names.joined(separator: ", ")).")
    }
    guard ["debug", "release"].contains(configuration) else {
      throw ValidationError("--configuration is debug or release.")
    }
    if let timeBudget, (TimeSpan.seconds(timeBudget) ?? 0) <= 0 {
      throw ValidationError("--time-budget: \(timeBudget) is no time. Write 90s, 5m or 2h.")
    }
    for pattern in filter where (try? Regex(pattern)) == nil {
      throw ValidationError("--filter: \(pattern) is no regular expression.")
    }
    if let contextbench, !FileManager.default.fileExists(atPath: contextbench + "/Package.swift") {
      throw ValidationError("--contextbench: \(contextbench) is no package: it has no Package.swift.")
    }
    if let built, !FileManager.default.isExecutableFile(atPath: built) {
      throw ValidationError("--built: \(built) is no executable.")
    }
    if built == nil, !FileManager.default.fileExists(atPath: package + "/Package.swift") {
      throw ValidationError("\(package) is no package: it has no Package.swift.")
    }
  }

  func run() throws {
    var options = TestRun.Options()
    options.schedules = schedules
    options.seconds = timeBudget.map(TimeSpan.valid)
    options.seed = seed
    options.policy = policy
    options.filters = filter
    options.isTogether = together
    if let replay {
      guard let test = Self.test(ofSchedule: replay) else {
        throw ValidationError("\(replay) is no schedule of a test.")
      }
      options.replay = Self.absolute(replay)
      options.repeats(test)
    }
    guard let checkout = contextbench ?? StrategyPackage.root(around: Executable.path) ?? (built == nil ? nil : "")
    else {
      throw ValidationError(
        "There is no checkout of contextbench around \(Executable.path). Name it with --contextbench.")
    }
    let root = Self.absolute(package)
    let explored = ExploredPackage(
      root: root, contextbench: Self.absolute(checkout),
      scratch: scratchPath.map(Self.absolute) ?? root + "/.build/explored-tests.build", configuration: configuration)
    let folder = Self.absolute(out ?? "contextbench-tests/" + RunName.make())
    try CellsCommand.runAndExit { [options, built] interruption in
      try await Self.explore(
        explored, built: built, TestRun(options: options, folder: folder, interruption: interruption))
    } show: { status in
      status
    }
  }

  private static func explore(_ package: ExploredPackage, built: String?, _ run: TestRun) async throws -> ExitStatus {
    try FileManager.default.createDirectory(atPath: run.folder, withIntermediateDirectories: true)
    let executables: [String]
    if let built {
      executables = [absolute(built)]
    } else {
      StandardError.write("building the tests of \(package.root)")
      executables = try package.build(log: run.folder + "/build.log")
    }
    let tests = try await run.tests(of: executables)
    guard !tests.isEmpty else {
      StandardError.write("There is no test to explore\(run.options.filters.isEmpty ? "" : " with such a name").")
      return .usage
    }
    let rows = try await run.rows(of: tests) { row in StandardError.write("\(row.test): \(row.summary)") }
    guard let rows else { return .interrupted }
    precondition(rows.count == tests.count, "each test has a row")
    let name = URL(fileURLWithPath: built ?? package.root).lastPathComponent
    let report = TestReport(package: name, rows: rows)
    try report.write(to: run.folder)
    print(
      report.text(colour: Terminal.hasColour(STDOUT_FILENO), width: Terminal.tableWidth) + "\n" + run.folder)
    return report.status
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  /// The second line of such a file.
  private static func test(ofSchedule path: String) -> String? {
    let lines = (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n") ?? []
    guard lines.count > 2, lines[1].hasPrefix("test: ") else { return nil }
    return String(lines[1].dropFirst("test: ".count)).replacing(/[ ]#\d+$/, with: "")
  }
}
