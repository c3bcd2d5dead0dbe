import Boundary
import Foundation
import Scheduling

/// Runs a command's work beside the main thread, which serves its run loop.
package enum BackgroundRun {
  /// Runs `work`, then ends the process.
  ///
  /// - Parameter finish: shows the report, or the failure, and returns the exit code.
  /// - Precondition: called on the main thread.
  package static func runAndExit<Report: Sendable>(
    _ work: @escaping @Sendable () async throws -> Report,
    finish: @escaping @Sendable (Result<Report, HarnessFailure>) -> Int32
  ) -> Never {
    Task.detached {
      let result: Result<Report, HarnessFailure>
      do {
        result = .success(try await work())
      } catch let failure as HarnessFailure {
        result = .failure(failure)
      } catch {
        result = .failure(HarnessFailure("\(error)"))
      }
      exit(finish(result))
    }
    MainLoop.run()
  }
}
