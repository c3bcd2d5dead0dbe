extension Violation {
  /// A cell ended by a signal of its own process.
  ///
  /// - Parameter detail: further facts beside the signal: its name, the backtrace's file.
  package static func crash(signal: Int32, detail: String) -> Violation {
    precondition(signal > 0, "a crash has a signal; another end has a status")
    return Violation(
      kind: .crash, subject: "process", expected: "the cell ends by itself",
      seen: "died of signal \(signal)" + (detail.isEmpty ? "" : ": \(detail)"))
  }

  /// A cell killed from outside: SIGKILL that the harness did not send, memory.
  package static func killedFromOutside(signal: Int32) -> Violation {
    precondition(signal > 0, "a process is killed by a signal")
    return Violation(
      kind: .crash, subject: "process, from outside", expected: "the cell ends by itself",
      seen: "killed from outside by signal \(signal); this says nothing about the strategy")
  }

  /// A cell that exited by itself without a result.
  package static func abnormalExit(status: Int32, detail: String) -> Violation {
    Violation(
      kind: .crash, subject: "process", expected: "the cell ends with status 0 and a result",
      seen: "ended with status \(status)" + (detail.isEmpty ? "" : ": \(detail)"))
  }

  /// A cell that did not end within the scenario's limit.
  ///
  /// - Parameters:
  ///   - stacks: file with the stacks of all threads, if they could be had.
  ///   - waits: where threads waited, in words; empty when that is not known.
  package static func hang(limitSeconds: Double, stacks: String?, waits: String = "") -> Violation {
    precondition(limitSeconds > 0, "a cell had some time to end")
    return Violation(
      kind: .hang, subject: "process", expected: "the cell ends within \(limitSeconds) s",
      seen: "still running" + (waits.isEmpty ? "" : ": \(waits)")
        + (stacks.map { "; stacks of all threads: \($0)" } ?? "; no stacks: the process wrote none when asked"))
  }
}
