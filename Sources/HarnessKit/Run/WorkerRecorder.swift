import Checking
import Measuring

/// Who does an operation.
package enum ThreadRole: String, Sendable {
  /// The main thread.
  case main
  /// Any other thread.
  case worker
}

/// What one worker records: its history, and the latencies of its operations.
///
/// Concurrency: used by one thread at a time.
package final class WorkerRecorder: @unchecked Sendable {
  // Sendable: a worker hands its recorder from block to block, never to two at once.

  /// What tells latencies apart.
  package struct Operation: Hashable, Sendable {
    package var phase: String
    package var name: String
  }

  /// The worker's history, to be recorded into directly.
  package let history: HistoryWriter
  package let role: ThreadRole
  private(set) var latencies: [Operation: LatencyRecorder] = [:]

  init(history: HistoryWriter, role: ThreadRole) {
    self.history = history
    self.role = role
  }

  /// Counts a successful operation.
  package func record(_ name: String, in phase: String, nanoseconds: UInt64) {
    latencies[Operation(phase: phase, name: name), default: LatencyRecorder()].record(nanoseconds)
  }

  /// Counts a failed operation.
  package func recordFailure(of name: String, in phase: String) {
    latencies[Operation(phase: phase, name: name), default: LatencyRecorder()].recordFailure()
  }
}
