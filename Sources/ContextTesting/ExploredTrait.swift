import Foundation
import Testing

/// Explores the body of a test as it is: see ``explore(schedules:seconds:seed:faults:file:test:_:)``.
///
/// Where a test is left in a deadlock, or comes to no end, the order is printed and the process ends: it would end no more.
public struct ExploredTrait: TestTrait, TestScoping {
  let schedules: Int
  let seconds: Double
  let seed: UInt64
  let faults: Set<StackFault>

  /// Runs a case of the test in one order after the other.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // An exploration of the whole test does that.
    guard Exploration.requested == nil else { return try await function() }
    let settings = try Settings(schedules: schedules, seconds: seconds, seed: seed, faults: faults)
    let place = ScheduleFile.Place(file: test.sourceLocation.filePath, test: test.name)
    try withoutActuallyEscaping(function) { escaping in
      let body = ExploredBody(faults: settings.faults) { try await escaping() }
      do {
        try OrderSearch(settings, place, body).run()
      } catch {
        // Tasks that came to no end hold the test.
        guard body.hasUnfinished else { throw error }
        FileHandle.standardError.write(Data("\(test.name): \(error)\n".utf8))
        exit(EXIT_FAILURE)
      }
    }
  }
}

extension Trait where Self == ExploredTrait {
  /// Explores the body of a test, which makes anew the things that it changes.
  ///
  /// - Parameters:
  ///   - schedules: how many orders; `CONTEXTBENCH_SCHEDULES` counts for more.
  ///   - seconds: when to stop with fewer; `CONTEXTBENCH_SECONDS` counts for more.
  ///   - seed: other seeds try other orders; `CONTEXTBENCH_SEED` counts for more.
  ///   - faults: mistakes shown by the stack that an order fails by; `CONTEXTBENCH_FAULTS` counts for more.
  public static func explored(
    schedules: Int = 500, seconds: Double = 1, seed: UInt64 = 1, faults: Set<StackFault> = .errors
  ) -> Self {
    Self(schedules: schedules, seconds: seconds, seed: seed, faults: faults)
  }
}
