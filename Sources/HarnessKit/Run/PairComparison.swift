import Measuring
import Reporting
import Scheduling

/// How far apart the arms of A/A pairs are, which are the same thing twice: the noise of this machine.
struct PairComparison {
  private let records: [CellRecord]

  /// Compares the arms of one scenario's cells.
  init(_ records: [CellRecord]) { self.records = records }

  /// A line for each strategy and option set that ran often enough in both arms; nil without pairs.
  var text: String? {
    var variants: [Scenario.Variant] = []
    for record in records where !variants.contains(record.cell.variant) { variants.append(record.cell.variant) }
    let lines = variants.compactMap(line)
    return lines.isEmpty ? nil : lines.joined()
  }

  private func line(_ variant: Scenario.Variant) -> String? {
    func times(_ arm: Arm) -> [Double] {
      records.filter { $0.cell.variant == variant && $0.cell.arm == arm }.compactMap(\.row.untilDurableSeconds)
    }
    let (first, second) = (times(.a), times(.b))
    guard first.count >= 2, second.count >= 2 else { return nil }
    var random = SeededRandom(seed: 1)
    guard let interval = Statistics.ratioOfMedians(first, second, using: &random) else { return nil }
    let options = variant.options.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ";")
    let isOnly = !records.contains { $0.cell.variant != variant && $0.cell.variant.strategy == variant.strategy }
    return
      "until durable, \(variant.strategy)\(isOnly ? "" : " " + options), arm a / arm b: \(Humane.ratio(interval))\n"
  }
}
