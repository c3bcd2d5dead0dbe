import Testing

/// Runs each test of a suite twice: with stores in a file, and with stores in memory.
///
/// `TestStack()` is then of the current kind; a test that needs a file, since a second coordinator or another
/// connection opens it, says `TestStack(.file)`.
struct EveryStore: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    for place in [TestStack.Place.file, .memory] {
      try await TestStack.$defaultPlace.withValue(place) { try await function() }
    }
  }

  /// The scope is a test's, not its suite's.
  func scopeProvider(for test: Test, testCase: Test.Case?) -> EveryStore? { testCase == nil ? nil : self }
}

extension Trait where Self == EveryStore {
  /// Each test runs with stores in a file and with stores in memory.
  static var everyStore: EveryStore { EveryStore() }
}
