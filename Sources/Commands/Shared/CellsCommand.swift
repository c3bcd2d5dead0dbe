import Boundary
import Foundation
import Reporting
import Runs
import Scenarios

/// The common parts of the commands that run cells in processes of their own.
enum CellsCommand {
  /// Options of a run by this executable and command line.
  static func options(_ scenarios: [Scenario] = [], out: String?, replayArguments: [String] = []) -> RunOptions {
    let program = Program.current
    var options = RunOptions(
      scenarios: scenarios, vocabulary: .registered, executable: Executable.path,
      arguments: Array(CommandLine.arguments.dropFirst()),
      version: Program.version, allocator: program.allocator)
    options.out = out
    options.replay = ReplayCommand(program: program.name, arguments: replayArguments)
    return options
  }

  /// Watches for Ctrl-C.
  ///
  /// - Throws: the exit of a harness failure, after its message was printed.
  static func makeInterruption() throws -> Interruption {
    try orExit { () throws(HarnessFailure) in try Interruption() }
  }

  /// The value of `make`.
  ///
  /// - Throws: the exit of a harness failure, after its message was printed.
  static func orExit<Made>(_ make: () throws(HarnessFailure) -> Made) throws -> Made {
    do throws(HarnessFailure) {
      return try make()
    } catch {
      StandardError.write(error.description)
      throw ExitStatus.harnessFailure.exitCode
    }
  }

  /// Runs `work` beside the main loop, shows its report or its failure, and ends the process.
  static func runAndExit<Report: Sendable>(
    _ work: @escaping @Sendable (Interruption) async throws -> Report,
    show: @escaping @Sendable (Report) -> ExitStatus
  ) throws -> Never {
    let interruption = try makeInterruption()
    BackgroundRun.runAndExit {
      try await work(interruption)
    } finish: { result in
      switch result {
      case .success(let report): return show(report).rawValue
      case .failure(let failure):
        StandardError.write(failure.description)
        return ExitStatus.harnessFailure.rawValue
      }
    }
  }
}
