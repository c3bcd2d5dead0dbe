import Checking
import Reporting
import Scenarios

/// The findings in the cells of a hazard's pair, as rows of the table; a pure function of the cells.
struct Detection {
  let pair: HazardPair
  let records: [CellRecord]
  let run: String

  /// A row for each kind that the mistake must show, by one or several entries of `must`; one where none may be seen.
  var rows: [DetectionRow] {
    let own = pair.careless.map { careless in records.filter { $0.cell.scenario.name == careless.name } } ?? []
    let twin = pair.careful.map { careful in records.filter { $0.cell.scenario.name == careful.name } } ?? []
    let alarms = seeds(of: twin) { $0.contains { $0.outcome.ending == .violated } }
    let inconclusive = seeds(of: twin) { $0.contains { $0.outcome.ending == .inconclusive } }
    func row(_ kinds: [ViolationKind]) -> DetectionRow {
      let musts = pair.musts.filter { $0.anyOf == kinds }
      precondition(kinds.isEmpty == musts.isEmpty, "a row is about what the mistake must show, or about nothing")
      return DetectionRow(
        run: run, kind: kinds.map(\.rawValue).joined(separator: " or "), proof: musts.isEmpty ? .clean : proof,
        name: pair.name, seeds: Set(own.map(\.cell.seed)).count,
        caught: musts.isEmpty
          ? nil : seeds(of: own) { $0.allSatisfy { cell in musts.allSatisfy { Self.isCaught($0, in: cell) } } },
        secondsToFirst: musts.compactMap { Self.secondsToFirst($0, own) }.max(),
        carefulSeeds: Set(twin.map(\.cell.seed)).count,
        falseAlarms: alarms, inconclusive: inconclusive)
    }
    var kinds: [[ViolationKind]] = []
    for must in pair.musts where !kinds.contains(must.anyOf) { kinds.append(must.anyOf) }
    return pair.careless == nil ? [row([])] : kinds.map(row)
  }

  /// A fault when the file asks for one, since its right way is then without it.
  private var proof: DetectionRow.Proof {
    let asksForFault = pair.careless?.settings.values.contains { key, value in
      key.hasPrefix("fault_") && key.hasSuffix("_rate") && (Double(value) ?? 0) > 0
    }
    return asksForFault == true ? .fault : .hazard
  }

  /// How many seeds have cells of which `condition` is true.
  private func seeds(of records: [CellRecord], where condition: ([CellRecord]) -> Bool) -> Int {
    Dictionary(grouping: records, by: \.cell.seed).values.count(where: condition)
  }

  /// Whether a cell shows it as often as it must, and nothing that it must not; true where the strategy need not.
  private static func isCaught(_ must: ScenarioExpectation.Must, in record: CellRecord) -> Bool {
    guard record.outcome.ending == .passed else { return false }
    let expectation = record.cell.scenario.expectation(for: record.cell.variant.strategy)
    return !expectation.must.contains(must) || count(must, in: record) >= must.atLeast
  }

  private static func count(_ must: ScenarioExpectation.Must, in record: CellRecord) -> Int {
    record.outcome.findings.filter { $0.violation.severity == .error && must.counts($0.violation) }
      .reduce(0) { $0 + $1.violation.count }
  }

  private static func secondsToFirst(_ must: ScenarioExpectation.Must, _ records: [CellRecord]) -> Double? {
    var seconds = 0.0
    for record in records {
      seconds += record.seconds
      if count(must, in: record) >= must.atLeast { return seconds }
    }
    return nil
  }
}
