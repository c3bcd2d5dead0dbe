import Foundation
import Scheduling

extension Runner {
  /// Runs everything while the main thread serves its run loop, then ends the process.
  ///
  /// - Parameter finish: shows the report or the failure and gives the exit code.
  package func runAndExit(_ finish: @escaping @Sendable (Result<RunReport, HarnessFailure>) -> Int32) -> Never {
    Task.detached {
      let result: Result<RunReport, HarnessFailure>
      do {
        result = .success(try await run())
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
