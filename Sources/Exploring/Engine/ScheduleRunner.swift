import Boundary
import Cells
import Checking
import Foundation
import Measuring
import Runs
import Scenarios
import Scheduling

/// Runs one cell under many schedules, one after the other in this process, and has each judged.
package struct ScheduleRunner {
  /// Schedules that came to no end leave threads and contexts; after so many the process gives way to a new one.
  private static let leavingMax = 25

  private let request: SimulationRequest
  private let scenario: ExploredScenario
  private let cellRequest: CellRequest
  private let store: EmptyStore
  private let marks: ScheduleMark
  private var report = SimulationReport()
  private var pairs: Set<StepPair> = []
  private var lockOrders: Set<StepPair> = []
  private var fingerprints: Set<UInt64> = []
  private var known: Set<String>
  private var leaving = 0
  /// Orders that are not drawn again; nil where they may come again.
  private let orders: OrderTree?
  /// Steps of each task in the order of first come, first served.
  private var stepsByTask: [Int]

  package init(_ request: SimulationRequest, _ scenario: ExploredScenario) throws {
    precondition(request.cell == scenario.explored, "a request is about the cell of its scenario")
    self.request = request
    self.scenario = scenario
    let cell = scenario.cell
    cellRequest = CellRequest(
      key: cell.key(run: "simulation"), workload: cell.settings[Keys.workload], settings: cell.settings,
      directory: request.directory + "/cell", checks: cell.scenario.checks)
    try SurvivingFiles.watch(for: cell.settings)
    store = try EmptyStore(for: cellRequest)
    orders = try request.orders.map { try OrderTree(path: $0) }
    marks = ScheduleMark(in: request.directory)
    known = Set(request.knownKinds)
    report.stepsMax = request.stepsEstimate
    stepsByTask = request.stepsByTask
  }

  /// Runs until there are enough schedules, time is up, or one showed an unexpected violation.
  package mutating func run() throws -> SimulationReport {
    precondition(report.schedules == 0, "a runner makes its schedules once")
    if case .policy(let name, _) = request.choosing, name != FIFOPolicy().name, stepsByTask.isEmpty {
      stepsByTask = try attempt(FIFOPolicy()).result.outcome.stepsByTask
    }
    let begin = SuspendingClock.now
    var number = request.first
    var search = request.choosing.search
    var done = 0
    // At least one: a child that made none would tell of no next one, and the search would seem to be through.
    while done < request.count, leaving < Self.leavingMax,
      done == 0 || begin.duration(to: .now) < .seconds(request.seconds)
    {
      marks.write(number)
      let (policy, description) = self.policy(number, search)
      let tried = try attempt(policy, named: request.isByName)
      count(tried)
      done += 1
      report.next = number + request.stride
      let hasNews = try settle(tried, number: number, policy: policy, description)
      number += request.stride
      report.isExhausted = isThrough(tried.result.outcome, &search)
      if report.isExhausted || (hasNews && !request.continuesAfterViolation) { break }
    }
    precondition(report.schedules == done, "each schedule that was begun is counted")
    precondition(report.findings.count <= done, "a schedule is one finding, or none")
    if let path = request.orders { try orders?.write(to: path) }
    report.seconds = Double((begin.duration(to: .now) / .nanoseconds(1))) / 1e9
    report.fingerprints = Array(fingerprints)
    report.pairs = Self.names(pairs)
    report.lockOrders = Self.names(lockOrders)
    marks.remove()
    return report
  }

  /// Moves the search on behind an order; whether that was the last one.
  private mutating func isThrough(_ outcome: SimulationOutcome, _ search: inout (any SearchPolicy)?) -> Bool {
    // An order without end was not tried to its end.
    if let walk = outcome.walk, outcome.ending != .stepLimit { orders?.add(walk) }
    guard search != nil else { return orders?.isExhausted ?? false }
    search = (outcome.policy as? any SearchPolicy)?.next()
    report.prefix = (search as? ExhaustivePolicy)?.prefix ?? []
    report.nodes = (search as? ReducedPolicy)?.nodes ?? []
    return search == nil
  }

  private static func names(_ pairs: Set<StepPair>) -> [[String]] {
    pairs.map { [$0.first, $0.second] }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  // MARK: One schedule

  /// One run of the cell, judged.
  private struct Attempt {
    var result: SimulatedCell.Result
    var outcome: CellOutcome
    var operations: [(nanoseconds: UInt64, process: UInt32, text: String)] = []

    /// How much its order comes to; of one with a trace.
    var size: ScheduleSize {
      ScheduleSize(ScheduleSegment.segments(of: result.outcome.trace))
    }

    /// Kinds of violations that are errors.
    var kinds: Set<String> {
      Set(outcome.findings.filter { $0.violation.severity == .error }.map(\.violation.kind.rawValue))
    }
  }

  private func policy(_ number: Int, _ search: (any SearchPolicy)?) -> (any SchedulePolicy, String) {
    switch request.choosing {
    case .policy(let name, let seed): drawing(name, seed: Self.seed(seed, number), number)
    case .script(let segments): (ScriptPolicy(segments), "script")
    case .noted(let segments): (LiveOrderPolicy(segments), "live")
    case .scripts(let scripts, _, _): (ScriptPolicy(Self.script(number, of: scripts)), "script")
    case .exhaustive(let preemptions, _): (search ?? ExhaustivePolicy(preemptions: preemptions), "exhaustive")
    case .reduced: (search ?? ReducedPolicy(), "reduced")
    }
  }

  private static func script(_ number: Int, of scripts: [[ScheduleSegment]]) -> [ScheduleSegment] {
    precondition(scripts.indices.contains(number), "each schedule has its script")
    return scripts[number]
  }

  private func drawing(_ name: String, seed: UInt64, _ number: Int) -> (any SchedulePolicy, String) {
    let (drawn, description) = PolicyCatalogue.policy(
      named: name, seed: seed, number: number, steps: request.stepsEstimate, stepsByTask: stepsByTask)
    let policy: any SchedulePolicy =
      cellRequest.workload == CrashRecoveryWorkload.name
      ? RareStepPolicy(drawn, rate: cellRequest.settings[Keys.killRate], seed: seed) : drawn
    return (orders.map { UnseenPolicy(policy, $0) } ?? policy, description)
  }

  /// The seed of a schedule's policy.
  private static func seed(_ base: UInt64, _ number: Int) -> UInt64 {
    var random = SeededRandom(seed: base).split(UInt64(number))
    return random.next()
  }

  private func attempt(_ policy: any SchedulePolicy, named: Bool = false, wantsHistory: Bool = false) throws -> Attempt
  {
    let folder = cellRequest.directory
    try SurvivingFiles.clear(folder)
    SurvivingFiles.forget()
    try store.write(in: folder)
    var options = Simulation.Options()
    options.stepsMax = request.stepsMax
    options.recordsTrace = named
    options.namesSteps = request.isByName
    options.collectsPairs = true
    let result = SimulatedCell.run(cellRequest, policy: policy, options: options)
    let outcome = try scenario.judge(
      result.records, folder: folder, measurement: result.measurement, failure: result.failure,
      violations: result.violations, reopened: try result.death.map { try SurvivingFiles.copy(folder, after: $0) })
    return Attempt(
      result: result, outcome: outcome, operations: wantsHistory ? scenario.operations(of: result.records) : [])
  }

  private mutating func count(_ attempt: Attempt) {
    let outcome = attempt.result.outcome
    report.schedules += 1
    precondition(0...outcome.steps ~= outcome.decisions, "there is a choice at some of the steps")
    precondition(outcome.stepsByTask.reduce(0, +) <= outcome.steps, "a step is that of one task")
    report.steps += outcome.steps
    report.decisions += outcome.decisions
    report.stepsMax = max(report.stepsMax, outcome.steps)
    report.stepsByTask = outcome.stepsByTask
    fingerprints.insert(outcome.fingerprint)
    pairs.formUnion(outcome.pairs)
    lockOrders.formUnion(attempt.result.lockOrders)
    if attempt.result.leavesTasks { leaving += 1 }
    let counted = scenario.cell.scenario.countedChecks(attempt.outcome.results)
    // The checks of a cell are not known where its process died.
    for check in attempt.outcome.results where attempt.result.death == nil {
      if check.exercised > 0 { report.exercised[check.name, default: 0] += 1 }
      guard check.verdict == .notExercised, counted.contains(check.name) else { continue }
      report.notExercised[check.name, default: 0] += 1
    }
    for kind in Set(attempt.outcome.findings.filter(\.isExpected).map(\.violation.kind.rawValue)) {
      report.expected[kind, default: 0] += 1
    }
  }

  // MARK: Violations

  /// Keeps the schedule of a violation that has none yet; whether it has one.
  private mutating func settle(
    _ attempt: Attempt, number: Int, policy: any SchedulePolicy, _ description: String
  ) throws -> Bool {
    var isShrinking = false
    // Violations that were seen before the cell gave up count for more than the failure.
    if let failure = attempt.result.failure, attempt.kinds.isSubset(of: known) {
      let text = "schedule \(number), \(description): \(failure)"
      if request.choosing.hasOneOrder { throw HarnessFailure(text) }
      report.failures += 1
      report.failure = report.failure ?? text
      return false
    }
    switch request.choosing {
    case .script, .noted: break
    case .scripts(_, let showing, let limit):
      isShrinking = true
      guard attempt.kinds.isSuperset(of: showing), limit.map({ attempt.size < $0 }) ?? true else { return false }
    case .policy, .exhaustive, .reduced: guard !attempt.kinds.isSubset(of: known) else { return false }
    }
    let news = attempt.kinds.subtracting(known)
    known.formUnion(attempt.kinds)
    var finding = SimulationFinding(number: number, policy: description, seed: 0)
    if case .policy(_, let seed) = request.choosing { finding.seed = Self.seed(seed, number) }
    // The same order again, with its names; and once more by those names alone.
    let repeating: (any SchedulePolicy)? = attempt.result.outcome.walk.map { RepeatingPolicy($0) }
    let again = try self.attempt(repeating ?? policy, named: true, wantsHistory: request.wantsSteps)
    let trace = again.result.outcome.trace
    finding.segments = ScheduleSegment.segments(of: trace)
    finding.fingerprint = again.result.outcome.fingerprint
    finding.isSameOrder = again.result.outcome.fingerprint == attempt.result.outcome.fingerprint
    finding.isVerified = finding.isSameOrder
    if again.result.leavesTasks { leaving += 1 }
    if !request.choosing.isScript {
      let replayed = try self.attempt(
        ScriptPolicy(ScheduleSegment.segments(of: trace)), named: true)
      if replayed.result.leavesTasks { leaving += 1 }
      finding.isVerified =
        finding.isSameOrder && again.kinds == attempt.kinds && replayed.kinds == attempt.kinds
        && replayed.result.outcome.fingerprint == again.result.outcome.fingerprint
    }
    // A violation that does not come back was seen all the same; but smaller schedules are of no use without it.
    let showing = isShrinking || again.kinds.isSuperset(of: news) ? again : attempt
    finding.violations = showing.outcome.findings.map { FoundViolation($0.violation, isExpected: $0.isExpected) }
    finding.divergence = (again.result.outcome.policy as? any FollowingPolicy)?.divergence.map {
      ScheduleDivergence(segment: $0.segment, reason: $0.reason)
    }
    finding.isStepLimit = again.result.outcome.ending == .stepLimit
    if request.wantsSteps { finding.steps = ScheduleStep.steps(of: trace, again.operations) }
    report.findings.append(finding)
    return true
  }
}

extension SimulationRequest {
  /// Whether steps are found by their names.
  fileprivate var isByName: Bool {
    switch choosing {
    case .script, .scripts, .noted: true
    case .policy, .exhaustive, .reduced: false
    }
  }
}

extension SimulationOutcome {
  /// The decisions of an order that was drawn so that none comes again.
  fileprivate var walk: OrderTree.Walk? { (policy as? UnseenPolicy)?.walk }
}

extension ScheduleStep {
  /// The steps of a trace, each with the operations recorded until the next one.
  static func steps(
    of trace: [SimulationOutcome.Entry], _ operations: [(nanoseconds: UInt64, process: UInt32, text: String)]
  ) -> [ScheduleStep] {
    precondition(
      zip(operations, operations.dropFirst()).allSatisfy { $0.nanoseconds <= $1.nanoseconds },
      "operations are in the order of their times")
    precondition(!trace.isEmpty || operations.isEmpty, "an operation is recorded in a step")
    var steps = trace.map { entry in
      ScheduleStep(
        task: entry.key, point: entry.step.point, subject: entry.step.subject, nanoseconds: entry.clock,
        isPreemption: entry.preempted != nil)
    }
    var place = 0
    for operation in operations {
      while place + 1 < steps.count, steps[place + 1].nanoseconds <= operation.nanoseconds { place += 1 }
      steps[place].operations.append(operation.text)
    }
    return steps
  }
}

extension SimulationRequest.Choosing {
  /// Whether the order is that of a schedule already.
  fileprivate var isScript: Bool {
    switch self {
    case .script, .scripts: true
    case .policy, .exhaustive, .reduced, .noted: false
    }
  }

  /// Whether one order was asked for: where the cell gives up in it, there is no other to try.
  fileprivate var hasOneOrder: Bool {
    switch self {
    case .script, .noted: true
    case .policy, .scripts, .exhaustive, .reduced: false
    }
  }

  /// Where a search begins that knows when it is through; nil for others.
  fileprivate var search: (any SearchPolicy)? {
    switch self {
    case .policy, .script, .scripts, .noted: nil
    case .exhaustive(let preemptions, let prefix): ExhaustivePolicy(preemptions: preemptions, prefix: prefix)
    case .reduced(let nodes): ReducedPolicy(nodes: nodes)
    }
  }
}
