import Boundary
import Foundation
import Runs

/// Joins the shards of one exploration: schedules added, orders and pairs united, findings kept once for each kind, the one
/// with the fewest preemptions.
package struct ExplorationMerge: Sendable {
  /// Why folders cannot be joined.
  package struct Refusal: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The whole.
  package let document: ExplorationDocument
  /// The schedules of its findings, by their names in the folder.
  private let schedules: [String: String]

  /// Whether a folder holds an exploration.
  package static func isExploration(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: folder + "/exploration.json")
  }

  /// Reads the shards.
  ///
  /// - Throws: when one is missing, given twice, or of another exploration.
  package init(_ folders: [String]) throws(Refusal) {
    var parts: [(folder: String, document: ExplorationDocument)] = []
    for folder in folders {
      guard let document = ExplorationDocument(in: folder) else {
        throw Refusal(description: "\(folder): holds no whole exploration. Give folders that explore wrote")
      }
      parts.append((folder, document))
    }
    guard let first = parts.first?.document else { throw Refusal(description: "no folders. Give those of all shards") }
    try Self.check(parts, first)
    var whole = first
    whole.shard = nil
    for part in parts.dropFirst() {
      for index in whole.cells.indices { Self.add(part.document.cells[index], to: &whole.cells[index]) }
    }
    var schedules: [String: String] = [:]
    for index in whole.cells.indices {
      for finding in whole.cells[index].findings {
        guard let name = finding.schedule else { continue }
        let source = parts.first { part in
          part.document.cells[index].findings.contains { $0.schedule == name && $0.number == finding.number }
        }
        guard let source else { preconditionFailure("a finding of the whole is that of a part") }
        schedules[name] = source.folder + "/" + name
      }
    }
    document = whole
    self.schedules = schedules
  }

  private static func check(
    _ parts: [(folder: String, document: ExplorationDocument)], _ first: ExplorationDocument
  ) throws(Refusal) {
    var seen: Set<Int> = []
    let count = first.shard.flatMap { Shard($0)?.count } ?? 0
    for (folder, document) in parts {
      guard let shard = document.shard.flatMap(Shard.init) else {
        throw Refusal(description: "\(folder): is no shard. Explore with --shard i/n")
      }
      guard shard.count == count, document.policy == first.policy, document.seed == first.seed,
        document.revision == first.revision, document.cells.map(\.cell) == first.cells.map(\.cell)
      else {
        throw Refusal(
          description:
            "\(folder): is of another exploration than \(parts[0].folder). Give shards of one command and revision")
      }
      guard seen.insert(shard.index).inserted else {
        throw Refusal(description: "\(folder): shard \(shard.index)/\(count) is given twice. Leave one out")
      }
    }
    if let missing = (1...max(1, count)).first(where: { !seen.contains($0) }) {
      throw Refusal(description: "shard \(missing)/\(count) is missing. Give the folders of all shards")
    }
    precondition(seen.count == count && parts.count == count, "each shard is given once")
  }

  private static func add(_ part: ExplorationDocument.Cell, to cell: inout ExplorationDocument.Cell) {
    precondition(part.cell == cell.cell, "shards have the same cells, in the same order")
    // Only one shard runs a cell in its own size.
    guard part.schedules > 0 else { return }
    // Kinds that no schedule of either exercised: each says so of all its own.
    cell.neverExercised = cell.neverExercised.filter(part.neverExercised.contains)
    cell.missing = cell.missing.filter(part.missing.contains)
    cell.schedules += part.schedules
    cell.steps += part.steps
    cell.decisions += part.decisions
    cell.seconds += part.seconds
    cell.unexpectedKinds = Set(cell.unexpectedKinds + part.unexpectedKinds).sorted()
    cell.failures += part.failures
    cell.failure = cell.failure ?? part.failure
    cell.isCut = cell.isCut || part.isCut
    // No shard has tried another's orders: one that came to the end has tried them all.
    cell.isExhausted = cell.isExhausted || part.isExhausted
    cell.expected.merge(part.expected, uniquingKeysWith: +)
    cell.traces = Set(cell.traces + part.traces).sorted()
    cell.pairs = Set(cell.pairs + part.pairs).sorted { $0.lexicographicallyPrecedes($1) }
    cell.lockOrders = Set(cell.lockOrders + part.lockOrders).sorted { $0.lexicographicallyPrecedes($1) }
    for finding in part.findings {
      if let place = cell.findings.firstIndex(where: { $0.kinds == finding.kinds }) {
        if finding.isBetter(than: cell.findings[place]) { cell.findings[place] = finding }
      } else {
        cell.findings.append(finding)
      }
    }
  }

  /// Writes the whole, with its schedules.
  package func write(to path: String) throws(HarnessFailure) {
    let folder = try ExplorationFolder(path)
    defer { folder.release() }
    for (name, source) in schedules.sorted(by: { $0.key < $1.key }) {
      do {
        try FileManager.default.copyItem(atPath: source, toPath: path + "/" + name)
      } catch {
        throw HarnessFailure("\(source): cannot be copied: \(error.localizedDescription)")
      }
    }
    try folder.write(document)
  }
}
