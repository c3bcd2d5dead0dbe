import Measuring

/// A column of the tables that people read, declared once for terminal, page and Markdown: a figure of the repetitions of one
/// strategy.
package struct SummaryColumn: Sendable {
  package let title: String
  /// Whether short tables have it, too.
  let isBrief: Bool
  private let dropped: Int?
  private let isWorst: Bool
  private let figure: @Sendable (CellRow) -> Double?
  private let format: @Sendable (Double?) -> String

  private init(
    _ title: String, dropped: Int? = nil, isBrief: Bool = false, isWorst: Bool = false,
    format: @escaping @Sendable (Double?) -> String = { HumanReadable.seconds($0) },
    _ figure: @escaping @Sendable (CellRow) -> Double?
  ) {
    self.title = title
    self.isBrief = isBrief
    self.dropped = dropped
    self.isWorst = isWorst
    self.figure = figure
    self.format = format
  }

  /// In the order in which they are shown, behind the strategy.
  package static let all = [
    SummaryColumn("until durable", dropped: 2, isBrief: true) { $0.untilDurableSeconds },
    SummaryColumn("until visible", isBrief: true) { $0.untilVisibleSeconds },
    SummaryColumn("× floor", dropped: 3, isBrief: true, format: { HumanReadable.ratio($0) }) { $0.floorRatio },
    SummaryColumn("main thread", isBrief: true) { $0.mainThread?.total },
    SummaryColumn("push", dropped: 5) { $0.mainThread?.push },
    SummaryColumn("save", dropped: 5) { $0.mainThread?.save },
    SummaryColumn("merge", dropped: 5) { $0.mainThread?.merge },
    SummaryColumn("fetch", dropped: 6) { $0.mainThread?.fetch },
    SummaryColumn("worst stall", dropped: 1, isBrief: true, isWorst: true) {
      $0.stalls?.lateness.latencyNanosecondsMax.map { Double($0) / 1e9 }
    },
    SummaryColumn("objects/s", dropped: 4, format: { HumanReadable.count($0.map { Int($0.rounded()) }) }) { row in
      guard let objects = row.objects, let seconds = row.untilVisibleSeconds, seconds > 0 else { return nil }
      return Double(objects) / seconds
    },
  ]

  /// Those of short tables.
  static let brief = all.filter(\.isBrief)

  /// The median of the measured values, or the worst of them; nil without any.
  func value(_ rows: [CellRow]) -> Double? {
    let values = rows.compactMap(figure)
    return isWorst ? values.max() : Statistics.median(values)
  }

  /// The value for people.
  package func text(_ rows: [CellRow]) -> String { format(value(rows)) }

  /// The value for people, and for sorting.
  func valueAndText(_ rows: [CellRow]) -> (value: Double?, text: String) {
    let value = value(rows)
    return (value, format(value))
  }

  /// The column of a table in the terminal.
  package var column: TextTable.Column { .right(title, dropped: dropped) }
}
