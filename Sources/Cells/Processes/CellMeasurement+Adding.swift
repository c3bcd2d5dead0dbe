import Boundary
import Checking
import Measuring

extension CellMeasurement {
  /// Adds the measurements of another process of the cell; latencies are added elsewhere.
  mutating func add(_ other: CellMeasurement) {
    figures.add(other.figures)
    evidence.isComplete = evidence.isComplete && other.isComplete
    evidence.recordingBytes = CellFigures.both(evidence.recordingBytes, other.recordingBytes, +)
    evidence.counters.add(other.counters)
    evidence.faults = evidence.faults.map { fault in
      InjectedFaultCount(
        name: fault.name, count: fault.count + (other.faults.first { $0.name == fault.name }?.count ?? 0))
    }
    evidence.memorySamples = zip(evidence.memorySamples, other.memorySamples).map(+)
  }
}
