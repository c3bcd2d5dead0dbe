import Foundation
import Reporting
import Scheduling

/// The command of an executable that has strategies and workloads of its own.
///
/// ```swift
/// import HarnessKit
///
/// StrategyRegistry.register(MyStrategy.self)
/// WorkloadRegistry.register(MyWorkload.self)
/// Harness.main()
/// ```
public enum Harness {
  /// Runs `run FILES…` as `contextbench run` does, with what this process has registered, and ends the process with the
  /// same exit codes; run without arguments it says what it takes.
  ///
  /// The cells run in child processes of the same executable.
  /// - Precondition: called on the main thread, after everything was registered.
  public static func main() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "cell": CellRunner.run(childRequest(arguments))
    case "floor": FloorRunner.run(childRequest(arguments))
    default: run(arguments)
    }
  }

  private static let executable =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]

  private static func run(_ arguments: [String]) -> Never {
    let name = URL(fileURLWithPath: executable).lastPathComponent
    do {
      let line = try HarnessArguments(arguments, program: name)
      let loader = ScenarioLoader(vocabulary: .registered, library: nil)
      var options = RunOptions(
        scenarios: try loader.load(line.files, overrides: line.overrides, quick: line.isQuick), vocabulary: .registered,
        executable: executable,
        arguments: arguments, version: name, allocator: "system")
      options.out = line.out
      options.stopsOnViolation = line.stopsOnViolation
      options.replay = ReplayCommand(program: name, arguments: line.replayArguments)
      Runner(options, interruption: try Interruption()).runAndExit(finish)
    } catch let failure as HarnessFailure {
      end(failure.description, RunEnding.harnessFailed.exitStatus)
    } catch {
      end("\(error)", usageStatus)
    }
  }

  private static let usageStatus: Int32 = 64
  private static let interruptedStatus: Int32 = 130

  private static func childRequest(_ arguments: [String]) -> CellRequest {
    do throws(HarnessFailure) {
      return try CellProcess.begin(parent: arguments.last.flatMap { Int32($0) })
    } catch {
      end(error.description, RunEnding.harnessFailed.exitStatus)
    }
  }

  private static func finish(_ result: Result<RunReport, HarnessFailure>) -> Int32 {
    switch result {
    case .success(let report):
      print(report.text(colour: Terminal.hasColour(STDOUT_FILENO)), terminator: "")
      return report.isInterrupted ? interruptedStatus : report.ending.exitStatus
    case .failure(let failure):
      FileHandle.standardError.write(Data((failure.description + "\n").utf8))
      return RunEnding.harnessFailed.exitStatus
    }
  }

  private static func end(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}

extension RunEnding {
  /// The exit code of a run that ended so.
  var exitStatus: Int32 {
    switch self {
    case .passed: 0
    case .violated: 1
    case .inconclusive: 2
    case .harnessFailed: 6
    }
  }
}
