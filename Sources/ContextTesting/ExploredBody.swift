import CInterception
import CoreData
import Foundation
import Scheduling
import Testing

/// The body of a test, to be run in one order after the other.
struct ExploredBody: Sendable {
  /// More steps than a test has that ends.
  private static let stepsMax = 50_000

  private let body: @Sendable () async throws -> Void
  private let unfinished = Locked(false)

  /// Whether an order came to no end: its tasks hold the body.
  var hasUnfinished: Bool { unfinished.current }

  init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

  /// One order, and how it ended.
  struct Attempt {
    let outcome: SimulationOutcome
    let finding: Finding?
  }

  /// How the body went, by its own account.
  private struct Account {
    var issues: [String] = []
    var isOver = false
  }

  /// Runs the body once, as a task with the caller's task-local values, on a main thread of the simulation's.
  func attempt(_ policy: any SchedulePolicy, names: Bool) -> Attempt {
    precondition(!Simulation.isCurrent, "an order is not tried inside another one")
    TemporaryFolders.shared.removeOld()
    let account = Locked(Account())
    ConcurrencyDebugging.setEnabled(true)
    ConcurrencyDebugging.setHandler { seen in
      // The process may do more than run the body.
      if Simulation.isCurrent { account.withLock { $0.issues.append("off its queue: \(seen)") } }
    }
    XCTestFailures.shared.receive { failure in account.withLock { $0.issues.append(failure) } }
    defer {
      XCTestFailures.shared.receive(nil)
      ConcurrencyDebugging.restore()
      ConcurrencyDebugging.setHandler(nil)
    }
    contextbench_hold_next_task()
    let task = Task { [body] in
      do {
        try await Self.noting(account, body)
      } catch {
        account.withLock { $0.issues.append("\(error)") }
      }
      account.withLock { $0.isOver = true }
    }
    // Used once, by the task that starts it.
    nonisolated(unsafe) let held = contextbench_held_task()
    precondition(held != nil, "a task that was to be held back has been")
    var options = Simulation.Options()
    options.stepsMax = Self.stepsMax
    options.policyStepsMax = Self.stepsMax / 10
    options.interceptsCalls = true
    options.namesSteps = names
    options.recordsTrace = names
    let outcome = Simulation.run(policy: policy, options) { contextbench_start_held_task(held) }
    _ = task
    if outcome.ending != .finished || !account.current.isOver { unfinished.withLock { $0 = true } }
    return Attempt(outcome: outcome, finding: Finding(outcome, account.withLock { ($0.issues, $0.isOver) }))
  }

  /// Runs the body with the issues of Swift Testing kept from the test, which fails by the order instead.
  private static func noting(
    _ account: Locked<Account>, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let test = Test.current else { return try await body() }
    let trait: IssueHandlingTrait = .compactMapIssues { issue in
      guard issue.isFailure else { return issue }
      account.withLock { $0.issues.append("\(issue)") }
      return nil
    }
    try await trait.provideScope(for: test, testCase: Test.Case.current, performing: body)
  }
}

/// The fault of an order.
struct Finding: Sendable, Equatable {
  enum Kind: String, Sendable {
    case failure
    case deadlock
    case hang
    case notSimulated = "not simulated"
  }

  let kind: Kind
  let text: String

  /// Nil where nothing is.
  init?(_ outcome: SimulationOutcome, _ account: (issues: [String], isOver: Bool)) {
    if case .notSimulated(let name) = outcome.ending {
      self.init(.notSimulated, name)
    } else if !account.issues.isEmpty {
      self.init(.failure, account.issues.joined(separator: "\n"))
    } else if case .deadlock(let waits) = outcome.ending {
      self.init(.deadlock, waits.joined(separator: "\n"))
    } else if case .stalled(let name) = outcome.ending {
      self.init(.notSimulated, "\(name) runs without an end, or is in a call that is not simulated")
    } else if let cycle = outcome.cycles.first {
      self.init(.deadlock, "\(cycle)")
    } else if !account.isOver {
      let isLimit = outcome.ending == .stepLimit
      self.init(
        .hang, isLimit ? "the test does \(outcome.steps) steps and more" : "the test waits for what never comes")
    } else {
      return nil
    }
  }

  private init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }
}
