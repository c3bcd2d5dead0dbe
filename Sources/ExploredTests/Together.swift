import ContextTesting
import Foundation
import Scheduling
import Testing

/// Tests of one suite that run together in each order.
enum Together {
  typealias Body = @Sendable () async throws -> Void

  private static let waiting = Locked<[(name: String, body: Body)]>([])
  /// Names of suites that ask for one test after the other.
  private static let serialized = Locked<Set<String>>([])

  /// Has the library begin each test at once; a suite that asks for one after the other has it so in each order.
  static func add(_ test: inout Test) {
    let count = test.traits.count
    test.traits.removeAll { $0 is ParallelizationTrait }
    if test.isSuite, test.traits.count < count { _ = serialized.withLock { $0.insert(test.name) } }
  }

  /// Waits for the other cases; the last one explores all, and ends the process.
  static func join(_ test: Test, _ testCase: Test.Case?, of exploration: Exploration, _ body: @escaping Body) async {
    // An issue says of which test it is.
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("in \(test.name)")
      return issue
    }
    let all = waiting.withLock { waiting in
      waiting.append(
        (
          "\(test.id) \(String(describing: testCase))",
          { try await trait.provideScope(for: test, testCase: testCase, performing: body) }
        ))
      return waiting
    }
    if all.count == exploration.cases {
      // They came in any order.
      let bodies = all.sorted { $0.name < $1.name }.map(\.body)
      let parts = exploration.test.split { "./ ".contains($0) }
      let isSerialized = serialized.current.contains { parts.contains($0[...]) }
      exploration.explore { try await run(bodies, oneByOne: isSerialized) }
      exit(EXIT_SUCCESS)
    }
    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
  }

  /// Runs the bodies side by side, or in some order.
  static func run(_ bodies: [Body], oneByOne: Bool) async throws {
    guard bodies.count > 1 else { return try await bodies[0]() }
    let turn = Permit()
    turn.give()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for body in bodies {
        group.addTask {
          // A task of a simulation has a thread, which may wait.
          if oneByOne { turn.wait(for: "its turn") }
          defer { if oneByOne { turn.give() } }
          try await body()
        }
      }
      try await group.waitForAll()
    }
  }
}
