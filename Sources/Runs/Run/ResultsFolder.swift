import Boundary
import Checking
import Foundation
import Measuring
import Reporting

/// The folder of a run: rows as they come, and the files of violating cells.
struct ResultsFolder {
  /// Absolute path.
  let path: String
  /// The path as it is shown: relative where it was given so.
  let shownPath: String
  let cells: CSVWriter<CellRow>
  let timings: CSVWriter<TimingRow>
  let violations: CSVWriter<ViolationRow>
  /// Keeps other processes from writing into it; nil where ``ResumedRun`` has that.
  let owner: FolderOwner?
  private let room: DiskRoom

  /// Makes the folder with its manifest, its plan and empty files.
  ///
  /// - Throws: `HarnessFailure` when it cannot be written, or holds results of an earlier run.
  init(_ shownPath: String, manifest: Manifest, plan: PlanDocument) throws(HarnessFailure) {
    self.shownPath = shownPath
    path = FolderOwner.place(shownPath)
    room = DiskRoom(for: path)
    do {
      owner = try FolderOwner(ofNew: shownPath)
      try plan.write(in: path)
      try manifest.write(in: path)
      cells = try CSVWriter(.cells, in: path)
      timings = try CSVWriter(.timings, in: path)
      violations = try CSVWriter(.violations, in: path)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }

  /// Writes the plan anew, which has grown.
  func write(_ plan: PlanDocument) throws(HarnessFailure) {
    do {
      try plan.write(in: path)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }

  /// Writes the manifest anew, with the facts learnt since.
  func write(_ manifest: Manifest) throws(HarnessFailure) {
    do {
      try manifest.write(in: path)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }

  /// Adds up the latencies of all cells.
  func writePercentiles() throws(HarnessFailure) {
    do {
      try PooledLatencies.write(in: path)
    } catch {
      throw HarnessFailure("--out: \(error)")
    }
  }

  /// Opens the folder of a resumed run.
  init(resuming shownPath: String) throws(HarnessFailure) {
    self.shownPath = shownPath
    path = FolderOwner.place(shownPath)
    owner = nil
    room = DiskRoom(for: path)
    do {
      cells = try CSVWriter(.cells, in: path)
      timings = try CSVWriter(.timings, in: path)
      violations = try CSVWriter(.violations, in: path)
    } catch {
      throw HarnessFailure("--resume: \(error)")
    }
  }

  /// Makes an empty folder for a child.
  func makeCellFolder(_ name: String) throws(HarnessFailure) -> String {
    let folder = cellFolder(name)
    try room.require()
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw HarnessFailure("\(folder): cannot be made: \(ReportingError.reason(error))")
    }
    return folder
  }

  /// Notes the room of a child that has ended and is not judged yet.
  ///
  /// - Throws: `HarnessFailure` where it has filled the disk.
  func childEnded(_ name: String) throws(HarnessFailure) { try room.record(cellFolder(name)) }

  /// Takes away a child's folder.
  func removeCellFolder(_ name: String) {
    try? FileManager.default.removeItem(atPath: cellFolder(name))
    // Removed when it is empty; stays with kept files.
    rmdir(path + "/cells")
  }

  /// Keeps the files of a violating cell, without its store, under `histories/`.
  ///
  /// - Returns: the folder, relative to the results folder.
  func keepHistory(of name: String, without store: String?) throws(HarnessFailure) -> String {
    precondition(store?.isEmpty != true, "a store that is left out has a name")
    let kept = "histories/" + name
    do {
      try FileManager.default.createDirectory(atPath: path + "/histories", withIntermediateDirectories: true)
      let manager = FileManager.default
      let stem = store.map { URL(fileURLWithPath: $0).lastPathComponent }
      for file in try manager.contentsOfDirectory(atPath: cellFolder(name)) {
        if let stem, file.hasPrefix(stem) || file == ".\((stem as NSString).deletingPathExtension)_SUPPORT" { continue }
        try manager.createDirectory(atPath: path + "/" + kept, withIntermediateDirectories: true)
        try manager.copyItem(atPath: cellFolder(name) + "/" + file, toPath: path + "/" + kept + "/" + file)
      }
      try History.cutFiles(in: path + "/" + kept)
    } catch {
      throw HarnessFailure("\(kept): the history cannot be kept: \(ReportingError.reason(error))")
    }
    return kept
  }

  /// Keeps no more than so many bytes of the files that ``keepHistory(of:without:)`` kept.
  func bound(_ kept: String, bytesMax: Int) throws(HarnessFailure) {
    precondition(kept.hasPrefix("histories/"), "kept files are below the results folder")
    do {
      try KeptFiles(in: path + "/" + kept).bound(bytesMax: bytesMax)
    } catch {
      throw HarnessFailure("\(kept): cannot be compressed: \(ReportingError.reason(error))")
    }
  }

  /// Moves a cell's latencies to `histograms/`, or removes them; nothing where it left none.
  func collectLog(of name: String, isKept: Bool) throws(HarnessFailure) {
    let manager = FileManager.default
    let log = cellFolder(name) + "/" + CellFiles.latencies
    guard manager.fileExists(atPath: log) else { return }
    do {
      guard isKept else { return try manager.removeItem(atPath: log) }
      try manager.createDirectory(atPath: path + "/histograms", withIntermediateDirectories: true)
      try manager.moveItem(atPath: log, toPath: "\(path)/histograms/\(name).\(HistogramLog.fileExtension)")
    } catch {
      throw HarnessFailure("histograms/\(name): the latencies cannot be kept: \(ReportingError.reason(error))")
    }
  }

  private func cellFolder(_ name: String) -> String {
    precondition(!name.isEmpty && !name.contains("/"), "a cell has one folder, which is removed without the others")
    return path + "/cells/" + name
  }
}
