import Boundary
import Checking
import Scenarios

/// How the child process of a cell ended, and the consequence for the cell.
package enum CellEnd: Sendable, Equatable {
  /// It ended by itself and left a result.
  case finished
  /// It is gone before its time, or had to be killed: a crash or a hang.
  case broken(Violation)
  /// Another process killed it, which says nothing about the strategy.
  case killedFromOutside(Violation)
  /// The machine kept it from running, which says nothing about the strategy; why.
  case starved(String)
  /// Its harness failed, with its message.
  case failed(String)
  /// Ctrl-C.
  case interrupted

  /// Judges a child's end.
  ///
  /// - Parameters:
  ///   - hasResult: whether it left `result.json`.
  ///   - output: its output, for messages.
  ///   - artifacts: where the results folder keeps stacks and backtrace.
  init(_ end: ChildProcess.End, hasResult: Bool, timeoutSeconds: Double, output: String, artifacts: CellArtifacts) {
    precondition(timeoutSeconds > 0, "a child has time to end")
    switch end {
    case .interrupted: self = .interrupted
    case .starved(let delay):
      let limit =
        delay.unwatched > 0 ? "the time left" : "\(ChildProcess.starvedLimits.formatted1) times timeout_s"
      self = .starved(
        "the machine starved the cell: \(delay.text), so that it did not end within \(limit). Run it again on a quieter "
          + "machine")
    case .timedOut:
      self = .broken(.hang(limitSeconds: timeoutSeconds, stacks: artifacts.stacks, waits: artifacts.waits))
    case .signaled(let signal) where Self.outsideSignals.contains(signal):
      self = .killedFromOutside(.killedFromOutside(signal: signal))
    case .signaled(let signal):
      let reason = Self.fatalLine(of: output) ?? artifacts.crashReason
      let known = [reason, artifacts.backtrace.map { "backtrace: \($0)" }].compactMap(\.self)
      let detail = known.isEmpty ? Self.lastLine(of: output) : known.joined(separator: "; ")
      self = .broken(.crash(signal: signal, detail: detail))
    case .exited(CellExit.failureStatus): self = .failed(output.isEmpty ? "no message" : output)
    case .exited(0) where hasResult: self = .finished
    case .exited(let status): self = .broken(.abnormalExit(status: status, detail: Self.lastLine(of: output)))
    }
  }

  /// This end in a scenario that asks for a fault that kills the process, by the same signal as others do.
  func whereInjected(_ fault: InjectedFault) -> CellEnd {
    precondition(fault.isFatal, "only a fault that ends a process has killed it")
    guard case .killedFromOutside(var violation) = self else { return self }
    violation.subject = "process, by the fault \(fault.rawValue)"
    violation.seen = "killed in a save, as \(fault.rateKey) asks"
    return .killedFromOutside(violation)
  }

  // SIGHUP, SIGINT, SIGKILL, SIGTERM: no process sends these to itself; memory pressure is a SIGKILL.
  private static let outsideSignals: Set<Int32> = [1, 2, 9, 15]

  /// The last message of the stack, or of the runtime, before it ended the process.
  private static func fatalLine(of output: String) -> String? {
    output.split(separator: "\n").last { $0.contains("Fatal error: ") }.map(String.init)
  }

  private static func lastLine(of output: String) -> String {
    output.split(separator: "\n").last.map(String.init) ?? ""
  }
}

extension Double {
  /// With one digit behind the point.
  fileprivate var formatted1: String { String(Int(self)) + "." + String(Int(self * 10) % 10) }
}
