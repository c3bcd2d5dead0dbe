import Boundary
import Checking
import Measuring

extension CellMeasurement {
  /// Adds what another process of the cell measured.
  ///
  /// Processor time, allocations, memory, records and objects add up: the memory's peak is the sum of the processes'
  /// peaks, which is at most that much at once. Of the ends and of the log the latest and the largest count. What the
  /// main thread did, its processor time and its stalls stay those of the first process; latencies are added elsewhere.
  mutating func add(_ other: CellMeasurement) {
    isComplete = isComplete && other.isComplete
    untilVisibleSeconds = Self.both(untilVisibleSeconds, other.untilVisibleSeconds, max)
    untilDurableSeconds = Self.both(untilDurableSeconds, other.untilDurableSeconds, max)
    processor = Self.both(processor, other.processor) { $0.adding($1) }
    allocatedBytes = Self.both(allocatedBytes, other.allocatedBytes, +)
    rssBytesPeak = Self.both(rssBytesPeak, other.rssBytesPeak, +)
    walBytesPeak = Self.both(walBytesPeak, other.walBytesPeak, max)
    recorded = Self.both(recorded, other.recorded, +)
    recordingSeconds = Self.both(recordingSeconds, other.recordingSeconds, +)
    recordingBytes = Self.both(recordingBytes, other.recordingBytes, +)
    objects += other.objects
    counters.add(other.counters)
    faults = faults.map { fault in
      InjectedFaultCount(
        name: fault.name, count: fault.count + (other.faults.first { $0.name == fault.name }?.count ?? 0))
    }
    memorySamples = zip(memorySamples, other.memorySamples).map(+)
  }

  /// What two processes measured together; nil where one of them did not.
  private static func both<Value>(_ one: Value?, _ other: Value?, _ join: (Value, Value) -> Value) -> Value? {
    guard let one, let other else { return nil }
    return join(one, other)
  }
}
