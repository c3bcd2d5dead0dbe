/// A metric of comparisons: a column of `cells.csv` in which less is better.
package struct ComparedMetric: Sendable, Hashable {
  /// The column.
  package var column: String
  /// Smallest relative difference that counts, in 0…1, unless a threshold says otherwise.
  package var effectMin: Double
  /// Whether the verdict of the comparison rests on it; a scenario has one such.
  package var isPrimary = false
  /// Whether a threshold names it, so that it counts as the primary one does, and must not stay inconclusive.
  package var isNamed = false
  /// Whether it is a percentile of latencies, which comes from histograms and not from a column, and decides nothing.
  package internal(set) var isOfLatencies = false

  package init(_ column: String, effectMin: Double = ComparedMetric.effectMinDefault) {
    precondition(effectMin > 0, "a smallest difference that counts is above 0")
    precondition(!column.isEmpty, "a metric names a column")
    self.column = column
    self.effectMin = effectMin
  }

  /// The minimum effect where neither scenario nor file of thresholds has one.
  package static let effectMinDefault = 0.05
  /// The primary measure of a scenario that declares none.
  package static let primaryDefault = "cpu_s"

  /// Multiples of the floor, and bytes: metrics that compare across machines.
  package static let ratios = [
    ComparedMetric("floor_ratio"), ComparedMetric("main_thread_floor_ratio"),
    ComparedMetric("bytes_per_object", effectMin: 0.02),
  ]

  /// Times, which compare on one machine only.
  package static let times = [
    ComparedMetric("cpu_s"), ComparedMetric("until_durable_s"), ComparedMetric("until_visible_s"),
    ComparedMetric("main_thread_s"), ComparedMetric("bytes_per_object", effectMin: 0.02),
  ]

  /// Metrics of cells that ran side by side: a smaller difference counts, since a smaller one shows.
  package static let sideBySide =
    ["cpu_s", "until_durable_s", "until_visible_s", "main_thread_s", "main_thread_merge_s", "bytes_per_object"]
    .map { ComparedMetric($0, effectMin: 0.02) }

  /// Metrics of cells with counted instructions: these hardly vary, so that a smaller difference counts.
  package static let counts = [ComparedMetric("instructions", effectMin: 0.01)].primary("instructions")

  /// Whether it counts steps of a fixed schedule, which two runs of one executable have in common.
  var isCount: Bool { column == "instructions" || column == "instructions_per_object" }

  /// The multiple of the floor that replaces a time where times cannot be compared.
  package static func ratio(for column: String) -> String {
    switch column {
    case "main_thread_s": "main_thread_floor_ratio"
    case _ where column.hasSuffix("_s"): "floor_ratio"
    default: column
    }
  }

  /// Whether the exit status depends on it.
  package var isDeciding: Bool { isPrimary || isNamed }

  /// Its role in the verdict, in a word: `primary`, `threshold`, `secondary`.
  package var role: String { isPrimary ? "primary" : isNamed ? "threshold" : "secondary" }

  /// The columns that can be compared by.
  package static var comparable: [String] {
    let keys = Set(KeyColumns.all.map(\.name))
    return Table<CellRow>.cells.columns.filter { !keys.contains($0.name) && $0.type != .text }.map(\.name)
  }

  /// The cell's value; nil when it was not measured.
  func value(_ row: CellRow) -> Double? {
    guard let column = Table<CellRow>.cells.columns.first(where: { $0.name == column }) else {
      preconditionFailure("\(self.column) is a column of cells.csv; ask ComparedMetric.comparable first")
    }
    return column.value(row)?.number
  }
}

extension [ComparedMetric] {
  /// These with one of them as the primary measure, which comes first; one that is not among them is added.
  package func primary(_ column: String) -> [ComparedMetric] {
    precondition(allSatisfy { !$0.isPrimary || $0.column == column }, "a scenario has one primary measure")
    var metric =
      first { $0.column == column }
      ?? ComparedMetric(column, effectMin: first?.effectMin ?? ComparedMetric.effectMinDefault)
    metric.isPrimary = true
    return [metric] + filter { $0.column != column }
  }
}
