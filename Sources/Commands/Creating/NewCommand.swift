import ArgumentParser
import Foundation
import Reporting
import Runs
import Scenarios

/// `contextbench new`: a package to begin with.
struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Write a package with a strategy and a workload of your own.",
    subcommands: [NewStrategyCommand.self])
}

/// `contextbench new strategy`.
struct NewStrategyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "strategy",
    abstract: "Write a package with one strategy, one workload, two scenarios, a test and a CI file.",
    discussion: """
      The package is Examples/OwnStrategy under your names: it builds and passes before you change it. Its executable has \
      every command of this one. The last line printed is the folder.

      EXAMPLES
        \(Program.current.name) new strategy offline-first
        swift run --package-path offline-first offline-first list strategies
      """)

  @Argument(help: "Name of the strategy: small letters, digits and dashes.")
  var strategy: String

  @Option(help: ArgumentHelp("Folder of the package; without it the strategy's name.", valueName: "dir"))
  var out: String?

  @Option(
    help: ArgumentHelp("The checkout of contextbench; without it that of this executable.", valueName: "dir"))
  var contextbench: String?

  func validate() throws {
    if strategy.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) == nil {
      throw ValidationError("A strategy has a name such as offline-first: small letters, digits and dashes.")
    }
  }

  func run() throws {
    let target = out ?? strategy
    guard !FileManager.default.fileExists(atPath: target) else {
      StandardError.write("\(target): is there already. Choose another folder with --out")
      throw ExitStatus.usage.exitCode
    }
    guard let root = contextbench ?? StrategyPackage.root(around: Executable.path) else {
      StandardError.write(
        "There is no checkout of contextbench around \(Executable.path). Name it with --contextbench")
      throw ExitStatus.usage.exitCode
    }
    if Executable.loader.vocabulary[.strategies].contains(strategy) {
      StandardError.write("\(strategy): is a strategy already. Choose another name")
      throw ExitStatus.usage.exitCode
    }
    do throws(ReportingError) {
      try StrategyPackage(strategy: strategy, root: root).write(to: target)
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
    let scratch = StrategyPackage.buildFolder(of: Executable.path, in: root)
    print(
      scratch == nil
        ? "The first build compiles the checkout of contextbench as well, which takes minutes."
        : "These builds take what the checkout of contextbench has compiled, and lock its build folder meanwhile.")
    let run = ShellWord.line([strategy, "run", target + "/Scenarios/rename.yml", "--quick"])
    print("  \(swift("run", scratch)) \(run)")
    print("  \(swift("test", scratch)) --disable-testable-imports")
    print(target)
  }

  /// A command of swift on the package, in release, in the build folder of the checkout when there is one.
  ///
  /// The manifest of a build folder that two packages share is the other's, so that it may not be kept.
  private func swift(_ command: String, _ scratch: String?) -> String {
    let shared = scratch.map { ["--scratch-path", $0, "--disable-build-manifest-caching"] } ?? []
    return ShellWord.line(["swift", command, "-c", "release", "--package-path", out ?? strategy] + shared)
  }
}
