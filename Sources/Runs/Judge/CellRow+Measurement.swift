import Boundary
import Reporting

extension CellRow {
  /// Takes over what a cell's child measured.
  mutating func take(_ measurement: CellMeasurement) {
    objects = measurement.objects
    untilDurableSeconds = measurement.untilDurableSeconds
    untilVisibleSeconds = measurement.untilVisibleSeconds
    if let main = measurement.mainThread {
      mainThread.totalSeconds = main.total
      mainThread.pushSeconds = main.push
      mainThread.saveSeconds = main.save
      mainThread.mergeSeconds = main.merge
      mainThread.fetchSeconds = main.fetch
      mainThread.editSeconds = main.edit
      mainThread.harnessSeconds = main.harness
    }
    stalls = measurement.stalls
    processor = measurement.processor
    allocatedBytes = measurement.allocatedBytes
    rssBytesPeak = measurement.rssBytesPeak
    walBytesPeak = measurement.walBytesPeak
    recorded = measurement.recorded
    recordingSeconds = measurement.recordingSeconds
  }
}
