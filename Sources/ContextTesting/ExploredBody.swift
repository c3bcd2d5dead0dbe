import CInterception
import CoreData
import Foundation
import Scheduling
import Testing

/// The body of a test, to be run in one order after the other.
struct ExploredBody: Sendable {
  /// More steps than a case of a test has that ends.
  private static let stepsMax = 50_000

  /// How many cases it runs.
  private let cases: Int
  private let body: @Sendable () async throws -> Void
  /// The faults that an order fails by.
  private let faults: Set<StackFault>
  private let unfinished = Locked(false)

  /// Whether an order came to no end: its tasks hold the body.
  var hasUnfinished: Bool { unfinished.current }

  init(faults: Set<StackFault>, cases: Int = 1, _ body: @escaping @Sendable () async throws -> Void) {
    self.faults = faults
    self.cases = cases
    self.body = body
  }

  /// One order, and how it ended.
  struct Attempt {
    let outcome: SimulationOutcome
    let finding: Finding?
    /// Faults that no order fails by.
    let warnings: [FoundFault]
  }

  /// How the body went, by its own account.
  private struct Account {
    var issues: [String] = []
    var isOver = false
  }

  /// Runs the body once, as a task with the caller's task-local values, on a main thread of the simulation's.
  ///
  /// - Parameter keepsStacks: whether the faults have stacks.
  func attempt(_ policy: any SchedulePolicy, names: Bool, keepsStacks: Bool = false) -> Attempt {
    Simulation.alone { attemptAlone(policy, names: names, keepsStacks: keepsStacks) }
  }

  private func attemptAlone(_ policy: any SchedulePolicy, names: Bool, keepsStacks: Bool) -> Attempt {
    precondition(!Simulation.isCurrent, "an order is not tried inside another one")
    TemporaryFolders.shared.removeOld()
    let account = Locked(Account())
    let watch = StackWatch(keepsStacks: keepsStacks)
    watch.begin()
    XCTestFailures.shared.receive { failure in account.withLock { $0.issues.append(failure) } }
    defer { XCTestFailures.shared.receive(nil) }
    contextbench_hold_next_task()
    let task = Task { [body] in
      // It may wait for a timer that repeats, which alone keeps no simulation open.
      Simulation.keepOpen(true)
      do {
        try await Self.noting(account, body)
      } catch {
        account.withLock { $0.issues.append("\(error)") }
      }
      account.withLock { $0.isOver = true }
      Simulation.keepOpen(false)
    }
    // Used once, by the task that starts it.
    nonisolated(unsafe) let held = contextbench_held_task()
    precondition(held != nil, "a task that was to be held back has been")
    var options = Simulation.Options()
    options.stepsMax = Self.stepsMax * cases
    options.policyStepsMax = options.stepsMax / 10
    options.interceptsCalls = true
    options.namesSteps = names
    options.recordsTrace = names
    let outcome = Simulation.run(policy: policy, options) { contextbench_start_held_task(held) }
    _ = task
    let isOver = account.current.isOver
    if outcome.ending != .finished || !isOver { unfinished.withLock { $0 = true } }
    let found = watch.end(outcome, isOver: isOver)
    return Attempt(
      outcome: outcome,
      finding: Finding(
        outcome, account.withLock { ($0.issues, isOver) }, found.filter { faults.contains($0.fault) }),
      warnings: found.filter { !faults.contains($0.fault) })
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

/// Why an order fails.
struct Finding: Sendable {
  /// In a word or two.
  let kind: String
  let text: String
  /// Faults that the stack shows, for comparing orders.
  let signatures: Set<String>
  /// Whether nothing else is wrong.
  let isOnlyFaults: Bool
  static let notSimulated = "not simulated"

  /// Nil where nothing is.
  init?(_ outcome: SimulationOutcome, _ account: (issues: [String], isOver: Bool), _ faults: [FoundFault]) {
    signatures = Set(faults.map(\.signature))
    if let (kind, text) = Self.reason(outcome, account, hasFaults: !faults.isEmpty) {
      self.kind = kind
      self.text = ([text] + faults.map(\.described)).joined(separator: "\n")
      isOnlyFaults = false
    } else if let first = faults.first {
      kind = first.fault.rawValue
      precondition(first.described.hasPrefix(kind + ": "), "the text of a fault begins with its kind")
      text =
        first.described.dropFirst(kind.count + 2) + faults.dropFirst().map { "\n" + $0.described }.joined()
      isOnlyFaults = true
    } else {
      return nil
    }
  }

  private static func reason(
    _ outcome: SimulationOutcome, _ account: (issues: [String], isOver: Bool), hasFaults: Bool
  ) -> (kind: String, text: String)? {
    if case .notSimulated(let name) = outcome.ending { return (notSimulated, name) }
    if !account.issues.isEmpty { return ("failure", account.issues.joined(separator: "\n")) }
    if case .deadlock(let waits) = outcome.ending { return ("deadlock", waits.joined(separator: "\n")) }
    if case .stalled(let name) = outcome.ending {
      return (notSimulated, "\(name) runs without an end, or is in a call that is not simulated")
    }
    if let cycle = outcome.cycles.first { return ("deadlock", "\(cycle)") }
    // A fault that would have ended the process ended the order.
    if account.isOver || hasFaults && outcome.ending == .abandoned { return nil }
    let isLimit = outcome.ending == .stepLimit
    if !isLimit, let unseen = outcome.unseen { return (notSimulated, "the test waits, perhaps for \(unseen)") }
    return (
      "hang", isLimit ? "the test does \(outcome.steps) steps and more" : "the test waits for what never comes"
    )
  }
}
