import Checking
import Measuring

/// A row of `cells.csv`: the measurements of one cell, and how it ended. Nil means "not measured".
@dynamicMemberLookup
package struct CellRow: Sendable, Hashable {
  package var key: CellKey
  /// Which cell of an A/A pair; nil without pairs.
  package var arm: Arm?
  /// The measurements of the cell's process.
  package var figures = CellFigures()
  package var floorSeconds: Double?
  package var instructions: UInt64?
  package var processSeconds: Double?
  package var noise = CellNoise()
  package var verdict: Verdict
  /// How the cell counts for the run, by the expectations of its scenario.
  package var ending = RunEnding.passed
  /// Why it did not pass, each reason a sentence; nil when it passed.
  package var reason: String?

  /// Makes a row in which nothing was measured yet.
  package init(key: CellKey, verdict: Verdict) {
    self.key = key
    self.verdict = verdict
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<CellFigures, Value>) -> Value {
    get { figures[keyPath: path] }
    set { figures[keyPath: path] = newValue }
  }

  /// The cell's time as a multiple of the floor's; nil when either was not measured.
  package var floorRatio: Double? {
    guard let untilDurableSeconds = figures.untilDurableSeconds, let floorSeconds, floorSeconds > 0 else { return nil }
    return untilDurableSeconds / floorSeconds
  }

  /// The main thread's time as a multiple of the floor's; nil when either was not measured.
  package var mainThreadFloorRatio: Double? {
    guard let seconds = figures.mainThread?.total, let floorSeconds, floorSeconds > 0 else { return nil }
    return seconds / floorSeconds
  }

  /// Instructions for each object; nil when they were not counted, or there was no object.
  package var instructionsPerObject: Double? {
    guard let instructions, let objects = figures.objects, objects > 0 else { return nil }
    return Double(instructions) / Double(objects)
  }

  /// Bytes allocated for each object; nil when either was not measured, or there was no object.
  package var bytesPerObject: Double? {
    guard let allocatedBytes = figures.allocatedBytes, let objects = figures.objects, objects > 0 else { return nil }
    return Double(allocatedBytes) / Double(objects)
  }
}

/// The order in which every table, page, picture and export shows the strategies of a scenario: by the time until main
/// shows everything, shortest first. Those without a time are behind all others.
package enum StrategyOrder {
  /// Where the repetitions of a strategy come: the median time until main shows everything.
  package static func place(_ rows: [CellRow]) -> Double {
    Statistics.median(rows.compactMap(\.untilVisibleSeconds)) ?? .infinity
  }
}
