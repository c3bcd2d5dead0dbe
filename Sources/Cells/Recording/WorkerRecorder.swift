import Boundary
import Checking
import CoreData
import Measuring

/// The records of one worker: its history, and the latencies of its operations.
///
/// Concurrency: used by one thread at a time.
public final class WorkerRecorder: @unchecked Sendable {
  // Sendable: a worker hands its recorder from block to block, never to two at once.

  /// The key of a set of latencies.
  package struct Operation: Hashable, Sendable {
    package var phase: String
    package var name: String
    /// Whether latencies count from the instant at which the operation was due.
    package var isFromDue = false
  }

  /// The worker's history, to be recorded into directly.
  package let history: HistoryWriter
  package let role: ThreadRole
  /// Gives contexts their numbers; nil without a cell, and then no context has one.
  private let contextNumber: (@Sendable (NSManagedObjectContext) -> UInt32)?
  /// A handful of kinds, so that looking through them costs less than hashing their names.
  private(set) var latencies: [(operation: Operation, recorder: LatencyRecorder)] = []
  private let measures: Bool
  /// Recorders for kinds that are still to come.
  private var spare: [LatencyRecorder]

  /// Kinds of operations that a worker records where its workload does not say how many.
  public static let kindsDefault = 4

  /// Makes a recorder that allocates nothing later, unless it gets more than so many kinds of operations.
  ///
  /// - Parameter measures: whether latencies are kept; not in a simulation, where the clock means nothing.
  init(
    history: HistoryWriter, role: ThreadRole, kinds: Int = kindsDefault, measures: Bool = true,
    contextNumber: (@Sendable (NSManagedObjectContext) -> UInt32)? = nil
  ) {
    precondition(kinds > 0, "a recorder has room for the operations that it measures")
    self.history = history
    self.role = role
    self.measures = measures
    self.contextNumber = contextNumber
    spare = (0..<(measures ? kinds : 0)).map { _ in LatencyRecorder() }
    latencies.reserveCapacity(kinds)
  }

  /// The number of a context in history records; 0 without a cell.
  func number(of context: NSManagedObjectContext) -> UInt32 { contextNumber?(context) ?? 0 }

  /// Counts a successful operation, of which no more is known than how long it took.
  public func record(_ name: String, in phase: String, nanoseconds: UInt64) {
    if measures { latencies[position(of: name, in: phase)].recorder.record(nanoseconds) }
  }

  /// Counts a successful operation: its latency from when it was due, or else from its start, and the bytes that its
  /// thread allocated between start and end, where that is the same thread.
  public func record(
    _ name: String, in phase: String, since start: OperationStart, until end: OperationStart = .now()
  ) {
    guard measures else { return }
    let begin = start.due ?? start.nanoseconds
    let nanoseconds = end.nanoseconds > begin ? end.nanoseconds - begin : 0
    latencies[position(of: name, in: phase, isFromDue: start.due != nil)].recorder
      .record(nanoseconds, bytes: start.bytes(until: end))
  }

  /// Records an operation, or its outcome, in the worker's history.
  ///
  /// An operation is an `invoke` before it is begun, and later an `ok`, `fail` or `info` with the same function, entity
  /// and key; see `OperationFunction`.
  ///
  /// - Parameters:
  ///   - type: the event: `invoke`, `ok`, `fail` or `info`.
  ///   - function: the operation.
  ///   - entity: its number, from ``WorkloadSchema/number(ofEntity:)``.
  ///   - key: the first logical key.
  ///   - count: the number of consecutive keys.
  ///   - value: a revision, an error's code, or another value by function.
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
    if measures { latencies[position(of: name, in: phase)].recorder.recordFailure() }
  }

  private func position(of name: String, in phase: String, isFromDue: Bool = false) -> Int {
    for index in latencies.indices {
      let known = latencies[index].operation
      if known.name == name, known.phase == phase, known.isFromDue == isFromDue { return index }
    }
    latencies.append(
      (Operation(phase: phase, name: name, isFromDue: isFromDue), spare.popLast() ?? LatencyRecorder()))
    return latencies.count - 1
  }
}
