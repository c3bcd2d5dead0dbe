import CProcess
import Foundation
import Measuring
import Scheduling

/// A child that runs one cell: its input and output are files of the cell's folder, its time is limited.
package struct ChildProcess: Sendable {
  /// How it ended.
  package enum End: Sendable, Equatable {
    /// By itself.
    case exited(Int32)
    /// By a signal that the harness did not send.
    case signaled(Int32)
    /// At the deadline; it was asked for its stacks and killed.
    case timedOut
    /// At the deadline, of which the machine took too much, or at which the parent had not run all the time.
    case starved(MachineDelay)
    /// By Ctrl-C.
    case interrupted
  }

  /// How many times its limit a child may take that the machine keeps from running.
  package static let starvedLimits = ChildLimit.starvedLimits

  /// How long a child may take to write its stacks.
  package static let dumpSecondsMax = 5.0

  /// How many children can be watched at once.
  package static let childrenMax = 64

  package let executable: String
  package let arguments: [String]
  package let inputPath: String
  package let outputPath: String
  package let environment: [String: String]
  package let timeoutSeconds: Double

  /// Describes a child; nothing is started yet.
  package init(
    executable: String, arguments: [String], inputPath: String, outputPath: String, environment: [String: String],
    timeoutSeconds: Double
  ) {
    precondition(timeoutSeconds > 0, "a child has time to end")
    precondition(!executable.isEmpty, "a child runs a program")
    precondition(!inputPath.isEmpty && !outputPath.isEmpty, "a child has a file to read and one to write")
    self.executable = executable
    self.arguments = arguments
    self.inputPath = inputPath
    self.outputPath = outputPath
    self.environment = environment
    self.timeoutSeconds = timeoutSeconds
  }

  private enum Watched {
    case ended, timedOut, interrupted
    case starved(MachineDelay)
  }

  // Watching blocks a thread, which must not be one of Swift's own.
  private static let watchers = WorkPool(label: "child watcher", width: childrenMax)

  /// Runs it to its end, in a process group of its own, so that Ctrl-C reaches only the parent.
  ///
  /// - Throws: `HarnessFailure` when it cannot be started.
  package func run(_ interruption: Interruption) async throws -> End {
    try await withCheckedThrowingContinuation { continuation in
      Self.watchers.submit("child") {
        continuation.resume(with: Result { try runBlocking(interruption) })
      }
    }
  }

  private func runBlocking(_ interruption: Interruption) throws(HarnessFailure) -> End {
    let child = try StartedProcess(
      StartedProcess.Start(
        executable: executable, arguments: arguments, inputPath: inputPath, outputPath: outputPath,
        environment: environment, leadsGroup: true))
    let watched: Watched
    do throws(HarnessFailure) {
      let descriptor = try child.openDescriptor()
      defer { close(descriptor) }
      watched = watch(child, descriptor, interruption)
    } catch {
      child.kill()
      _ = child.wait()
      throw error
    }
    let end = child.wait()
    switch watched {
    case .timedOut: return .timedOut
    case .starved(let delay): return .starved(delay)
    case .interrupted: return .interrupted
    case .ended: return end.signal != 0 ? .signaled(end.signal) : .exited(end.status)
    }
  }

  /// Waits for the child's end, or brings it about; processes that it started end with it.
  private func watch(_ child: StartedProcess, _ descriptor: CInt, _ interruption: Interruption) -> Watched {
    // Not waited for yet, so its group is still its own.
    defer { kill(-child.id, SIGKILL) }
    let meter = MachineDelayMeter(ofProcess: child.id)
    var limit = ChildLimit(seconds: timeoutSeconds)
    var delay = MachineDelay()
    // From one look to the next, whatever this thread does between them: it may be stopped anywhere.
    var looked = MonotonicClock.now()
    while true {
      let wanted = limit.nextWaitSeconds
      switch Self.waitForOne(of: [descriptor, interruption.descriptor], seconds: wanted) {
      case 0: return .ended
      case 1: return .interrupted
      default:
        let now = MonotonicClock.now()
        limit.record(wanted: wanted, waited: Double(now - looked) / 1e9, isStopped: meter.isStopped, delay)
        looked = now
      }
      guard limit.end != nil else { continue }
      // Read of every thread of the child, so only where it decides.
      delay = meter.delay()
      limit.record(wanted: 0, waited: 0, delay)
      guard let end = limit.end else { continue }
      kill(-child.id, cprocess_dump_signal())
      _ = Self.waitForOne(of: [descriptor], seconds: Self.dumpSecondsMax)
      switch end {
      case .hang: return .timedOut
      case .starved(let delay): return .starved(delay)
      }
    }
  }

  /// Position of the first descriptor that becomes readable; nil when none does in time.
  private static func waitForOne(of descriptors: [CInt], seconds: Double) -> Int? {
    precondition(!descriptors.isEmpty && seconds >= 0, "a wait is for a descriptor, and does not end before it begins")
    precondition(descriptors.allSatisfy { $0 >= 0 }, "what is waited for is open")
    let deadline = MonotonicClock.now() + UInt64(seconds * 1e9)
    while true {
      var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let now = MonotonicClock.now()
      let milliseconds = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
      let ready = poll(&requests, nfds_t(requests.count), Int32(clamping: milliseconds))
      if ready > 0 {
        guard let first = requests.firstIndex(where: { $0.revents != 0 }) else {
          preconditionFailure("poll(2) says which descriptor is readable")
        }
        return first
      }
      if ready == 0, MonotonicClock.now() >= deadline { return nil }
      if ready < 0, errno != EINTR { preconditionFailure("poll(2) takes these descriptors: errno \(errno)") }
    }
  }
}
