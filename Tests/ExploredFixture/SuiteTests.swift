import Foundation
import Synchronization
import Testing

/// Two of them share a value, as tests may share a file: each passes alone.
@Suite struct SharingTests {
  private static let name = Mutex("")

  private func expect(_ name: String) async {
    Self.name.withLock { $0 = name }
    await Task.yield()
    #expect(Self.name.withLock { $0 } == name)
  }

  @Test func first() async { await expect("first") }

  @Test func neither() async { await Task.yield() }

  @Test func second() async { await expect("second") }
}

/// One leaves something behind that the other one does not expect; they never run at the same time.
@Suite(.serialized) struct TurnTests {
  private static let isLeft = Mutex(false)
  private static let running = Mutex(0)

  private func alone(_ body: () -> Void) async {
    #expect(Self.running.withLock { $0 } == 0)
    Self.running.withLock { $0 += 1 }
    await Task.yield()
    body()
    Self.running.withLock { $0 -= 1 }
  }

  @Test func leaves() async { await alone { Self.isLeft.withLock { $0 = true } } }

  @Test func finds() async { await alone { #expect(!Self.isLeft.withLock { $0 }, "nothing is left") } }

  @Test func leavesNothing() async { await alone {} }
}

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

/// Together they have more steps than one test may have.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CONTEXTBENCH_CASES"] != nil)) struct LongTests {
  @Test(arguments: 0..<12) func yields(number: Int) async { for _ in 0..<4_300 { await Task.yield() } }

  @Test func ends() {}
}
