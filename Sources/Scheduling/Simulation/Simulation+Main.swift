import CRuntime

// The main queue of a simulated process, which its main task serves.

extension Simulation {
  /// Sends a block to the main queue.
  func sendToMain(_ block: @escaping () -> Void) {
    Self.uninterrupted {
      let process = Self.task?.process ?? first
      process.mail.append(block)
      touch(process.queue.number)
      wake(ObjectIdentifier(process))
    }
  }

  /// Runs the first block of the main queue on the calling task, the main one of its process; false where there is none.
  func serveMainOnce(_ task: SimulatedTask) -> Bool {
    guard !task.process.mail.isEmpty else { return false }
    Self.uninterrupted { pass(task, step("main-block", task.process.queue.number) { "" }) }
    let isIntercepted = contextbench_set_intercepted(options.interceptsCalls)
    task.process.runFirstOfMail()
    _ = contextbench_set_intercepted(isIntercepted)
    return true
  }

  func serveMain() {
    guard let task = Self.task else { preconditionFailure("a task serves the main queue of its process") }
    while true {
      while serveMainOnce(task) {}
      if isOver { return }
      Self.uninterrupted { park(task, .idle(on: ObjectIdentifier(task.process))) }
    }
  }
}

extension SimulatedProcess {
  /// All that the block holds is released before the next step.
  @inline(never)
  fileprivate func runFirstOfMail() { mail.removeFirst()() }
}
