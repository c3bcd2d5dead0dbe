import Boundary
import Measuring

/// The latencies of all recorders of a cell, by phase, operation and role.
struct OperationKinds {
  private struct Kind: Hashable {
    var operation: WorkerRecorder.Operation
    var role: ThreadRole
  }

  private var kinds: [(kind: Kind, latencies: LatencyRecorder)]
  private let phaseSeconds: [String: Double]

  /// Adds the recorders up; rates refer to `phaseSeconds`.
  init(_ recorders: [WorkerRecorder], phaseSeconds: [String: Double]) {
    precondition(phaseSeconds.values.allSatisfy { $0 >= 0 }, "a phase ends after its begin")
    var kinds: [Kind: LatencyRecorder] = [:]
    for recorder in recorders {
      for (operation, latencies) in recorder.latencies {
        kinds[Kind(operation: operation, role: recorder.role), default: LatencyRecorder()].merge(latencies)
      }
    }
    self.kinds = Self.sorted(kinds)
    self.phaseSeconds = phaseSeconds
  }

  private static func sorted(_ kinds: [Kind: LatencyRecorder]) -> [(kind: Kind, latencies: LatencyRecorder)] {
    func order(_ kind: Kind) -> (String, String, String) {
      (kind.operation.phase, kind.operation.name, kind.role.rawValue)
    }
    return kinds.sorted { order($0.key) < order($1.key) }.map { ($0.key, $0.value) }
  }

  /// Adds the latencies of another process.
  mutating func add(_ others: [RecordedLatencies]) {
    var all = Dictionary(uniqueKeysWithValues: kinds.map { ($0.kind, $0.latencies) })
    for other in others {
      let operation = WorkerRecorder.Operation(
        phase: other.phase, name: other.operation, isFromDue: other.isFromDue)
      all[Kind(operation: operation, role: other.role), default: LatencyRecorder()].merge(other.latencies)
    }
    kinds = Self.sorted(all)
  }

  /// All of it, for another process.
  var recorded: [RecordedLatencies] {
    kinds.map { kind, latencies in
      RecordedLatencies(
        phase: kind.operation.phase, operation: kind.operation.name, isFromDue: kind.operation.isFromDue,
        role: kind.role, latencies: latencies)
    }
  }

  /// The rows of `timings.csv`.
  var measurements: [OperationMeasurement] {
    kinds.map { kind, latencies in
      OperationMeasurement(
        phase: kind.operation.phase, operation: kind.operation.name, role: kind.role.rawValue,
        summary: latencies.summary(durationSeconds: phaseSeconds[kind.operation.phase]),
        latencyFrom: kind.operation.isFromDue ? "intended" : "begin")
    }
  }

  /// Entries of the log, tagged `phase/operation/role`.
  var entries: [HistogramLog.Entry] {
    kinds.map { kind, latencies in
      HistogramLog.Entry(
        tag: HistogramLog.tag([kind.operation.phase, kind.operation.name, kind.role.rawValue]),
        lengthSeconds: phaseSeconds[kind.operation.phase] ?? 0, latencies: latencies)
    }
  }
}
