import Boundary
import Checking
import Foundation
import Measuring
import Testing

@testable import Cells

@Suite struct CellMeasurementAddingTests {
  @Test func whatBelongsToAllProcessesAddsUpAndMainStaysTheFirstOnes() {
    var first = CellMeasurement()
    first.isComplete = true
    first.untilDurableSeconds = 1
    first.mainThread = MainThreadTime()
    first.processor = ProcessorUsage()
    first.processor?.totalSeconds = 3
    first.processor?.mainSeconds = 1
    first.allocatedBytes = 10
    first.rssBytesPeak = 100
    first.walBytesPeak = 7
    first.objects = 4
    first.faults = [InjectedFaultCount(name: "busy", count: 0)]
    first.memorySamples = [1, 2, 3]
    var other = first
    other.untilDurableSeconds = 2
    other.walBytesPeak = 5
    other.mainThread?.total = 9
    other.processor?.mainSeconds = 2
    other.faults = [InjectedFaultCount(name: "busy", count: 2)]
    other.memorySamples = [10, 20]
    var sum = first
    sum.add(other)
    #expect(sum.untilDurableSeconds == 2 && sum.walBytesPeak == 7)
    #expect(sum.processor?.totalSeconds == 6 && sum.processor?.mainSeconds == 1)
    #expect(sum.mainThread == first.mainThread)
    #expect(sum.allocatedBytes == 20 && sum.rssBytesPeak == 200 && sum.objects == 8)
    #expect(sum.faults == [InjectedFaultCount(name: "busy", count: 2)])
    #expect(sum.memorySamples == [11, 22])
    #expect(sum.isComplete)
  }

  @Test func whatOneProcessDidNotMeasureIsNotMeasured() {
    var first = CellMeasurement()
    first.isComplete = true
    first.rssBytesPeak = 100
    first.add(CellMeasurement())
    #expect(first.rssBytesPeak == nil && !first.isComplete)
  }

  @Test func latenciesOfAnotherProcessCountAsIfOneHadSeenThem() throws {
    func recorder(_ latencies: [UInt64]) -> LatencyRecorder {
      var recorder = LatencyRecorder()
      for latency in latencies { recorder.record(latency, bytes: 8) }
      recorder.recordFailure()
      return recorder
    }
    func recorded(_ latencies: LatencyRecorder) -> RecordedLatencies {
      RecordedLatencies(phase: "soak", operation: "edit", isFromDue: false, role: .worker, latencies: latencies)
    }
    let data = try JSONEncoder().encode(recorded(recorder([5_000_123, 7])))
    var kinds = OperationKinds([], phaseSeconds: [:])
    kinds.add([recorded(recorder([1_234_567]))])
    kinds.add([try JSONDecoder().decode(RecordedLatencies.self, from: data)])
    #expect(
      kinds.measurements.map(\.summary) == [
        {
          var all = recorder([1_234_567, 5_000_123, 7])
          all.recordFailure()
          return all.summary()
        }()
      ])
  }
}
