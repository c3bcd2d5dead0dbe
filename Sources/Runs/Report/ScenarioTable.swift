import Checking
import Measuring
import Reporting
import Scenarios

/// The table of one scenario: a row per strategy and option set, in the order of ``StrategyOrder``, medians over its
/// repetitions.
struct ScenarioTable {
  private let records: [CellRecord]

  /// Makes the table of one scenario's cells.
  init(_ records: [CellRecord]) {
    precondition(Set(records.map(\.row.key.scenario)).count <= 1, "a table is that of one scenario")
    self.records = records
  }

  /// The table as text.
  ///
  /// - Parameter width: columns of the terminal; nil = as many as it takes.
  func rendered(colour: Bool, width: Int?) -> String {
    if records.contains(where: { $0.row.instructions != nil }) { return counts.rendered(colour: colour, width: width) }
    var table = TextTable(columns: [.left("strategy")] + SummaryColumn.all.map(\.column) + [.left("verdict")])
    for (title, group) in groups {
      let rows = group.map(\.row)
      let figures = SummaryColumn.all.map { TextTable.Cell($0.text(rows)) }
      table.append([TextTable.Cell(title)] + figures + [Self.verdict(group)])
    }
    return table.rendered(colour: colour, width: width)
  }

  /// Of cells with counted instructions, which are neither timed nor checked.
  private var counts: TextTable {
    var table = TextTable(columns: [
      .left("strategy"), .right("instructions"), .right("per object"), .right("× least"),
    ])
    let medians = groups.map { title, group in
      func median(_ value: (CellRow) -> Double?) -> Double? { Statistics.median(group.map(\.row).compactMap(value)) }
      return (
        title, total: median { $0.instructions.map { Double($0) } }, perObject: median(\.instructionsPerObject)
      )
    }
    let least = medians.compactMap(\.total).min()
    for (title, total, perObject) in medians {
      let ratio = total.flatMap { total in least.map { total / $0 } }
      table.append(
        [
          title, HumanReadable.count(total.map { Int($0.rounded()) }),
          HumanReadable.count(perObject.map { Int($0.rounded()) }), HumanReadable.ratio(ratio),
        ].map { TextTable.Cell($0) })
    }
    return table
  }

  private var groups: [(String, [CellRecord])] {
    var variants: [Scenario.Variant] = []
    for record in records where !variants.contains(record.cell.variant) { variants.append(record.cell.variant) }
    let planned = records.first?.cell.scenario.variants ?? []
    let groups = variants.map { variant in
      let own = records.filter { $0.cell.variant == variant }
      return (
        title: Self.title(of: variant, among: variants), records: own, place: StrategyOrder.place(own.map(\.row)),
        planned: planned.firstIndex(of: variant) ?? 0
      )
    }
    return groups.sorted { ($0.place, $0.planned) < ($1.place, $1.planned) }.map { ($0.title, $0.records) }
  }

  /// The strategy, with the options in which it differs from others of its name.
  static func title(of variant: Scenario.Variant, among variants: [Scenario.Variant]) -> String {
    let others = variants.filter { $0.strategy == variant.strategy }
    guard others.count > 1 else { return variant.strategy }
    let options = variant.options.filter { option in others.contains { $0.options[option.key] != option.value } }
    return variant.strategy + " "
      + options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
  }

  /// The worst verdict, how many cells have it, and whether it was expected.
  static func verdict(_ group: [CellRecord]) -> TextTable.Cell {
    guard let verdict = JudgedVerdict(group.map { ($0.outcome.verdict, $0.outcome.ending) }) else {
      return TextTable.Cell(HumanReadable.notMeasured)
    }
    return TextTable.Cell(verdict.text, verdict.emphasis)
  }
}
