import CRuntime
import Dispatch
import Foundation
import Synchronization

/// Runs a program's tasks one at a time, in an order that a policy chooses: the same program, policy and seed give the
/// same order.
///
/// Each task has a thread, and only the one with the baton runs. It gives it away where it waits, and may have to at every
/// step that other tasks can notice. One simulation at a time in a process; threads that do not belong to it run as ever, and
/// must not touch its objects.
package final class Simulation: @unchecked Sendable {
  // Sendable: only the thread that has the baton touches the members below; a baton's semaphore orders those threads.

  private static let on = Atomic<Bool>(false)
  /// Held by the simulation that runs.
  private static let turn = NSLock()
  private static let aloneTurn = NSLock()

  /// Runs code that runs a simulation, and listens to the process meanwhile, while no other thread does.
  package static func alone<Result>(_ body: () -> Result) -> Result { aloneTurn.withLock(body) }
  /// Threads for tasks, kept from one simulation to the next.
  private static let threads = SimulationThreads(label: "simulated tasks", idleMax: 128)

  /// Whether a simulation runs in this process, or the order of a live one is noted.
  @inline(__always)
  static var isOn: Bool { on.load(ordering: .relaxed) }

  /// ``LiveOrder`` begins or ends.
  static func setNoted(_ isNoted: Bool) { on.store(isNoted, ordering: .releasing) }

  /// The clock at the beginning; not 0, so that there are moments before it.
  package static let clockAtStart: UInt64 = 1_000_000_000
  /// A task that waits is in a deadlock once so many ticks in a row changed nothing.
  private static let idleTicksMax = 100

  private var policy: any SchedulePolicy
  private let namesSteps: Bool
  let options: Options
  var tasks: [SimulatedTask] = []
  private var nextNumber = 0
  /// The process that runs the body.
  let first = SimulatedProcess("", .processMain)
  var kills = 0
  /// Nanoseconds of the simulation's own clock.
  private(set) var clock = clockAtStart
  var timers = SimulatedTimers()
  var unseen: String?
  /// Whether the simulation runs while nothing but tickers is left.
  var isKeptOpen = false
  /// How often in a row the clock was moved to a ticker, and no task had anything to do but the ticker's and main.
  private var idleTicks = 0
  private var names: [String: Int] = [:]
  /// The last task of each identity.
  private var identities: [UInt64: SimulatedTask] = [:]
  /// How far the clock may still go ahead of tasks that are ready: a pause is sometimes over before other work is done.
  private var lead: UInt64 = 200_000_000
  private var resources = SimulatedResources()
  /// See ``nextObjectNumber()``.
  var lastObjectNumber: UInt16 = 0
  private var steps = 0
  /// The same for a thread that looks whether the simulation continues.
  private let progress = Atomic<Int>(0)
  /// The task that was chosen last.
  private var runningTask: SimulatedTask?
  /// Set when the simulation was given up because ``runningTask`` does no step.
  private let isStalled = Atomic<Bool>(false)
  var isGivenUp: Bool { isStalled.load(ordering: .relaxed) }
  private var decisions = 0
  /// Given to the policy; one array for all steps.
  private var choices: [Choice] = []
  private var stepsByTask: [Int] = []
  private var cycles: [WaitForGraph.Cycle] = []
  private var mainWaits: [String] = []
  private var trace: [SimulationOutcome.Entry] = []
  private var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
  private var coverage = PairCoverage()
  /// Set once no task has anything left to do: idle tasks end.
  private(set) var isOver = false
  private(set) var ending: SimulationOutcome.Ending?
  private let ended = DispatchSemaphore(value: 0)

  private init(policy: any SchedulePolicy, options: Options) {
    self.policy = policy
    self.options = options
    namesSteps = options.namesSteps || options.recordsTrace
  }

  /// Runs `body` as the main task, and the tasks it starts, until nothing is left to do.
  ///
  /// Tasks that never end, in a deadlock or beyond the step limit, keep their threads and all they hold.
  ///
  /// It waits while another one runs in this process. A task that calls it ends its own simulation as not simulated.
  package static func run(
    policy: any SchedulePolicy, stepsMax: Int = 1_000_000, recordsTrace: Bool = false,
    _ body: @escaping @Sendable () -> Void
  ) -> SimulationOutcome {
    var options = Options()
    options.stepsMax = stepsMax
    options.recordsTrace = recordsTrace
    return run(policy: policy, options, body)
  }

  /// The same with all options.
  package static func run(
    policy: any SchedulePolicy, _ options: Options, _ body: @escaping @Sendable () -> Void
  ) -> SimulationOutcome {
    precondition(!LiveOrder.isOn, "a process is live or simulated")
    if isCurrent { abandon(.notSimulated("Simulation.run, inside of a simulation")) }
    let simulation = Simulation(policy: policy, options: options)
    turn.lock()
    on.store(true, ordering: .releasing)
    defer {
      on.store(false, ordering: .releasing)
      turn.unlock()
    }
    let main = simulation.addMain(of: simulation.first, body)
    if options.interceptsCalls { simulation.intercept() }
    simulation.hand(main)
    simulation.waitForEnd()
    // Timers that are left would keep the simulation.
    simulation.timers = SimulatedTimers()
    return SimulationOutcome(
      ending: simulation.ending ?? .finished, steps: simulation.steps, decisions: simulation.decisions,
      stepsByTask: simulation.stepsByTask, cycles: simulation.cycles, mainWaits: simulation.mainWaits,
      trace: simulation.trace,
      fingerprint: simulation.fingerprint,
      policy: simulation.policy, unseen: simulation.unseen, kills: simulation.kills,
      pairs: simulation.coverage.pairs
    )
  }

  /// A task that does no step for so long never does one again.
  private static let stallSeconds = 10

  private func waitForEnd() {
    // Of code that was written for simulations the parent process watches the time.
    guard options.interceptsCalls else { return ended.wait() }
    var before = -1
    while ended.wait(timeout: .now() + .seconds(Self.stallSeconds)) == .timedOut {
      let now = progress.load(ordering: .acquiring)
      if now == before {
        isStalled.store(true, ordering: .relaxed)
        ending = .stalled(runningTask?.name ?? "")
        return
      }
      before = now
    }
  }

  // MARK: Tasks

  /// A new task, ready.
  ///
  /// - Parameter identity: a number of that which continues one task after the other, such as a task of Swift's; 0 for none.
  @discardableResult
  func add(
    _ name: String, identity: UInt64 = 0, in process: SimulatedProcess? = nil, _ body: (@Sendable () -> Void)?
  ) -> SimulatedTask {
    let process = process ?? Self.task?.process ?? first
    let name = process.name.isEmpty ? name : "\(process.name): \(name)"
    let work = body.map { SimulatedWork($0) }
    if identity != 0, let before = identities[identity], before.isOver {
      let task = SimulatedTask(number: before.number, name: before.name, key: before.key, in: self, process, work)
      identities[identity] = task
      tasks.insert(task, at: tasks.firstIndex { $0.number > task.number } ?? tasks.count)
      return task
    }
    let task = SimulatedTask(number: nextNumber, name: name, key: key(for: name), in: self, process, work)
    if identity != 0 { identities[identity] = task }
    nextNumber += 1
    stepsByTask.append(0)
    tasks.append(task)
    return task
  }

  /// Lets a task begin, on a thread that it gets now: one that got it before would wake up twice. Where a task ends and another
  /// begins, that gets the thread.
  private func start(_ first: SimulatedTask, _ work: SimulatedWork) {
    Self.threads.run { [self] in
      let thread = ThreadRecord.Reference.current
      var begun: (task: SimulatedTask, work: SimulatedWork)? = (first, work)
      while let (task, work) = begun {
        thread.with { $0.begin(task) }
        _ = contextbench_set_intercepted(options.interceptsCalls)
        work.run()
        _ = contextbench_set_intercepted(false)
        thread.with { $0.endTask() }
        begun = end(task)
      }
    }
  }

  private func key(for name: String) -> String {
    guard namesSteps else { return "" }
    let count = names[name, default: 0] + 1
    names[name] = count
    return count == 1 ? name : "\(name) #\(count)"
  }

  /// Ends a task; returns the next one with its work, where that has not begun.
  private func end(_ task: SimulatedTask) -> (SimulatedTask, SimulatedWork)? {
    let next = remove(task)
    if let next, let work = next.work.take() { return (next, work) }
    hand(next)
    return nil
  }

  /// Removes a task that is over; returns the one that runs next.
  func remove(_ task: SimulatedTask) -> SimulatedTask? {
    precondition(!task.isOver, "a task ends once")
    task.state = .over
    tasks.removeAll { $0 === task }
    return next(after: nil)
  }

  /// Lets other tasks go before the calling one, where the policy chooses them.
  func pass(_ task: SimulatedTask, _ step: Step) {
    task.step = step
    task.isResuming = false
    let next = next(after: task)
    guard next !== task else { return }
    hand(next)
    task.baton.wait()
  }

  /// Lets the calling task wait until it is woken.
  func park(_ task: SimulatedTask, _ state: SimulatedTask.State) {
    task.state = state
    if task.isMain, task.process === first, case .parked(_, let reason) = state { mainWaits.append(reason) }
    precondition(!task.isReady, "a task that is parked waits")
    task.isResuming = true
    let next = next(after: nil)
    guard next !== task else { return }
    hand(next)
    task.baton.wait()
  }

  /// Tasks parked on `object` are ready to look again.
  func wake(_ object: ObjectIdentifier) {
    for task in tasks {
      switch task.state {
      case .parked(on: object, _), .idle(on: object): task.state = .ready
      default: continue
      }
    }
  }

  func hand(_ next: SimulatedTask?) {
    guard let next else {
      ended.signal()
      return
    }
    if let work = next.work.take() { start(next, work) } else { next.baton.signal() }
  }

  // MARK: Deciding

  /// The task that runs now; nil when the simulation is over.
  private func next(after current: SimulatedTask?) -> SimulatedTask? {
    if ending != nil, !isOver || isGivenUp { return nil }
    fireTimers()
    var ready = readyTasks
    while ready.isEmpty {
      guard !tasks.isEmpty, !isOver, skipToTimer() || letIdleTasksEnd() else { return nil }
      ready = readyTasks
    }
    steps += 1
    clock += options.stepNanoseconds
    guard steps <= options.stepsMax else {
      ending = .stepLimit
      return nil
    }
    let place = ready.firstIndex { $0 === current }
    let isFree = steps <= options.policyStepsMax
    let chosen = isFree ? choose(ready, current: place) : steps % ready.count
    precondition(ready.indices.contains(chosen), "a policy chooses one of the ready tasks")
    let task = ready[chosen]
    if case .sleeping(let due) = task.state {
      lead -= due - clock
      clock = due
      timers.remove(task)
      task.state = .ready
    }
    if !task.isOfTimer, !task.isMain { idleTicks = 0 }
    runningTask = task
    progress.store(steps, ordering: .releasing)
    note(task, choices: ready.count, preempted: place == chosen ? nil : place.map { ready[$0].step })
    return task
  }

  private func choose(_ ready: [SimulatedTask], current: Int?) -> Int {
    choices.removeAll(keepingCapacity: true)
    for task in ready { choices.append(Choice(task: task.number, step: task.step, key: task.key)) }
    return policy.choose(choices, current: current)
  }

  /// Tasks that can run, and the one that sleeps for the shortest time: others may be slower than that. No wait's deadline passes
  /// while a task can run.
  private var readyTasks: [SimulatedTask] {
    var ready = tasks.filter(\.isReady)
    guard !ready.isEmpty, !isOver, let sleeper = timers.firstSleeper, case .sleeping(let due) = sleeper.state,
      due - min(due, clock) <= lead
    else { return ready }
    ready.insert(sleeper, at: ready.firstIndex { $0.number > sleeper.number } ?? ready.count)
    return ready
  }

  private var hasWaitingTask: Bool {
    tasks.contains { if case .parked = $0.state { true } else { false } }
  }

  /// Ends the simulation when no task is ready; false in a deadlock.
  private func letIdleTasksEnd() -> Bool {
    let stuck = tasks.compactMap { task -> String? in
      if case .parked(_, let reason) = task.state {
        "\(task.key.isEmpty ? task.name : task.key) waits for \(reason)"
      } else {
        nil
      }
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

  private func fireTimers() {
    while let timer = timers.popDue(at: clock), !isOver {
      switch timer.action {
      case .task(let block, let process):
        if !process.isDead { add("timer", in: process, block).isOfTimer = true }
      case .wake(let object): wake(object)
      case .end(let task): task.state = .ready
      }
    }
  }

  /// Moves the clock to the next timer when no task is ready; false when there is none, or it would change nothing.
  private func skipToTimer() -> Bool {
    guard let due = timers.nextDue else { return false }
    if !timers.hasDeadline {
      // Ticks alone end no wait that lasted a hundred of them.
      guard hasWaitingTask ? idleTicks < Self.idleTicksMax : isKeptOpen else { return false }
      idleTicks += 1
    }
    clock = max(clock, due)
    fireTimers()
    return true
  }

  /// Ends the calling task's simulation where it is: no task runs, and each keeps its thread and all that it holds.
  ///
  /// - Precondition: the calling thread is a task.
  package static func abandon() -> Never { abandon(.abandoned) }

  static func abandon(_ ending: SimulationOutcome.Ending) -> Never {
    guard let task else { preconditionFailure("only a task abandons its simulation") }
    _ = contextbench_set_intercepted(false)
    let simulation = task.simulation
    simulation.ending = ending
    simulation.ended.signal()
    while true { task.baton.wait() }
  }

  // MARK: Keeping

  /// Notes that the task chosen last has come to a resource.
  func touch(_ resource: UInt64) { policy.touch(resources.number(of: resource)) }

  /// Notes a wait that has closed a cycle; the process's handler does not get it.
  func note(_ cycle: WaitForGraph.Cycle) { cycles.append(cycle) }

  private func note(_ task: SimulatedTask, choices: Int, preempted: Step?) {
    if choices > 1 { decisions += 1 }
    stepsByTask[task.number] += 1
    fingerprint = (fingerprint ^ (UInt64(task.number) << 32 | task.step.resource)) &* 0x100_0000_01b3
    if options.collectsPairs { coverage.add(task.step, of: task.number) }
    guard options.recordsTrace else { return }
    trace.append(
      SimulationOutcome.Entry(
        task: task.number, name: task.name, key: task.key, step: task.step, choices: choices, preempted: preempted,
        clock: clock, isResumption: task.isResuming, turnsHeld: tasks.count { $0.holdsTurn }))
  }

  /// A step of a place that readers can name.
  ///
  /// - Parameter resource: a number of the process's, 0 for none; in the step it is one of the simulation's.
  func step(_ point: String, _ resource: UInt64, _ subject: () -> String) -> Step {
    Step(point: point, resource: resources.number(of: resource), subject: namesSteps ? Self.name(subject()) : "")
  }
}
