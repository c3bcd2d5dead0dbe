import Checking
import Foundation

/// The results of a run as they were written: every row of every file, by the columns that wrote them.
package struct Results: Sendable {
  /// The folder, or the CSV file, as it was named.
  package var path: String
  /// The run's manifest; nil where only a CSV file was read.
  package var manifest: Manifest?
  /// `cells.csv`.
  package var cells: [CellRow]
  /// `timings.csv`; empty where only a CSV file was read.
  package var timings: [TimingRow]
  /// `violations.csv`; empty where only a CSV file was read.
  package var violations: [ViolationRow]
  /// The measure that each scenario declares to be its primary one, as `plan.json` has it.
  package var primaries: [String: String] = [:]

  /// Results made elsewhere.
  package init(
    path: String, manifest: Manifest? = nil, cells: [CellRow], timings: [TimingRow] = [],
    violations: [ViolationRow] = []
  ) {
    self.path = path
    self.manifest = manifest
    self.cells = cells
    self.timings = timings
    self.violations = violations
  }

  /// Reads a results folder whole, or a file of the form of `cells.csv` alone.
  ///
  /// - Throws: `ReportingError` with file, line and column for the first thing that is missing, damaged, unknown or of
  ///   another version; nothing is skipped.
  package init(readingFrom path: String) throws(ReportingError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ReportingError(
        path: path, cause: "is not there",
        remedy: "Name a results folder of contextbench, the last line that a run prints, or a cells.csv")
    }
    if isFolder.boolValue {
      self.init(
        path: path, manifest: try Manifest(readingFrom: path),
        cells: try Table<CellRow>.cells.read(path + "/cells.csv"),
        timings: try Table<TimingRow>.timings.read(path + "/timings.csv"),
        violations: try Table<ViolationRow>.violations.read(path + "/violations.csv"))
      if FileManager.default.fileExists(atPath: path + "/" + PlanDocument.fileName) {
        for scenario in try PlanDocument(readingFrom: path).scenarios {
          primaries[scenario.name] = scenario.settings["primary_measure"]
        }
      }
    } else {
      self.init(path: path, cells: try Table<CellRow>.cells.read(path))
    }
    try checkCellsAreDistinct(isFolder.boolValue ? path + "/cells.csv" : path)
  }

  /// The runs of a folder: the run that it is, or those in its subfolders, by name.
  ///
  /// - Throws: `ReportingError` as reading one does; also when there is none.
  package static func runs(in path: String) throws(ReportingError) -> [Results] {
    func isRun(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + Manifest.fileName) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let folders = isRun(path) ? [] : names.sorted().map { path + "/" + $0 }.filter(isRun)
    guard !folders.isEmpty else { return [try Results(readingFrom: path)] }
    var runs: [Results] = []
    for folder in folders { runs.append(try Results(readingFrom: folder)) }
    return runs
  }

  /// Without the cells that only ran to be compared with, whatever they did; those that could not be run stay.
  package var judged: Results {
    without(Set(cells.filter { $0.arm == .base && $0.ending != .harnessFailed }.map(\.key.cell)))
  }

  /// Without the rows of cells; warm-up cells have only violations.
  func without(_ numbers: Set<Int>) -> Results {
    var rest = self
    rest.cells.removeAll { numbers.contains($0.key.cell) }
    rest.timings.removeAll { numbers.contains($0.key.cell) }
    rest.violations.removeAll { numbers.contains($0.key.cell) }
    return rest
  }

  private struct Cell: Hashable {
    let run: String
    let cell: Int

    init(_ key: CellKey) {
      run = key.run
      cell = key.cell
    }
  }

  private func checkCellsAreDistinct(_ path: String) throws(ReportingError) {
    var seen: Set<Cell> = []
    for key in cells.map(\.key) where !seen.insert(Cell(key)).inserted {
      throw ReportingError(
        path: path, cause: "has cell \(key.cell) of run \(key.run) twice", remedy: FieldProblem("").remedy)
    }
  }
}
