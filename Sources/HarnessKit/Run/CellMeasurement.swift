/// What the child process of a cell measured; written as `result.json` into the cell's folder when it ends.
///
/// A nil value means "not measured", never zero. Durations are seconds of wall time unless their name says CPU.
public struct CellMeasurement: Codable, Sendable, Equatable {
  /// From the workload's first operation until every row was committed to the store's file.
  public var untilDurableSeconds: Double?
  /// From the workload's first operation until main had also drained every merge or push.
  public var untilVisibleSeconds: Double?
  /// What the main thread did between the workload's first operation and its last.
  public var mainThread: MainThreadTime
  /// CPU time of the main thread over the same span.
  public var mainCPUSeconds: Double?
  /// CPU time of all threads over the same span.
  public var cpuSeconds: Double?
  /// Bytes allocated by all threads over the same span; nil without jemalloc.
  public var allocatedBytes: UInt64?
  /// Largest resident set of the process so far; nil under a sanitizer.
  public var rssBytesPeak: UInt64?
  /// Largest size of the write-ahead log seen.
  public var walBytesPeak: UInt64?
  /// Time spent recording history and latencies, all threads together.
  public var recordingSeconds: Double?
  /// Objects the workload made, changed or deleted, and that were acknowledged.
  public var objects: Int
  /// How late main was for its ticks, from the intended instant; nil where the workload has no heartbeat.
  public var heartbeat: LatencyDigest?
  /// Latencies by phase, operation and thread role.
  public var operations: [OperationMeasurement]
  /// Touches of contexts and objects that the confinement guard looked at: what `confinement` is exercised by.
  public var guardedTouches: Int
  /// How often each check got into the situation it is about, where only the child can know: check name → count.
  public var exercised: [String: Int]
  /// The store's file; nil when the workload has none.
  public var storePath: String?

  /// Makes a measurement in which nothing was measured yet.
  public init() {
    mainThread = MainThreadTime()
    objects = 0
    operations = []
    guardedTouches = 0
    exercised = [:]
  }
}
