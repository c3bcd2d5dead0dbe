import Foundation

/// Joins the results folders of a plan's shards into one, as if one run had made them.
///
/// Rows keep the identifiers of their own runs, so that nothing is lost about where they are from.
package struct ResultsMerge: Sendable {
  /// Why folders cannot be joined, each in a sentence with the remedy.
  package struct Refusal: Error, CustomStringConvertible, Sendable {
    package let problems: [String]
    package var description: String { problems.joined(separator: "\n") }
  }

  private let parts: [ExportedResults]

  /// Reads the folders.
  ///
  /// - Throws: `Refusal` when one of them cannot be read, or they are not the parts of one plan, each once.
  package init(_ folders: [String]) throws(Refusal) {
    var parts: [ExportedResults] = []
    var problems: [String] = []
    for folder in folders {
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
        problems.append(
          "\(folder): is a file. Name the results folder of each part: the last line that its run printed")
        continue
      }
      do throws(ReportingError) {
        parts.append(try ExportedResults(readingFrom: folder))
      } catch {
        problems.append(error.description)
      }
    }
    self.parts = parts
    if problems.isEmpty { problems = Self.problems(of: parts) }
    if !problems.isEmpty { throw Refusal(problems: problems) }
  }

  /// The results of all parts together.
  ///
  /// - Parameters:
  ///   - run: identifier of the whole.
  ///   - arguments: those of the command that merges.
  package func joined(run: String, arguments: [String]) -> ExportedResults {
    precondition(!parts.isEmpty, "folders that are not parts of one plan were refused")
    var plan = parts[0].plan
    plan.shard = nil
    // Each part has the warm-up of the scenarios that it repeats.
    plan.blocks = Dictionary(parts.flatMap(\.plan.blocks).map { ($0.block, $0) }) { first, _ in first }
      .values.sorted { $0.block < $1.block }
    precondition(plan.blocks.count >= plan.blockCount, "parts with gaps between them were refused")
    var manifest = parts[0].manifest
    manifest.run = run
    manifest.command = "merge"
    manifest.arguments = arguments
    manifest.seeds = []
    for seed in plan.blocks.map(\.seed) where !manifest.seeds.contains(seed) { manifest.seeds.append(seed) }
    manifest.startedAt = parts.map(\.manifest.startedAt).min() ?? manifest.startedAt
    manifest.resumedAt = nil
    manifest.parts = parts.map { part in
      Manifest.Part(
        run: part.manifest.run, shard: part.plan.shard, startedAt: part.manifest.startedAt,
        machine: part.manifest.machine)
    }
    let order = Dictionary(plan.blocks.flatMap(\.cells).enumerated().map { ($0.element.cell, $0.offset) }) { first, _ in
      first
    }
    func sorted<Row>(_ rows: [Row], _ cell: (Row) -> Int) -> [Row] {
      precondition(rows.allSatisfy { order[cell($0)] != nil }, "rows of cells that no plan has were refused")
      return rows.enumerated().sorted {
        (order[cell($0.element)] ?? .max, $0.offset) < (order[cell($1.element)] ?? .max, $1.offset)
      }.map(\.element)
    }
    let results = Results(
      path: parts[0].results.path, manifest: manifest, cells: sorted(parts.flatMap(\.results.cells)) { $0.key.cell },
      timings: sorted(parts.flatMap(\.results.timings)) { $0.key.cell },
      violations: sorted(parts.flatMap(\.results.violations)) { $0.key.cell })
    return ExportedResults(results: results, manifest: manifest, plan: plan)
  }

  /// Whether they ran on machines of more than one kind, so that times do not compare, and ratios to the floor do.
  package var hasSeveralMachines: Bool {
    Set(parts.map { [$0.manifest.machine.cpuModel, "\($0.manifest.machine.cores)", $0.manifest.machine.kernel] }).count
      > 1
  }

  /// Writes the whole into a folder that holds no results yet, with the kept histories and histograms; at once, so that
  /// there is no half of it.
  ///
  /// - Throws: `ReportingError` when it holds results, or cannot be written.
  package func write(_ whole: ExportedResults, to folder: String) throws(ReportingError) {
    let manager = FileManager.default
    let target = URL(fileURLWithPath: folder)
    let owner = try FolderOwner(of: folder)
    defer { owner.release() }
    let held = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
    guard held.allSatisfy({ $0 == FolderOwner.fileName }) else {
      throw ReportingError(path: folder, cause: "is not empty", remedy: "Choose another folder with --out")
    }
    let parent = target.deletingLastPathComponent().path
    let draft = "\(parent)/.\(target.lastPathComponent)-\(whole.manifest.run)"
    do {
      try manager.createDirectory(atPath: draft, withIntermediateDirectories: true)
      defer { try? manager.removeItem(atPath: draft) }
      try whole.plan.write(in: draft)
      try whole.manifest.write(in: draft)
      try CSVWriter(.cells, in: draft).append(whole.results.cells)
      try CSVWriter(.timings, in: draft).append(whole.results.timings)
      try CSVWriter(.violations, in: draft).append(whole.results.violations)
      for part in parts { try Self.copyKept(of: part, to: draft) }
      try PooledLatencies.write(in: draft)
      if manager.fileExists(atPath: folder) { try manager.removeItem(atPath: folder) }
      try manager.moveItem(atPath: draft, toPath: folder)
    } catch let error as ReportingError {
      throw error
    } catch {
      throw ReportingError(
        path: folder, cause: "cannot be written: \(ReportingError.reason(error))",
        remedy: ReportingError.remedy(error, "Choose a folder that is writable with --out"))
    }
  }

  /// The folders in which a run keeps its cells' files, by their numbers.
  private static let keptFolders = ["histories", "histograms", "schedules", "cells"]

  private static func copyKept(of part: ExportedResults, to draft: String) throws {
    let manager = FileManager.default
    let folder = part.results.path
    for place in keptFolders {
      let names = (try? manager.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
      guard !names.isEmpty else { continue }
      try manager.createDirectory(atPath: "\(draft)/\(place)", withIntermediateDirectories: true)
      for name in names {
        // Files that another part kept of the same warm-up cell stay beside it.
        let isTaken = manager.fileExists(atPath: "\(draft)/\(place)/\(name)")
        let target = isTaken ? "\(part.manifest.run)-\(name)" : name
        try manager.copyItem(atPath: "\(folder)/\(place)/\(name)", toPath: "\(draft)/\(place)/\(target)")
      }
    }
  }
}
