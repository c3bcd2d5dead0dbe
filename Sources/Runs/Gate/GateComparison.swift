import Boundary
import Foundation
import Reporting

/// The costs of a build compared with the accepted ones.
package struct GateComparison: Sendable {
  /// A larger share of instructions than this counts: without the allocator's, an unchanged build varies by
  /// 0.3 %, and by 1 % where Foundation archives something; such a cell is run again.
  package static let instructionShare = 0.01

  /// A number of a cell that differs.
  struct Change: Sendable, Hashable {
    let cell: String
    let was: Int
    let now: Int
    /// Objects of the cell, which give the cost of an operation.
    let objects: Int

    var difference: Int { now - was }
    var share: Double { was > 0 ? Double(difference) / Double(was) : .infinity }
  }

  /// By cost: the cells of which it is more.
  private(set) var worse: [CellCost: [Change]] = [:]
  /// By cost: the cells of which it is less.
  private(set) var better: [CellCost: [Change]] = [:]
  /// Cells that take more instructions, by more than the share that counts.
  private(set) var slower: [Change] = []
  /// Cells that take fewer.
  private(set) var faster: [Change] = []
  /// Instructions that were added to functions in the cells that take more, largest first.
  private(set) var functions: [(name: String, difference: Int)] = []
  /// Why something could not be compared.
  private(set) var obstacles: [String] = []
  /// Cells of the baseline that came to no end, and why.
  private(set) var broken: [(cell: String, reason: String)] = []
  /// Cells of the baseline that were not run.
  private(set) var missing: [String] = []
  /// Cells that the baseline does not have.
  private(set) var new: [String] = []
  /// How many cells were compared, and of how many the instructions.
  private(set) var compared = (costs: 0, instructions: 0)
  /// Wall time of the baseline's cells and of these.
  let seconds: (was: Double, now: Double)

  /// - Parameter ignoringInstructions: whether none were to be counted.
  package init(
    _ base: GateBaseline, _ functions: GateFunctions, with result: GateRunner.Result,
    ignoringInstructions: Bool = false
  ) {
    let now = result.baseline
    seconds = (base.seconds, now.seconds)
    let sqlite = now.surroundings.sqliteObstacle(since: base.surroundings)
    let counting = now.surroundings.instructionObstacle(since: base.surroundings)
    let build = now.surroundings.buildObstacle(since: base.surroundings)
    if let sqlite { obstacles.append("costs in the file: \(sqlite)") }
    if let build { obstacles.append("allocations: \(build)") }
    if let counting, !ignoringInstructions { obstacles.append("instructions: \(counting)") }
    for (name, old) in base.cells.sorted(by: { $0.key < $1.key }) {
      guard let new = now.cells[name] else {
        if let reason = result.failures[name] { broken.append((name, reason)) } else { missing.append(name) }
        continue
      }
      compared.costs += 1
      compare(name, old, new) { !($0.isOfSQLite && sqlite != nil || $0.isOfBuild && build != nil) }
      if counting == nil { compareInstructions(name, old, new) }
    }
    new = now.cells.keys.filter { base.cells[$0] == nil }.sorted()
    precondition(
      compared.costs + broken.count + missing.count == base.cells.count,
      "each cell of the baseline was compared, came to no end, or was not run")
    precondition(compared.costs + new.count == now.cells.count, "each cell that was run is in the baseline, or new")
    precondition(compared.instructions <= compared.costs, "instructions are compared of cells with costs")
    for (name, reason) in result.failures.sorted(by: { $0.key < $1.key }) where now.cells[name] != nil {
      obstacles.append("instructions of \(name): \(reason)")
    }
    if functions.hasInlined == result.functions.hasInlined {
      self.functions = Self.added(in: slower.map(\.cell), functions, result.functions)
    }
    if !slower.isEmpty, self.functions.isEmpty || !functions.hasInlined {
      obstacles.append("inlined functions: the baseline names none, or a build has no line tables")
    }
  }

  private mutating func compare(
    _ name: String, _ old: GateBaseline.Cell, _ new: GateBaseline.Cell, where isComparable: (CellCost) -> Bool
  ) {
    for cost in CellCost.allCases where isComparable(cost) {
      let change = Change(
        cell: name, was: old.costs[cost] ?? 0, now: new.costs[cost] ?? 0, objects: new.objects)
      let tolerated = Int(Double(change.was) * cost.toleratedShare)
      if change.difference > tolerated { worse[cost, default: []].append(change) }
      if change.difference < -tolerated { better[cost, default: []].append(change) }
    }
  }

  private mutating func compareInstructions(_ name: String, _ old: GateBaseline.Cell, _ new: GateBaseline.Cell) {
    guard let was = old.instructions, let now = new.instructions else { return }
    compared.instructions += 1
    let change = Change(cell: name, was: was, now: now, objects: new.objects)
    if change.share > Self.instructionShare { slower.append(change) }
    if change.share < -Self.instructionShare { faster.append(change) }
  }

  /// Instructions that were added to functions, over those cells.
  private static func added(in cells: [String], _ old: GateFunctions, _ new: GateFunctions) -> [(
    name: String, difference: Int
  )] {
    var differences: [String: Int] = [:]
    for cell in cells {
      guard let was = old.cells[cell], let now = new.cells[cell] else { continue }
      for name in Set(was.keys).union(now.keys) {
        differences[name, default: 0] += (now[name] ?? 0) - (was[name] ?? 0)
      }
    }
    return differences.filter { $0.value > 0 }.map { (name: $0.key, difference: $0.value) }
      .sorted { ($1.difference, $0.name) < ($0.difference, $1.name) }
  }

  /// Cells that seem to cost more by counts that are not exact.
  var cellsWithInexactIncreases: Set<String> { Set(((worse[.allocations] ?? []) + slower).map(\.cell)) }

  /// Whether something costs more.
  var isWorse: Bool { !worse.isEmpty || !slower.isEmpty }

  /// How the gate ends.
  ///
  /// - Parameter isStrict: whether costs that cannot be compared are no success.
  package func status(isStrict: Bool) -> ExitStatus {
    if !broken.isEmpty { return .violation }
    if !missing.isEmpty { return .baselineMissing }
    if isWorse { return .regression }
    let decidesNothing = compared.costs == 0
    return decidesNothing || (isStrict && !(obstacles.isEmpty && new.isEmpty)) ? .inconclusive : .passed
  }
}
