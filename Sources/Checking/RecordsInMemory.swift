import Foundation

/// The records of a simulated cell: histories, names of contexts and reports, in memory. A cell of a run writes files, which
/// survive its process.
///
/// Concurrency: used by one task of a simulation at a time, and by its caller when it is over.
// `@unchecked`: the simulation hands one baton from task to task, which the compiler cannot see.
package final class RecordsInMemory: ReportSink, @unchecked Sendable {
  private var histories: [HistoryWriter] = []
  /// As ``History/contextNames``.
  package var contextNames: [String] = []
  /// The violations that handlers reported, in their order.
  package private(set) var reports: [Violation] = []

  package init() {}

  /// Begins the history of a worker.
  package func makeHistory(process: UInt32) -> HistoryWriter {
    let history = HistoryWriter(inMemoryOf: process)
    histories.append(history)
    return history
  }

  package func append(_ violation: Violation) { reports.append(violation) }

  /// All histories as one.
  ///
  /// - Throws: `Unusable`, when none was begun, or one of them is no history.
  package func history() throws(Unusable) -> History {
    guard !histories.isEmpty else { throw Unusable("no histories") }
    return try History(merging: histories.map(\.kept), contextNames: contextNames)
  }

  /// Writes the files that a cell of a run leaves, into its folder; once, when no record follows.
  ///
  /// - Throws: an error of the system, or `Unusable` where there are such files already.
  package func write(in cellDirectory: String) throws {
    try FileManager.default.createDirectory(
      atPath: cellDirectory + "/histories", withIntermediateDirectories: true)
    for history in histories {
      let path = History.path(of: history.process, in: cellDirectory)
      let file = try HistoryWriter(path: path, process: history.process, growthRecords: max(1, history.count))
      for operation in history.kept { file.record(operation) }
      file.finish()
    }
    try ContextNames.write(contextNames, in: cellDirectory)
    let file = try LiveReportWriter(path: Evidence.reportsPath(in: cellDirectory))
    for report in reports { try file.append(report) }
  }
}

/// Where the records of a cell are.
package enum CellRecords: Sendable {
  /// In files of this folder, as a run's cells leave them.
  case folder(String)
  case memory(RecordsInMemory)

  func history() throws(Unusable) -> History {
    switch self {
    case .folder(let folder): try History(cellDirectory: folder)
    case .memory(let records): try records.history()
    }
  }

  func reports() throws(Unusable) -> [Violation] {
    switch self {
    case .folder(let folder): try LiveReportReader.violations(at: Evidence.reportsPath(in: folder))
    case .memory(let records): records.reports
    }
  }
}
