import Boundary
import Runs

extension Runner {
  /// Runs everything while the main thread serves its run loop, then ends the process.
  ///
  /// - Parameter finish: shows the report or the failure and gives the exit code.
  package func runAndExit(_ finish: @escaping @Sendable (Result<RunReport, HarnessFailure>) -> Int32) -> Never {
    BackgroundRun.runAndExit({ try await run() }, finish: finish)
  }
}
