/// What runs are compared by: a column of `cells.csv` in which less is better.
package struct ComparedMetric: Sendable, Hashable {
  /// The column.
  package var column: String
  /// Smallest relative difference that counts, in 0…1, unless a threshold says otherwise.
  package var effectMin: Double

  package init(_ column: String, effectMin: Double = ComparedMetric.effectMinDefault) {
    self.column = column
    self.effectMin = effectMin
  }

  /// The effect that counts where nothing else is said.
  package static let effectMinDefault = 0.05

  /// Multiples of the floor, and bytes: what two machines can be compared by.
  package static let ratios = [
    ComparedMetric("floor_ratio"), ComparedMetric("main_thread_floor_ratio"),
    ComparedMetric("bytes_per_object", effectMin: 0.02),
  ]

  /// Times, which compare on one machine only.
  package static let times = [
    ComparedMetric("until_durable_s"), ComparedMetric("until_visible_s"), ComparedMetric("main_thread_s"),
    ComparedMetric("bytes_per_object", effectMin: 0.02),
  ]

  /// What cells that ran side by side are compared by: a smaller difference counts, since a smaller one shows.
  package static let sideBySide =
    ["until_durable_s", "until_visible_s", "cpu_s", "main_thread_s", "main_thread_merge_s", "bytes_per_object"]
    .map { ComparedMetric($0, effectMin: 0.02) }

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
    switch column.value(row) {
    case .integer(let value): return Double(value)
    case .unsigned(let value): return Double(value)
    case .number(let value): return value.isFinite ? value : nil
    case .text, .flag, nil: return nil
    }
  }
}
