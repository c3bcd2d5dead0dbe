/// One of the processes that a simulation has: its tasks, its main queue, and the moment at which it is killed.
package final class SimulatedProcess: @unchecked Sendable {
  // Sendable: only the holder of the simulation's baton touches it.

  /// Never given again in this process of the system; from 1.
  package let number: Int
  /// In front of the names of its tasks; empty for the process that a simulation begins with.
  package let name: String
  let queue: SerialQueue
  /// Blocks sent to the main queue.
  var mail: [() -> Void] = []
  fileprivate(set) var isDead = false

  private static let count = Locked(0)

  init(_ name: String, _ queue: SerialQueue) {
    self.name = name
    self.queue = queue
    number = Self.count.withLock { count in
      count += 1
      return count
    }
  }

  /// The process of the calling task; nil outside of a simulation.
  package static var current: SimulatedProcess? { Simulation.task?.process }

  /// `body`, for calls in the calling task's process alone: in others it does nothing. A simulated process hears of no other's
  /// notifications.
  package static func only<Value>(
    _ body: @escaping @Sendable (Value) -> Void
  ) -> @Sendable (Value) -> Void {
    guard let process = current else { return body }
    return { if current === process { body($0) } }
  }

  /// Starts another process of the calling task's simulation, with `body` on its main queue.
  ///
  /// - Precondition: the calling thread is a task.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> SimulatedProcess {
    guard let simulation = Simulation.current else { preconditionFailure("a task starts a simulated process") }
    let process = SimulatedProcess(name, SerialQueue.simulatedMain())
    simulation.addMain(of: process, body)
    return process
  }

  /// Runs `body` as a new task of this process, unless that was killed; as the system wakes another process.
  package func run(_ name: String, _ body: @escaping @Sendable () -> Void) {
    guard !isDead, let simulation = Simulation.current else { return }
    simulation.add(name, in: self, body)
  }

  /// The step that kills a process.
  package static let killPoint = "kill"

  private static let onKill = Locked<[@Sendable (SimulatedProcess) -> Void]>([])
  /// All that killed processes had: released it would run their code.
  private static let remains = Locked<[SimulatedProcess: [SimulatedTask]]>([:])

  /// Calls `body` with each process that is killed, for what the system does then; once a process of the system.
  package static func whenKilled(_ body: @escaping @Sendable (SimulatedProcess) -> Void) {
    onKill.withLock { $0.append(body) }
  }

  /// Kills the process, at a step that others may go before: its tasks stay where they are, with all that they hold.
  ///
  /// - Precondition: the calling thread is a task of another process, and this one lives.
  package func kill() {
    guard let task = Simulation.task, task.process !== self else {
      preconditionFailure("a simulated process is killed by another")
    }
    Simulation.pass(Self.killPoint, 0, name)
    precondition(!isDead, "a process dies once")
    isDead = true
    let tasks = task.simulation.remove(self)
    Self.remains.withLock { $0[self] = tasks }
    for body in Self.onKill.current { body(self) }
  }
}

extension SimulatedProcess: Hashable {
  package static func == (one: SimulatedProcess, other: SimulatedProcess) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Simulation {
  /// The main queue of the calling task's process; the process's own outside of simulations.
  @inline(never)
  static var mainQueue: SerialQueue { task?.process.queue ?? .processMain }

  /// Adds the main task of a process, which runs `body` and then what is sent to the main queue.
  @discardableResult
  func addMain(of process: SimulatedProcess, _ body: @escaping @Sendable () -> Void) -> SimulatedTask {
    let task = add("main", in: process) { [self] in
      process.queue.serveSimulation {
        body()
        serveMain()
      }
    }
    task.isMain = true
    return task
  }

  /// Takes out the tasks of a process that is killed.
  fileprivate func remove(_ process: SimulatedProcess) -> [SimulatedTask] {
    kills += 1
    let dead = tasks.filter { $0.process === process }
    tasks.removeAll { $0.process === process }
    return dead
  }
}
