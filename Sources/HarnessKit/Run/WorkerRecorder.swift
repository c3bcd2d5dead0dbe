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
  /// A handful of kinds, so that looking through them costs less than hashing their names.
  private(set) var latencies: [(operation: Operation, recorder: LatencyRecorder)] = []

  init(history: HistoryWriter, role: ThreadRole) {
    self.history = history
    self.role = role
  }

  /// Counts a successful operation.
  package func record(_ name: String, in phase: String, nanoseconds: UInt64) {
    latencies[position(of: name, in: phase)].recorder.record(nanoseconds)
  }

  /// Counts a failed operation.
  package func recordFailure(of name: String, in phase: String) {
    latencies[position(of: name, in: phase)].recorder.recordFailure()
  }

  private func position(of name: String, in phase: String) -> Int {
    if let known = latencies.firstIndex(where: { $0.operation.name == name && $0.operation.phase == phase }) {
      return known
    }
    latencies.append((Operation(phase: phase, name: name), LatencyRecorder()))
    return latencies.count - 1
  }

  /// Mean nanoseconds that ``record(_:in:nanoseconds:)`` takes here, over `records` of them, among as many kinds as an
  /// importer has.
  static func measureCost(records: Int, history: HistoryWriter) -> Double {
    let recorder = WorkerRecorder(history: history, role: .worker)
    let names = ["edit", "push", "save", "write"]
    for name in names { recorder.record(name, in: "import", nanoseconds: 1) }
    let begin = MonotonicClock.now()
    for record in 0..<records {
      recorder.record(names[record % names.count], in: "import", nanoseconds: UInt64(record))
    }
    return Double(MonotonicClock.now() - begin) / Double(max(1, records))
  }
}
