import Checking
import Measuring

/// The measurement of a cell by its child process; written as `result.json` into the cell's folder when it ends.
@dynamicMemberLookup
package struct CellMeasurement: Codable, Sendable {
  /// Name of the file in the cell's folder.
  package static let fileName = "result.json"

  /// The figures that become columns.
  package var figures = CellFigures()
  /// Further evidence for judging the cell.
  package var evidence = CellEvidence()

  /// Makes a measurement in which nothing was measured yet.
  package init() {}

  /// Both in one object, as builds of any age write them.
  package init(from decoder: any Decoder) throws {
    figures = try CellFigures(from: decoder)
    evidence = try CellEvidence(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    try figures.encode(to: encoder)
    try evidence.encode(to: encoder)
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<CellFigures, Value>) -> Value {
    get { figures[keyPath: path] }
    set { figures[keyPath: path] = newValue }
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<CellEvidence, Value>) -> Value {
    get { evidence[keyPath: path] }
    set { evidence[keyPath: path] = newValue }
  }

  /// Drops figures by a simulation's clock, and those that callgrind disturbs.
  package mutating func keepCountsOnly() {
    figures.keepCountsOnly()
    evidence.recordingBytes = nil
    evidence.operations = []
  }
}

/// The evidence that a cell's process leaves for judging, besides history, reports and file.
package struct CellEvidence: Codable, Sendable {
  /// Whether the workload came to its end; false when a deadlock, or a relationship between two contexts, ended it.
  package var isComplete = false
  /// Bytes that recording some thousands of operations allocated, history and latencies: 0, or the recorder disturbs its own
  /// measurement.
  package var recordingBytes: UInt64?
  /// Latencies by phase, operation and thread role.
  package var operations: [OperationMeasurement] = []
  /// Evidence that checks were exercised.
  package var counters = CheckCounters()
  /// How often each fault that the scenario asks for happened.
  package var faults: [InjectedFaultCount] = []
  /// Bytes of anonymous memory resident, one sample a second; empty where the workload does not ask for them.
  package var memorySamples: [Int64] = []
  /// The store's file; nil when the workload has none.
  package var storePath: String?

  /// The costs of its measured span; nil where that was not counted.
  package var costs: [CellCost: Int]?

  /// Index of the process of the cell that measured this, from 0.
  package var process = 0
  /// Names of the contexts, in the order of their numbers.
  package var contextNames: [String] = []
  /// Every latency, from a process that another one of the cell started.
  package var latencies: [RecordedLatencies] = []
  /// The process of the cell that ended before its time.
  package var brokenProcess: BrokenProcess?

  package init() {}
}

/// A process that another one of the cell started, and that ended before its time.
package struct BrokenProcess: Codable, Sendable, Hashable {
  /// `process 2 of 3`.
  package var name: String
  /// The signal it died of; 0 where it ended by itself.
  package var signal: Int32
  /// Its exit status, where it ended by itself.
  package var status: Int32

  /// Says which process ended, and how.
  package init(name: String, signal: Int32, status: Int32) {
    precondition(signal >= 0 && 0...255 ~= status, "signals are above 0, and a status has eight bits")
    precondition(signal == 0 || status == 0, "a process ends by a signal, or by itself with a status")
    self.name = name
    self.signal = signal
    self.status = status
  }

  /// How it ended, as of a child of the run.
  package var end: ChildProcess.End { signal != 0 ? .signaled(signal) : .exited(status) }
}

/// The measurement of the floor by its child process; written as `result.json` into its folder.
package struct FloorMeasurement: Codable, Sendable, Equatable {
  /// From the first row until all rows were committed.
  package var floorSeconds: Double
  /// Rows written.
  package var rows: Int
  /// Commits made.
  package var commits: Int

  /// Makes a measurement.
  package init(floorSeconds: Double, rows: Int, commits: Int) {
    precondition(floorSeconds >= 0 && rows >= 0 && commits >= 0, "time passes, and rows and commits are counted up")
    self.floorSeconds = floorSeconds
    self.rows = rows
    self.commits = commits
  }
}

/// Counts and latencies of one operation in one phase on one kind of thread: a row of `timings.csv`.
package struct OperationMeasurement: Codable, Sendable, Hashable {
  /// The workload's phase: `import`, `update`, …
  package var phase: String
  /// The operation: `write`, `save`, `page-fetch`, …
  package var operation: String
  /// The thread: `main` or `worker`.
  package var role: String
  /// How often and how fast.
  package var summary: LatencySummary
  /// The start of a latency: `begin` of the operation, or `intended`, the instant at which it was due.
  package var latencyFrom: String

  /// Makes a row.
  package init(phase: String, operation: String, role: String, summary: LatencySummary, latencyFrom: String) {
    self.phase = phase
    self.operation = operation
    self.role = role
    self.summary = summary
    self.latencyFrom = latencyFrom
  }
}

/// All latencies of one operation in one phase on one kind of thread, as one process of a cell hands them to another.
package struct RecordedLatencies: Codable, Sendable {
  package var phase: String
  package var operation: String
  /// Whether latencies count from the instant at which an operation was due.
  package var isFromDue: Bool
  package var role: ThreadRole
  package var latencies: LatencyRecorder

  /// Hands latencies over.
  package init(phase: String, operation: String, isFromDue: Bool, role: ThreadRole, latencies: LatencyRecorder) {
    precondition(!phase.isEmpty && !operation.isEmpty, "latencies are those of an operation in a phase")
    self.phase = phase
    self.operation = operation
    self.isFromDue = isFromDue
    self.role = role
    self.latencies = latencies
  }
}

/// The kind of thread that does an operation.
package enum ThreadRole: String, Codable, Sendable {
  /// The main thread.
  case main
  /// Any other thread.
  case worker
}
