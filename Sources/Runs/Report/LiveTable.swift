import Measuring
import Reporting
import Scenarios

/// The strategies of a scenario side by side while its cells run: medians of the ended cells, with their intervals.
struct LiveTable {
  private let scenario: Scenario
  private let records: [CellRecord]

  /// Takes the cells of the scenario among those that ended.
  init(_ scenario: Scenario, _ records: [CellRecord]) {
    self.scenario = scenario
    self.records = records.filter { $0.cell.scenario.name == scenario.name && $0.cell.arm != .base }
  }

  /// The table, under its title.
  func lines(colour: Bool, width: Int) -> [String] {
    var table = TextTable(columns: [
      .left("strategy"), .right("cells", dropped: 1), .right("until visible"), .right("between", dropped: 2),
      .right("main thread"), .right("between", dropped: 3), .right("worst stall", dropped: 4), .left("verdict"),
    ])
    for variant in orderedVariants {
      let own = records.filter { $0.cell.variant == variant }
      let counted = own.filter { !$0.cell.isWarmup }
      let visible = Measure(counted, \.untilVisibleSeconds)
      let main = Measure(counted, \.mainThread?.total)
      let stall = counted.compactMap(\.row.stalls?.lateness.latencyNanosecondsMax).max()
      table.append([
        TextTable.Cell(ScenarioTable.title(of: variant, among: scenario.variants)),
        TextTable.Cell(String(counted.count)), TextTable.Cell(visible.median), TextTable.Cell(visible.range),
        TextTable.Cell(main.median), TextTable.Cell(main.range), TextTable.Cell(HumanReadable.nanoseconds(stall)),
        ScenarioTable.verdict(own),
      ])
    }
    let title = "\(scenario.name) so far: medians, and the 95 % interval of each (the range of fewer than 6 cells)"
    let text = table.rendered(colour: colour, width: width).split(separator: "\n", omittingEmptySubsequences: false)
    return TextTable.lines(of: title, width: max(1, width - 1)) + text.dropLast().map(String.init)
  }

  /// In the order that the table at the end has.
  private var orderedVariants: [Scenario.Variant] {
    let places = scenario.variants.map { variant in
      StrategyOrder.place(records.filter { $0.cell.variant == variant && !$0.cell.isWarmup }.map(\.row))
    }
    precondition(places.count == scenario.variants.count, "every variant has a place")
    return zip(scenario.variants, places).enumerated()
      .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }.map(\.element.0)
  }

  /// A cell that has ended, with the medians of its strategy by now.
  func line(of record: CellRecord) -> String {
    precondition(record.cell.scenario.name == scenario.name, "a line is about a cell of the scenario")
    let variant = record.cell.variant
    let own = records.filter { $0.cell.variant == variant && !$0.cell.isWarmup }
    let name = "\(scenario.name) \(ScenarioTable.title(of: variant, among: scenario.variants))"
    let verdict = ScenarioTable.verdict([record]).text
    guard !record.cell.isWarmup else { return "\(name): \(verdict) (warm-up)" }
    let visible = Measure(own, \.untilVisibleSeconds)
    let main = Measure(own, \.mainThread?.total)
    return "\(name): \(verdict); medians of \(own.count): until visible \(visible.text), main thread \(main.text)"
  }

  /// One measure of several cells.
  private struct Measure {
    let median: String
    let range: String
    var text: String { range.isEmpty ? median : "\(median) (\(range))" }

    init(_ records: [CellRecord], _ value: (CellRow) -> Double?) {
      let values = records.compactMap { value($0.row) }
      median = HumanReadable.seconds(Statistics.median(values))
      range =
        Statistics.medianRange(of: values).map {
          "\(HumanReadable.seconds($0.lowerBound))…\(HumanReadable.seconds($0.upperBound))"
        } ?? ""
    }
  }
}
