import Synchronization
import Testing

/// Gives each test a count of its own.
struct Counting: SuiteTrait, TestTrait, TestScoping {
  final class Count: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }

  @TaskLocal static var count = Count()

  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$count.withValue(Count()) { try await function() }
  }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Counting? { testCase == nil ? nil : self }
}

/// A trait's work is done anew in each order, and for each test.
@Suite(Counting()) struct CountedTests {
  @Test(arguments: 0..<2) func countsFromOne(number: Int) async {
    #expect(Counting.count.next() == 1)
    await Task.yield()
    #expect(Counting.count.next() == 2)
  }

  @Test func countsAsWell() async {
    await Task.yield()
    #expect(Counting.count.next() == 1)
  }
}
