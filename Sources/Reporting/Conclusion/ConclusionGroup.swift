import Checking
import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The repetitions of one strategy with the same options and merge policy, to be ranked among others.
struct ConclusionGroup {
  /// The strategy, with the options in which it differs from others of its name.
  let name: String
  let strategy: String
  let rows: [CellRow]

  /// Whether it may be chosen: no cell was violated or ended otherwise than its scenario expects.
  var isHeld: Bool {
    precondition(!rows.isEmpty, "without a cell nothing held")
    return rows.allSatisfy { $0.ending == .passed && ($0.verdict == .held || $0.verdict == .notExercised) }
  }

  /// The worst verdict of its cells, in words.
  var verdict: String { JudgedVerdict(rows.map { ($0.verdict, $0.ending) })?.text ?? HumanReadable.notMeasured }

  /// The groups of a scenario's cells, apart by the options that every strategy varies.
  static func partitions(_ cells: [CellRow]) -> [(setting: String, groups: [ConclusionGroup])] {
    var variants: [Variant] = []
    for row in cells where !variants.contains(Variant(row.key)) { variants.append(Variant(row.key)) }
    let byStrategy = Dictionary(grouping: variants, by: \.strategy)
    let varied = byStrategy.values.map { Variant.varied($0) }
    let shared = varied.dropFirst().reduce(Set(varied.first ?? [])) { $0.intersection($1) }
    var settings: [String] = []
    for variant in variants where !settings.contains(variant.words(of: shared)) {
      settings.append(variant.words(of: shared))
    }
    let partitions = settings.map { setting in
      let own = variants.filter { $0.words(of: shared) == setting }
      let groups = own.map { variant in
        let differing = Variant.varied(own.filter { $0.strategy == variant.strategy })
        let words = [variant.strategy, variant.words(of: Set(differing))].filter { !$0.isEmpty }
        return ConclusionGroup(
          name: words.joined(separator: " "), strategy: variant.strategy,
          rows: cells.filter { Variant($0.key) == variant })
      }
      return (setting: setting, groups: groups)
    }
    let count = partitions.reduce(0) { $1.groups.reduce($0) { $0 + $1.rows.count } }
    precondition(count == cells.count, "each cell is in one group of one setting")
    return partitions
  }

  /// How many times as much of a measure it takes as another, repetition by repetition where there are enough of both:
  /// other load on the machine hits all cells of a repetition.
  func ratio(to other: ConclusionGroup, _ metric: ComparedMetric) -> RatioEstimate? {
    let pairs = rows.compactMap { row -> Double? in
      guard row.arm == nil,
        let base = other.rows.first(where: {
          $0.key.run == row.key.run && $0.key.repetition == row.key.repetition && $0.key.seed == row.key.seed
        }), let value = metric.value(row), let least = metric.value(base), value > 0, least > 0
      else { return nil }
      return log(value / least)
    }
    if pairs.count == rows.count, pairs.count >= Self.pairsMin { return Statistics.ratioOfPairs(pairs) }
    func logarithms(_ rows: [CellRow]) -> [Double] { rows.compactMap(metric.value).filter { $0 > 0 }.map { log($0) } }
    return Statistics.ratioOfSamples(logarithms(rows), logarithms(other.rows))
  }

  /// Fewest pairs for an interval with a confidence of 95 %.
  private static let pairsMin = 6

  /// The violations of its cells, expected ones included, each kind once.
  func risks(_ violations: [ViolationRow]) -> [Conclusion.Risk] {
    let own = violations.filter { violation in
      rows.contains { $0.key.run == violation.key.run && $0.key.cell == violation.key.cell }
    }
    var risks: [Conclusion.Risk] = []
    for row in own {
      let kind = row.violation.kind.rawValue
      let isWarning = row.violation.severity == .warning
      if risks.contains(where: { $0.kind == kind && $0.isExpected == row.isExpected && $0.isWarning == isWarning }) {
        continue
      }
      let cells = own.filter {
        $0.violation.kind == row.violation.kind && $0.isExpected == row.isExpected
          && $0.violation.severity == row.violation.severity
      }
      risks.append(
        Conclusion.Risk(
          name: name, kind: kind, isExpected: row.isExpected, isWarning: isWarning,
          cells: Set(cells.map(\.key.cell)).count, ofCells: rows.count))
    }
    precondition(risks.allSatisfy { $0.cells > 0 && $0.cells <= $0.ofCells }, "a risk was seen in some of the cells")
    return risks
  }

  /// The identity of a group.
  private struct Variant: Hashable {
    let strategy: String
    /// Options and merge policy, `key=value` each.
    let settings: [String: String]

    init(_ key: CellKey) {
      strategy = key.strategy
      var settings: [String: String] = [:]
      for word in key.options.split(separator: ";") {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        settings[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
      }
      settings["merge_policy"] = key.mergePolicy
      self.settings = settings
    }

    /// The settings in which these differ.
    static func varied(_ variants: [Variant]) -> [String] {
      Set(variants.flatMap(\.settings.keys)).filter { key in Set(variants.map { $0.settings[key] }).count > 1 }
    }

    func words(of keys: Set<String>) -> String {
      settings.filter { keys.contains($0.key) }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        .joined(separator: " ")
    }
  }
}
