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
public final class WorkerRecorder: @unchecked Sendable {
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
  public func record(_ name: String, in phase: String, nanoseconds: UInt64) {
    latencies[position(of: name, in: phase)].recorder.record(nanoseconds)
  }

  /// Records what is done, or became of it, in the worker's history.
  ///
  /// An operation is an `invoke` before it is begun, and later an `ok`, `fail` or `info` with the same function, entity
  /// and key; see `OperationFunction`.
  ///
  /// - Parameters:
  ///   - entity: its number, from ``WorkloadSchema/number(ofEntity:)``.
  ///   - key: the first logical key, of `count`.
  ///   - value: a revision, an error's code, or what else the function says.
  /// - Returns: now, in nanoseconds of the monotonic clock.
  @discardableResult
  public func record(
    _ type: OperationType, _ function: OperationFunction, entity: UInt16 = 0, key: Int64 = 0, count: Int64 = 1,
    value: Int64 = 0
  ) -> UInt64 {
    history.record(type, function, entity: entity, key: key, count: count, value: value)
  }

  /// Counts a failed operation.
  public func recordFailure(of name: String, in phase: String) {
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
