import Boundary
import Foundation
import Measuring
import Reporting
import Scenarios

extension Runner {
  /// Runs the only cell of the plan in this process, for a debugger, and ends the process: no child, no deadline, no
  /// floor. A crash ends the run with it.
  ///
  /// - Parameters:
  ///   - runCell: runs a cell in this process, and calls its second argument once the cell's result is written.
  ///   - finish: shows the report or the failure and gives the exit code.
  /// - Precondition: the plan has one cell; called on the main thread, with nothing run before.
  package func runInProcessAndExit(
    by runCell: (CellRequest, @escaping @Sendable () -> Never) -> Never,
    _ finish: @escaping @Sendable (Result<RunReport, HarnessFailure>) -> Int32
  ) -> Never {
    guard let cell = plan.cells.first, plan.cells.count == 1 else {
      preconditionFailure("a plan of one cell is run in the process of its runner")
    }
    do {
      let folder = try makeFolder().folder
      let directory = try folder.makeCellFolder(String(cell.number))
      let request = CellRequest(
        key: cell.key(run: run), workload: cell.settings[Keys.workload], settings: cell.settings,
        directory: directory, checks: cell.scenario.checks)
      let begin = MonotonicClock.now()
      let (path, owner) = (folder.shownPath, folder.owner)
      runCell(request) {
        var report = RunReport(
          folder: path, plannedCellCount: 1, replay: options.replay)
        do {
          // Opened again: the thread that is here may be another one.
          defer { owner?.release() }
          let folder = try ResultsFolder(resuming: path)
          let measurement = readMeasurement(CellMeasurement.self, in: directory)
          report.add(
            try settle(
              cell, .finished, measurement, CellRow(key: cell.key(run: run), verdict: .unknown), begin: begin,
              in: folder))
          CellExit.end(status: finish(.success(report)))
        } catch {
          CellExit.end(status: finish(.failure(error as? HarnessFailure ?? HarnessFailure("\(error)"))))
        }
      }
    } catch {
      CellExit.end(status: finish(.failure(error as? HarnessFailure ?? HarnessFailure("\(error)"))))
    }
  }
}
