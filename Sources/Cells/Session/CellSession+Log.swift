import Checking
import Foundation
import Scenarios

/// The size of the store's write-ahead log.
extension CellSession {
  /// Looks at the size of the write-ahead log. Any thread.
  public func sampleLog() {
    var status = stat()
    guard stat(storePath + "-wal", &status) == 0 else { return }
    let bytes = UInt64(status.st_size)
    walBytesPeak.withLock { $0 = max($0, bytes) }
    if settings.values["wal_budget_mb"] != nil { count(\.logSamples) }
  }

  private static let bytesPerMegabyte: UInt64 = 1_000_000

  /// Reports a log that outgrew its budget.
  func judgeLog() {
    let bytes = walBytesPeak.withLock { $0 }
    guard let budget = settings[Keys.walBudgetMegabytes], bytes > UInt64(budget) * Self.bytesPerMegabyte else {
      return
    }
    CellReports.report(
      Violation(
        kind: .logGrowth, subject: "write-ahead log", expected: "at most \(budget) MB, the scenario's wal_budget_mb",
        seen: "it grew to \(bytes / Self.bytesPerMegabyte) MB"))
  }
}
