import Boundary
import Foundation
import Measuring
import Runs
import Scheduling

/// Searches the orders of one cell for violations, in child processes.
package struct Explorer: Sendable {
  /// A child gives way to a new one after so long, so that memory stays flat and progress is seen.
  private static let sliceSeconds = 3.0
  /// A cell of the file's own size may take so many times the steps of a small one.
  private static let wholeSteps = 5

  private let simulations: Simulations
  private let options: ExploreOptions

  package init(_ simulations: Simulations, _ options: ExploreOptions) {
    precondition(1...ExploreOptions.countMax ~= options.schedules, "as many schedules as there are can be numbered")
    precondition(options.jobs > 0, "a search has a child")
    precondition(options.stepsMax > 0 && options.shrinkSeconds >= 0, "a schedule has steps, and time to shrink")
    precondition(options.preemptions == nil || !options.isReduced, "a search is exhaustive or reduced")
    self.simulations = simulations
    self.options = options
  }

  /// Explores a cell until its schedules are through, its time is up, or a finding ends the search.
  ///
  /// - Parameters:
  ///   - seconds: wall time that is left for it; nil = as long as it takes.
  ///   - progress: is called after each child.
  /// - Returns: the exploration, and whether it was interrupted.
  package func explore(
    _ scenario: ExploredScenario, seconds: Double?, progress: @escaping @Sendable (Exploration) -> Void
  ) async throws -> (exploration: Exploration, isInterrupted: Bool) {
    precondition((seconds ?? 0) >= 0, "a search has time left, or none")
    let state = ExplorationState(Exploration(scenario))
    let end = seconds.map { MonotonicClock.now() + UInt64($0 * 1e9) }
    var first = inOrder(scenario, steps: options.stepsMax)
    first.orders = isDrawn ? simulations.makeOrders() : nil
    guard try await explore(first, into: state) else { return (await state.exploration, true) }
    // Of this one schedule alone, so that the search takes the same orders however fast the machine is. Others take a little
    // more or less.
    let inOrder = await state.exploration
    let estimates = (steps: inOrder.firstSteps * 5 / 4, byTask: inOrder.firstStepsByTask)
    let jobs = isDrawn ? max(1, options.jobs) : 1
    let orders = try (0..<jobs).map { _ in try simulations.makeOrders(as: first.orders) }
    let isInterrupted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for job in 0..<jobs {
        group.addTask { try await work(job, of: jobs, scenario, estimates, orders[job], until: end, state, progress) }
      }
      var isInterrupted = false
      for try await wasInterrupted in group { isInterrupted = isInterrupted || wasInterrupted }
      return isInterrupted
    }
    return (await state.exploration, isInterrupted)
  }

  /// Whether a policy draws the orders: a search of all of them in a row knows itself where it is.
  private var isDrawn: Bool { options.preemptions == nil && !options.isReduced }

  /// Runs a cell once, in the order of first come, first served: a mistake that needs no other order, but more rows than a
  /// search can afford, shows there.
  package func runOnce(
    _ scenario: ExploredScenario
  ) async throws -> (exploration: Exploration, isInterrupted: Bool) {
    let state = ExplorationState(Exploration(scenario, isWhole: true))
    // The other shards only have a place for it.
    guard options.shard.map({ $0.index == 1 }) ?? true else { return (await state.exploration, false) }
    let isThrough = try await explore(inOrder(scenario, steps: options.stepsMax * Self.wholeSteps), into: state)
    return (await state.exploration, !isThrough)
  }

  private func inOrder(_ scenario: ExploredScenario, steps: Int) -> SimulationRequest {
    SimulationRequest(
      cell: scenario.explored, choosing: .policy("fifo", seed: options.seed), stepsMax: steps, directory: "")
  }

  /// One job: child after child; whether it was interrupted.
  private func work(
    _ job: Int, of jobs: Int, _ scenario: ExploredScenario, _ estimates: (steps: Int, byTask: [Int]),
    _ orders: String?, until end: UInt64?, _ state: ExplorationState, _ progress: @Sendable (Exploration) -> Void
  ) async throws -> Bool {
    precondition(0..<jobs ~= job, "a job is one of the exploration's")
    let shards = options.shard?.count ?? 1
    let stride = shards * jobs
    precondition(isDrawn || stride == 1, "a search of all orders is one job, and no part")
    var next = (options.shard?.index ?? 1) - 1 + shards * job
    var prefix: [Int] = []
    var nodes: [ReducedPolicy.Node] = []
    while next < options.schedules {
      let exploration = await state.exploration
      if exploration.isHopeless || exploration.isExhausted { return false }
      if exploration.isSettled, !options.findsAll { return false }
      let now = MonotonicClock.now()
      if let end, now >= end { return false }
      let left = end.map { Double($0 - now) / 1e9 } ?? .infinity
      let request = SimulationRequest(
        cell: scenario.explored,
        choosing: choosing(prefix, nodes),
        first: next, stride: stride, count: (options.schedules - next + stride - 1) / stride,
        seconds: min(Self.sliceSeconds, left), knownKinds: exploration.knownKinds.sorted(), stepsMax: options.stepsMax,
        stepsEstimate: estimates.steps, stepsByTask: estimates.byTask, orders: orders, directory: "")
      switch try await simulations.run(request) {
      case .interrupted: return true
      case .broken(let schedule, let how):
        guard let schedule else { throw HarnessFailure("a child that simulates broke: \(how.text)") }
        await state.add(how, schedule: schedule)
        precondition(schedule >= next, "a child begins where it was asked to")
        next = schedule + stride
      case .reported(let report):
        await state.add(report)
        prefix = report.prefix
        nodes = report.nodes
        guard let following = report.next else {
          throw HarnessFailure("a child that simulates made none of the schedules from \(next) on")
        }
        precondition(following > next, "a search moves on")
        next = following
      }
      progress(await state.exploration)
    }
    return false
  }

  private func choosing(_ prefix: [Int], _ nodes: [ReducedPolicy.Node]) -> SimulationRequest.Choosing {
    if options.isReduced { return .reduced(nodes) }
    if let preemptions = options.preemptions { return .exhaustive(preemptions: preemptions, prefix: prefix) }
    return .policy(options.policy, seed: options.seed)
  }

  /// Runs a request; if its process breaks, that is a finding as well. False when it was interrupted.
  private func explore(_ request: SimulationRequest, into state: ExplorationState) async throws -> Bool {
    switch try await simulations.run(request) {
    case .interrupted: return false
    case .broken(let schedule, let how): await state.add(how, schedule: schedule ?? 0)
    case .reported(let report): await state.add(report)
    }
    return true
  }
}

/// The shared state of one exploration's jobs.
private actor ExplorationState {
  private(set) var exploration: Exploration

  init(_ exploration: Exploration) { self.exploration = exploration }

  func add(_ report: SimulationReport) { exploration.add(report) }

  func add(_ how: Simulations.SimulationBreak, schedule: Int) {
    exploration.add(how, schedule: schedule)
  }
}
