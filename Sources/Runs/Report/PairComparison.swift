import Reporting

/// How much the arms of A/A pairs differ: the noise of this machine.
struct PairComparison {
  /// Fewest pairs that are reported.
  private static let pairsMin = 2

  private let records: [CellRecord]

  /// Compares the arms of one scenario's cells.
  init(_ records: [CellRecord]) { self.records = records }

  /// A line for each strategy and option set that ran often enough in both arms; nil without pairs.
  var text: String? {
    let rows = records.map(\.row).filter { $0.arm == .a || $0.arm == .b }
    let comparison = Comparison(pairsOf: rows) { subject in
      subject.variant == nil ? [] : [ComparedMetric("until_durable_s")]
    }
    let subjects = comparison.rows.map(\.subject)
    let lines = comparison.rows.filter { $0.headCount >= Self.pairsMin }.map { row in
      "until durable, \(row.subject.name(among: subjects)), arm b / arm a: \(HumanReadable.ratio(row.estimate))\n"
    }
    return lines.isEmpty ? nil : lines.joined()
  }
}
