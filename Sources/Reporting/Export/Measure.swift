import Measuring

/// Something measured of every cell, as a number: the numeric columns of `cells.csv`.
package struct Measure: Sendable {
  /// Name of its column.
  package let name: String
  /// Unit; nil for a plain number.
  package let unit: String?
  /// Its meaning, in a line.
  package let meaning: String
  private let column: Column<CellRow>

  private init(_ column: Column<CellRow>) {
    name = column.name
    unit = column.unit
    meaning = column.meaning
    self.column = column
  }

  /// All of them, in the order of their columns.
  package static let all: [Measure] = Table<CellRow>.cells.columns.dropFirst(KeyColumns.all.count)
    .filter { $0.type == .integer || $0.type == .number }.map(Measure.init)

  /// The value of one cell; nil when it was not measured.
  package func value(_ row: CellRow) -> Double? { column.value(row)?.number }

  /// The values of a group of cells; nil when none of them was measured.
  package func spread(_ cells: [CellRow]) -> Spread? { Spread(cells.compactMap(value)) }
}

/// Median and range of a sample.
package struct Spread: Sendable, Hashable {
  /// The middle value, or the mean of the two middle values.
  package let median: Double
  /// The least value.
  package let least: Double
  /// The greatest value.
  package let greatest: Double
  /// How many values there are.
  package let count: Int

  /// Of at least one value.
  package init?(_ sample: [Double]) {
    guard let median = Statistics.median(sample), let least = sample.min(), let greatest = sample.max() else {
      return nil
    }
    self.median = median
    self.least = least
    self.greatest = greatest
    count = sample.count
    precondition(least <= median && median <= greatest, "the middle of a sample is within its range")
  }
}
