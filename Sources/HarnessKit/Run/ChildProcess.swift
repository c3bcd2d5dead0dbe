import CProcess
import Foundation
import Measuring
import Scheduling
import Subprocess
import SystemPackage

/// A child that runs one cell: its input and output are files of the cell's folder, its time is limited.
struct ChildProcess: Sendable {
  /// How it ended.
  enum End: Sendable, Equatable {
    /// By itself.
    case exited(Int32)
    /// By a signal that the harness did not send.
    case signaled(Int32)
    /// At the deadline; it was asked for its stacks and killed.
    case timedOut
    /// By Ctrl-C.
    case interrupted
  }

  /// How long a child may take to write its stacks.
  static let dumpSecondsMax = 5.0

  /// How many children can be watched at once.
  static let childrenMax = 64

  let executable: String
  let arguments: [String]
  let inputPath: String
  let outputPath: String
  let environment: [String: String]
  let timeoutSeconds: Double

  private enum Watched { case ended, timedOut, interrupted }

  // Watching blocks a thread, which must not be one of Swift's own.
  private static let watchers = WorkPool(label: "child watcher", width: childrenMax)

  /// Runs it to its end, in a process group of its own, so that Ctrl-C reaches only the parent.
  func run(_ interruption: Interruption) async throws -> End {
    var options = PlatformOptions()
    options.processGroupID = 0
    let input = try FileDescriptor.open(inputPath, .readOnly)
    let output = try FileDescriptor.open(
      outputPath, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    defer {
      try? input.close()
      try? output.close()
    }
    let pairs = environment.map { (Environment.Key(rawValue: $0.key), $0.value) }
    let updates = Dictionary(
      uniqueKeysWithValues: pairs.compactMap { key, value in key.map { ($0, value as String?) } })
    let result = try await Subprocess.run(
      .path(FilePath(executable)), arguments: Arguments(arguments), environment: .inherit.updating(updates),
      platformOptions: options, input: .fileDescriptor(input, closeAfterSpawningProcess: false),
      output: .fileDescriptor(output, closeAfterSpawningProcess: false),
      error: .fileDescriptor(output, closeAfterSpawningProcess: false)
    ) { execution in
      await watch(execution.processIdentifier, interruption)
    }
    switch result.closureResult {
    case .timedOut: return .timedOut
    case .interrupted: return .interrupted
    case .ended:
      switch result.terminationStatus {
      case .exited(let status): return .exited(status)
      case .signaled(let signal): return .signaled(signal)
      }
    }
  }

  private func watch(_ child: ProcessIdentifier, _ interruption: Interruption) async -> Watched {
    await withCheckedContinuation { continuation in
      Self.watchers.submit("child \(child.value)") {
        continuation.resume(returning: watchBlocking(child, interruption))
      }
    }
  }

  private func watchBlocking(_ child: ProcessIdentifier, _ interruption: Interruption) -> Watched {
    let descriptors = [child.processDescriptor, interruption.descriptor]
    switch Self.waitForOne(of: descriptors, seconds: timeoutSeconds) {
    case 0:
      // Not waited for yet, so its group is still its own: what it started ends with it.
      kill(-child.value, SIGKILL)
      return .ended
    case 1:
      kill(-child.value, SIGKILL)
      return .interrupted
    default:
      kill(-child.value, cprocess_dump_signal())
      _ = Self.waitForOne(of: [child.processDescriptor], seconds: Self.dumpSecondsMax)
      kill(-child.value, SIGKILL)
      return .timedOut
    }
  }

  /// Position of the first descriptor that becomes readable; nil when none does in time.
  private static func waitForOne(of descriptors: [CInt], seconds: Double) -> Int? {
    let deadline = MonotonicClock.now() + UInt64(seconds * 1e9)
    while true {
      var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let now = MonotonicClock.now()
      let milliseconds = now < deadline ? (deadline - now + 999_999) / 1_000_000 : 0
      let ready = poll(&requests, nfds_t(requests.count), Int32(clamping: milliseconds))
      if ready > 0 { return requests.firstIndex { $0.revents != 0 } }
      if ready == 0, MonotonicClock.now() >= deadline { return nil }
      if ready < 0, errno != EINTR { preconditionFailure("poll(2) takes these descriptors: errno \(errno)") }
    }
  }
}
