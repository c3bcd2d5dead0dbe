import Boundary
import Foundation
import Reporting

/// An interrupted run: which of its cells count, and which are still to be run.
package struct ResumedRun: Sendable {
  /// The results folder, as it was given.
  package let folder: String
  /// The run's manifest.
  package let manifest: Manifest
  /// Its plan.
  package let plan: PlanDocument
  /// Keeps other processes from writing into the folder.
  let owner: FolderOwner
  private let cells: [CellRow]
  private let timings: [TimingRow]
  private let violations: [ViolationRow]

  /// Reads a results folder; a last line that was not written to its end counts as not written.
  ///
  /// - Throws: `ReportingError` when it is no results folder of a run, is damaged otherwise, or has an owner that runs.
  package init(readingFrom folder: String) throws(ReportingError) {
    self.folder = folder
    // No lock of a folder that is none; files read behind the lock stay as they are.
    _ = try Manifest(readingFrom: folder)
    owner = try FolderOwner(of: folder)
    manifest = try Manifest(readingFrom: folder)
    guard manifest.command == "run" else {
      throw ReportingError(
        path: folder, cause: "was written by \(manifest.command), not by run",
        remedy: "Name the results folder of an interrupted run")
    }
    plan = try PlanDocument(readingFrom: folder)
    // A cell of which the harness failed says nothing, and is run again.
    cells = try Table.cells.read(folder + "/cells.csv", isLastLineCutShort: true)
      .filter { $0.ending != .harnessFailed }
    timings = try Table.timings.read(folder + "/timings.csv", isLastLineCutShort: true)
    violations = try Table.violations.read(folder + "/violations.csv", isLastLineCutShort: true)
  }

  /// The obstacles to resuming the run with these options, each in a sentence.
  package func obstacles(for options: RunOptions) -> [String] {
    let now = options.manifest(run: manifest.run, command: "run", seeds: [], path: folder)
    var obstacles: [String] = []
    if now.version != manifest.version { obstacles.append("version \(manifest.version), this is \(now.version)") }
    if let was = manifest.executable {
      obstacles += differences(was, now.executable).map { "was run by \($0)" }
    } else if now.revision != manifest.revision {
      obstacles.append("revision \(manifest.revision ?? "unknown"), this is \(now.revision ?? "unknown")")
    }
    obstacles += differences(manifest.beside, now.beside).map { "beside it ran \($0)" }
    if now.build != manifest.build { obstacles.append("another build configuration") }
    let differences = plan.differences(
      from: Plan(options.scenarios, as: plan).document(options.scenarios, shard: options.shard))
    return obstacles + differences
  }

  /// The differences of an executable from the earlier one: by its file's hash, or by its revision where one has no hash.
  private func differences(_ was: RunExecutable?, _ now: RunExecutable?) -> [String] {
    let isSame =
      if let old = was?.sha256, let new = now?.sha256 { old == new && was?.path == now?.path } else { was == now }
    return isSame ? [] : ["\(name(was)), this is \(name(now))"]
  }

  private func name(_ executable: RunExecutable?) -> String {
    executable.map { "\($0.path) of \($0.summary)" } ?? "none"
  }

  /// The rest of a plan: cells without a row, the floors that they are measured against, and the warm-up
  /// of their scenarios.
  func rest(of plan: Plan) -> Plan {
    let done = Set(cells.map(\.key.cell))
    var rest = plan
    rest.blocks = plan.blocks.compactMap { block in
      var block = block
      // The cells of a pair run again together: other load on the machine is to hit both.
      let torn = block.cells.filter { $0.arm != nil && !done.contains($0.number) }.map(\.variant)
      block.cells.removeAll { !$0.isWarmup && done.contains($0.number) && !torn.contains($0.variant) }
      let identities = block.cells.map { PlannedFloor.identity($0.settings) }
      block.floors.removeAll { !identities.contains($0.identity) }
      return block.cells.isEmpty ? nil : block
    }
    let open = Set(rest.blocks.flatMap(\.cells).filter { !$0.isWarmup }.map(\.scenario.name))
    rest.blocks.removeAll { block in block.cells.allSatisfy { !open.contains($0.scenario.name) } }
    let numbers = Set(rest.cells.map(\.number))
    precondition(
      plan.cells.allSatisfy { $0.isWarmup || done.contains($0.number) || numbers.contains($0.number) },
      "each cell has its row, or is still to be run")
    return rest
  }

  /// Leaves only rows that count in the folder, so that the cells of `rest` can be run as if they never had been.
  ///
  /// - Returns: the run's manifest from now on.
  func prepare(for rest: Plan, keepingStores: Bool) throws -> Manifest {
    let open = Set(rest.cells.map(\.number))
    try Self.rewrite(.cells, cells.filter { !open.contains($0.key.cell) }, in: folder)
    try Self.rewrite(.timings, timings.filter { !open.contains($0.key.cell) }, in: folder)
    try Self.rewrite(.violations, violations.filter { !open.contains($0.key.cell) }, in: folder)
    let manager = FileManager.default
    // How the run ended is not known again until it has.
    try? manager.removeItem(atPath: "\(folder)/\(RunOutcome.fileName)")
    for place in ["histories", "histograms", "cells"] {
      for name in (try? manager.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? [] {
        let isOpen = Int(name.prefix { $0.isNumber }).map(open.contains) ?? (place == "cells")
        if isOpen || (place == "cells" && !keepingStores) {
          try manager.removeItem(atPath: "\(folder)/\(place)/\(name)")
        }
      }
    }
    var manifest = manifest
    manifest.resumedAt = (manifest.resumedAt ?? []) + [Date()]
    try manifest.write(in: folder)
    return manifest
  }

  /// The records of cells that were done, for the run's table and exit code.
  func records(of plan: Plan, without rest: Plan) -> [CellRecord] {
    let open = Set(rest.cells.map(\.number))
    let planned = Dictionary(plan.cells.map { ($0.number, $0) }) { first, _ in first }
    precondition(open.isSubset(of: planned.keys), "the rest is a part of the plan")
    let seen = Dictionary(grouping: violations, by: \.key.cell)
    let measured = Dictionary(grouping: timings, by: \.key.cell)
    return cells.filter { !open.contains($0.key.cell) }.compactMap { row in
      planned[row.key.cell].map { cell in
        CellRecord(
          cell: cell, row: row, outcome: CellOutcome(row: row, violations: seen[row.key.cell] ?? []), seconds: 0,
          operations: (measured[row.key.cell] ?? []).map {
            OperationMeasurement(
              phase: $0.phase, operation: $0.operation, role: $0.role, summary: $0.summary, latencyFrom: $0.latencyFrom)
          })
      }
    }
  }

  private static func rewrite<Row>(_ table: Table<Row>, _ rows: [Row], in folder: String) throws(ReportingError) {
    let path = folder + "/" + table.fileName
    do {
      let text = table.header + rows.map(table.line).joined()
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    } catch {
      throw ReportingError(writing: path, error)
    }
  }
}
