import CRuntime

// The main queue of a simulation, which its main task serves.

extension Simulation {
  /// Sends a block to the main queue.
  func sendToMain(_ block: @escaping () -> Void) {
    Self.uninterrupted {
      mail.append(block)
      touch(SerialQueue.main.number)
      wake(ObjectIdentifier(self))
    }
  }

  /// Runs the first block of the main queue on the calling task, the main one; false where there is none.
  func serveMainOnce() -> Bool {
    guard !mail.isEmpty else { return false }
    Self.uninterrupted { pass(main, step("main-block", SerialQueue.main.number) { "" }) }
    let isIntercepted = contextbench_set_intercepted(options.interceptsCalls)
    runFirstOfMail()
    _ = contextbench_set_intercepted(isIntercepted)
    return true
  }

  /// All that the block holds is released before the next step.
  @inline(never)
  private func runFirstOfMail() { mail.removeFirst()() }

  func serveMain() {
    while true {
      while serveMainOnce() {}
      if isOver { return }
      Self.uninterrupted { park(main, .idle(on: ObjectIdentifier(self))) }
    }
  }
}
