import Checking
import Foundation
import Measuring

extension WorkerRecorder {
  /// Kinds of operations among which costs are measured: as many as an importer has.
  private static let measuredNames = ["edit", "push", "save", "write"]

  /// Nanoseconds that ``record(_:in:since:until:)`` costs here: the mean over `records` of them.
  static func measureCost(records: Int, history: HistoryWriter) -> Double {
    precondition(records > 0, "a mean needs at least one record")
    let recorder = WorkerRecorder(history: history, role: .worker)
    let names = measuredNames
    let before = MonotonicClock.now()
    for record in 0..<records { recorder.record(names[record % names.count], in: "import", since: .now()) }
    return Double(MonotonicClock.now() - before) / Double(records)
  }

  /// Bytes that the calling thread allocates while `operations` operations are recorded in every way there is: begin,
  /// outcome, list and latency. As many are recorded before, for allocations of the language's first use. Their
  /// history, which grows several times, is removed again.
  ///
  /// - Returns: nil where allocations are not counted.
  static func measureAllocations(operations: Int, directory: String) throws(Unusable) -> UInt64? {
    precondition(operations > 0, "what an operation allocates is seen in at least one")
    let path = directory + "/allocations-\(UUID().uuidString).bin"
    let history = try HistoryWriter(path: path, process: 0, growthRecords: operations)
    defer { unlink(path) }
    let recorder = WorkerRecorder(history: history, role: .worker, kinds: measuredNames.count + 1)
    let names = measuredNames
    let elements = (0..<7).map { Int64($0) }
    func recordAll() {
      for operation in 0..<operations {
        let name = names[operation % names.count]
        let start = OperationStart(at: recorder.record(.invoke, .insert, entity: 1, key: Int64(operation)))
        recorder.record(name, in: "import", since: start)
        recorder.record(name, in: "import", nanoseconds: 1)
        recorder.record("due", in: "import", since: .now(due: start.nanoseconds))
        recorder.record(.ok, .insert, entity: 1, key: Int64(operation))
        history.record(.ok, .read, key: Int64(operation), values: elements)
        recorder.recordFailure(of: name, in: "import")
      }
    }
    recordAll()
    let before = OperationStart.now()
    recordAll()
    let bytes = before.bytes(until: .now())
    history.finish()
    return bytes
  }
}
