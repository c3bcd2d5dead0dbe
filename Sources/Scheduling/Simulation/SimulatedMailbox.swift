/// A thread of a simulation that runs blocks sent to it, one after the other.
final class SimulatedMailbox: @unchecked Sendable {
  // Sendable: only the holder of the simulation's baton touches it.

  private(set) var record: ThreadRecord!
  private var task: SimulatedTask!
  private var blocks: [@Sendable () -> Void] = []
  private var isClosed = false

  /// Starts the thread; returns once it runs.
  init(_ name: String, in simulation: Simulation) {
    let hasStarted = Permit()
    task = simulation.add(name) { [self] in
      record = ThreadRecord.current
      hasStarted.give()
      serve(simulation)
    }
    hasStarted.wait(for: "the start of \(name)")
  }

  var isCurrent: Bool { Simulation.task === task }

  func send(_ block: @escaping @Sendable () -> Void) {
    blocks.append(block)
    Simulation.wake(self)
  }

  /// Ends the thread once the blocks sent before have run.
  func close() {
    isClosed = true
    Simulation.wake(self)
  }

  private func serve(_ simulation: Simulation) {
    while true {
      while !blocks.isEmpty {
        Simulation.pass("thread-block", 0, task.name)
        blocks.removeFirst()()
      }
      if isClosed || simulation.isOver { return }
      simulation.park(task, .idle(on: ObjectIdentifier(self)))
    }
  }
}
