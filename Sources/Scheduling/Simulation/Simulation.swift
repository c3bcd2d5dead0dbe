import Dispatch
import Foundation
import Synchronization

/// Runs a program's tasks one at a time, in an order that a policy chooses: the same program, policy and seed give the
/// same order.
///
/// Each task has a thread, and only the one with the baton runs. It gives it away where it waits, and may have to at every
/// step that other tasks can notice. One simulation at a time in a process; threads that do not belong to it run as ever,
/// and must not touch what it touches.
package final class Simulation: @unchecked Sendable {
  // Sendable: only the thread that has the baton touches what follows; a baton's semaphore orders those threads.

  private static let on = Atomic<Bool>(false)
  /// Held by the simulation that runs.
  private static let turn = NSLock()
  /// Threads for tasks, kept from one simulation to the next.
  private static let threads = WorkerThreads(label: "simulated tasks", width: .max, idleMax: 64)

  /// Whether a simulation runs in this process.
  @inline(__always)
  static var isOn: Bool { on.load(ordering: .relaxed) }

  /// What one step takes by the simulation's clock.
  private static let stepNanoseconds: UInt64 = 1_000

  private var policy: any SchedulePolicy
  private let stepsMax: Int
  private let recordsTrace: Bool
  private var tasks: [SimulatedTask] = []
  private var nextNumber = 0
  private(set) var main: SimulatedTask!
  /// Blocks sent to the main queue.
  private var mail: [() -> Void] = []
  /// Nanoseconds since the simulation began, by its own clock.
  private(set) var clock: UInt64 = 0
  private var timers: [(due: UInt64, fire: @Sendable () -> Void)] = []
  private var resources: [UInt64: UInt64] = [:]
  private var steps = 0
  private var decisions: [Int] = []
  private var cycles: [WaitForGraph.Cycle] = []
  private var trace: [SimulationOutcome.Entry] = []
  private var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
  /// Set once no task has anything left to do: idle tasks end.
  private(set) var isOver = false
  private var ending: SimulationOutcome.Ending?
  private let ended = DispatchSemaphore(value: 0)

  private init(policy: any SchedulePolicy, stepsMax: Int, recordsTrace: Bool) {
    self.policy = policy
    self.stepsMax = stepsMax
    self.recordsTrace = recordsTrace
  }

  /// Runs `body` as the main task, and what it starts, until nothing is left to do.
  ///
  /// Tasks that never end, in a deadlock or beyond the step limit, keep their threads and all they hold.
  ///
  /// - Parameters:
  ///   - stepsMax: a simulation with more steps is given up.
  ///   - recordsTrace: whether every step is kept for readers.
  /// - Precondition: the calling thread is part of no simulation. It waits while another one runs in this process.
  package static func run(
    policy: any SchedulePolicy, stepsMax: Int = 1_000_000, recordsTrace: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) -> SimulationOutcome {
    let simulation = Simulation(policy: policy, stepsMax: stepsMax, recordsTrace: recordsTrace)
    turn.lock()
    on.store(true, ordering: .releasing)
    defer {
      on.store(false, ordering: .releasing)
      turn.unlock()
    }
    simulation.main = simulation.add("main") {
      SerialQueue.main.serveSimulation {
        body()
        simulation.serveMain()
      }
    }
    simulation.main.baton.signal()
    simulation.ended.wait()
    return SimulationOutcome(
      ending: simulation.ending ?? .finished, steps: simulation.steps, decisions: simulation.decisions,
      cycles: simulation.cycles, trace: simulation.trace, fingerprint: simulation.fingerprint, policy: simulation.policy
    )
  }

  // MARK: Tasks

  /// A new task, ready.
  @discardableResult
  func add(_ name: String, _ body: @escaping @Sendable () -> Void) -> SimulatedTask {
    let task = SimulatedTask(number: nextNumber, name: name, in: self)
    nextNumber += 1
    tasks.append(task)
    Self.threads.add { [self] in
      task.baton.wait()
      let thread = ThreadRecord.Reference.current
      thread.with { $0.task = task }
      body()
      thread.with { $0.task = nil }
      end(task)
    }
    return task
  }

  private func end(_ task: SimulatedTask) {
    task.state = .over
    tasks.removeAll { $0 === task }
    hand(next(after: nil))
  }

  /// The calling task may have to let others go first.
  func pass(_ task: SimulatedTask, _ step: Step) {
    task.step = step
    let next = next(after: task)
    guard next !== task else { return }
    hand(next)
    task.baton.wait()
  }

  /// The calling task waits until it is woken.
  func park(_ task: SimulatedTask, _ state: SimulatedTask.State) {
    task.state = state
    let next = next(after: nil)
    guard next !== task else { return }
    hand(next)
    task.baton.wait()
  }

  /// Whoever is parked on `object` is ready to look again.
  func wake(_ object: ObjectIdentifier) {
    for task in tasks {
      switch task.state {
      case .parked(on: object, _), .idle(on: object): task.state = .ready
      default: continue
      }
    }
  }

  private func hand(_ next: SimulatedTask?) {
    if let next { next.baton.signal() } else { ended.signal() }
  }

  // MARK: Deciding

  /// Who runs now; nil when the simulation is over.
  private func next(after current: SimulatedTask?) -> SimulatedTask? {
    if ending != nil, !isOver { return nil }
    fireTimers()
    var ready = tasks.filter(\.isReady)
    if ready.isEmpty {
      guard !tasks.isEmpty, !isOver, skipToTimer() || letIdleTasksEnd() else { return nil }
      ready = tasks.filter(\.isReady)
    }
    steps += 1
    clock += Self.stepNanoseconds
    guard steps <= stepsMax else {
      ending = .stepLimit
      return nil
    }
    let place = ready.firstIndex { $0 === current }
    let chosen = policy.choose(ready.map { Choice(task: $0.number, step: $0.step) }, current: place)
    precondition(ready.indices.contains(chosen), "a policy chooses one of the ready tasks")
    let task = ready[chosen]
    note(task, choices: ready.count)
    return task
  }

  /// Ends the simulation when no task is ready; false in a deadlock.
  private func letIdleTasksEnd() -> Bool {
    let stuck = tasks.compactMap { task -> String? in
      if case .parked(_, let reason) = task.state { "\(task.name) waits for \(reason)" } else { nil }
    }
    guard stuck.isEmpty else {
      ending = .deadlock(stuck)
      return false
    }
    ending = .finished
    isOver = true
    for task in tasks { task.state = .ready }
    return true
  }

  // MARK: Time

  /// Runs `block`, as a task of its own, once the clock is there.
  func at(_ time: UInt64, _ block: @escaping @Sendable () -> Void) {
    let place = timers.firstIndex { $0.due > time } ?? timers.count
    timers.insert((time, block), at: place)
  }

  private func fireTimers() {
    while let timer = timers.first, timer.due <= clock, !isOver {
      timers.removeFirst()
      add("timer", timer.fire)
    }
  }

  /// Moves the clock to the next timer when no task is ready; false when no task waits, or there is no timer.
  private func skipToTimer() -> Bool {
    guard let timer = timers.first, tasks.contains(where: { if case .parked = $0.state { true } else { false } }) else {
      return false
    }
    clock = max(clock, timer.due)
    fireTimers()
    return true
  }

  // MARK: Keeping

  /// A wait has closed a cycle; the process's handler does not get it.
  func note(_ cycle: WaitForGraph.Cycle) { cycles.append(cycle) }

  private func note(_ task: SimulatedTask, choices: Int) {
    if choices > 1 { decisions.append(task.number) }
    fingerprint = (fingerprint ^ (UInt64(task.number) << 32 | task.step.resource)) &* 0x100_0000_01b3
    guard recordsTrace else { return }
    trace.append(SimulationOutcome.Entry(task: task.number, name: task.name, step: task.step, choices: choices))
  }

  /// A step of a place that readers can name.
  ///
  /// - Parameter resource: a number of the process's, 0 for none; in the step it is one of the simulation's.
  func step(_ point: String, _ resource: UInt64, _ subject: () -> String) -> Step {
    Step(point: point, resource: number(of: resource), subject: recordsTrace ? subject() : "")
  }

  /// Resources are numbered in the order in which they are met, so that a repeated simulation has the same numbers.
  private func number(of resource: UInt64) -> UInt64 {
    guard resource > 0 else { return 0 }
    if let known = resources[resource] { return known }
    resources[resource] = UInt64(resources.count) + 1
    return UInt64(resources.count)
  }

  // MARK: The main queue

  /// Sends a block to the main queue.
  func sendToMain(_ block: @escaping () -> Void) {
    mail.append(block)
    wake(ObjectIdentifier(self))
  }

  private func serveMain() {
    while true {
      while !mail.isEmpty {
        pass(main, step("main block", SerialQueue.main.number) { "" })
        mail.removeFirst()()
      }
      if isOver { return }
      park(main, .idle(on: ObjectIdentifier(self)))
    }
  }
}
