/// The figures of a cell that its own process measures; columns of `cells.csv`. Nil means "not measured", never zero.
///
/// A new figure is a property, a line in ``add(_:)`` and a column in `Reporting/Columns/CellColumns.swift`; the rest follows.
/// Durations are seconds of wall time unless their name says CPU.
package struct CellFigures: Codable, Sendable, Hashable {
  /// Objects the workload made, changed or deleted, and that were acknowledged.
  package var objects: Int?
  /// From the workload's first operation until every row was committed to the store's file.
  package var untilDurableSeconds: Double?
  /// From the workload's first operation until main had also drained every merge or push.
  package var untilVisibleSeconds: Double?
  /// Work and waits of the main thread between the workload's first operation and its last.
  package var mainThread: MainThreadTime?
  /// Lateness of main's ticks, from the intended instant; nil where there was no heartbeat.
  package var stalls: StallSummary?
  /// Processor time of all threads over the same span.
  package var processor: ProcessorUsage?
  /// Bytes allocated by all threads over the same span; nil without jemalloc.
  package var allocatedBytes: UInt64?
  /// Largest resident set of the process; nil under a sanitizer.
  package var rssBytesPeak: UInt64?
  /// Largest size of the write-ahead log seen.
  package var walBytesPeak: UInt64?
  /// Records of the history and latencies counted, all threads together.
  package var recorded: UInt64?
  /// Time spent recording history and latencies, all threads together: the number of records times the cost of one here.
  package var recordingSeconds: Double?

  /// Nothing was measured yet.
  package init() {}

  /// Adds the figures of another process of the cell.
  ///
  /// Processor time, allocations, memory, records and objects add up: the memory's peak is the sum of the processes'
  /// peaks, which is at most that much at once. Of the ends and of the log the latest and the largest count. The main thread's
  /// time, its processor time and its stalls stay those of the first process.
  package mutating func add(_ other: CellFigures) {
    precondition((objects ?? 0) >= 0 && (other.objects ?? 0) >= 0, "objects are counted up from 0")
    objects = Self.both(objects, other.objects, +)
    untilDurableSeconds = Self.both(untilDurableSeconds, other.untilDurableSeconds, max)
    untilVisibleSeconds = Self.both(untilVisibleSeconds, other.untilVisibleSeconds, max)
    processor = Self.both(processor, other.processor) { $0.adding($1) }
    allocatedBytes = Self.both(allocatedBytes, other.allocatedBytes, +)
    rssBytesPeak = Self.both(rssBytesPeak, other.rssBytesPeak, +)
    walBytesPeak = Self.both(walBytesPeak, other.walBytesPeak, max)
    recorded = Self.both(recorded, other.recorded, +)
    recordingSeconds = Self.both(recordingSeconds, other.recordingSeconds, +)
  }

  /// The joined value of two processes; nil where one of them did not measure it.
  package static func both<Value>(_ one: Value?, _ other: Value?, _ join: (Value, Value) -> Value) -> Value? {
    guard let one, let other else { return nil }
    return join(one, other)
  }

  /// Drops figures by a simulation's clock, and those that callgrind disturbs.
  package mutating func keepCountsOnly() {
    let (objects, allocated, log) = (objects, allocatedBytes, walBytesPeak)
    self = CellFigures()
    (self.objects, allocatedBytes, walBytesPeak) = (objects, allocated, log)
  }
}

/// Wall time that the main thread spent outside its run loop's wait, working or blocked, in seconds.
package struct MainThreadTime: Codable, Sendable, Hashable {
  /// Everything but `harness`: the strategy's and the workload's share.
  package var total: Double
  /// Taking over a child context's save.
  package var push = 0.0
  /// Saving on main.
  package var save = 0.0
  /// Merging other contexts' saves.
  package var merge = 0.0
  /// Serving fetches and faults of child contexts.
  package var fetch = 0.0
  /// Editing objects on main, for strategies that do.
  package var edit = 0.0
  /// The harness's own ticks and page fetches; not part of `total`.
  package var harness = 0.0

  /// Time of no purpose yet.
  package init(total: Double = 0) {
    precondition(total >= 0, "time on main is none, or passes")
    self.total = total
  }
}
