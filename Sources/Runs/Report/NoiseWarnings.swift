import Boundary
import Foundation
import Measuring
import Reporting
import Scenarios

/// Differences hidden by the machine's noise, and the remedy.
struct NoiseWarnings {
  /// Other processes may have so much of the machine.
  private static let othersShareMax = 0.05
  /// The host may take so much of the machine.
  private static let stealShareMax = 0.01
  /// A fixed piece of work may be so much slower in a tenth of its runs.
  private static let probeSpreadMax = 0.1
  /// Probability at which a difference between two strategies counts as shown, to either side.
  private static let level = 0.025

  private let records: [CellRecord]
  private let machine: Machine
  private let before: NoiseSummary?
  private let during: NoiseSummary

  /// Looks at a run.
  ///
  /// - Parameter before: the machine just before the run.
  init(_ records: [CellRecord], machine: Machine, before: NoiseSummary?) {
    self.records = records.filter { !$0.cell.isWarmup }
    self.machine = machine
    self.before = before
    during = NoiseSummary(
      cells: self.records.map { ($0.row.noise, $0.row.processSeconds ?? 0) }, cores: machine.cores)
  }

  /// Paragraphs for the terminal: one per scenario with hidden differences, else one when the machine was not quiet.
  var paragraphs: [String] {
    var names: [String] = []
    for record in records where !names.contains(record.row.key.scenario) { names.append(record.row.key.scenario) }
    let hidden = names.compactMap { name in drowned(name, records.filter { $0.row.key.scenario == name }) }
    guard !hidden.isEmpty else {
      return reasons.isEmpty ? [] : ["warning: the machine was not quiet\n" + reasons.map { "  \($0)\n" }.joined()]
    }
    // The machine is the same for all.
    return hidden.dropLast() + hidden.suffix(1).map { $0 + reasons.map { "  \($0)\n" }.joined() }
  }

  /// The difference that a scenario's repetitions cannot show, and how many could.
  private func drowned(_ scenario: String, _ records: [CellRecord]) -> String? {
    guard let first = records.first else { return nil }
    let percent = first.cell.settings[Keys.differencePercent]
    let asked = percent / 100
    var variants: [Scenario.Variant] = []
    for record in records where !variants.contains(record.cell.variant) { variants.append(record.cell.variant) }
    let plans = variants.compactMap { variant in plan(records.filter { $0.cell.variant == variant }, asked) }
    // One that no number of repetitions helps is the worst of all.
    guard let worst = plans.max(by: { ($0.needed ?? .max, $0.width) < ($1.needed ?? .max, $1.width) }),
      (worst.needed ?? .max) > worst.count
    else { return nil }
    let advice =
      worst.needed.map { "--repetitions \($0) would show it in 4 of 5 cases, or fewer on a quieter machine" }
      ?? "no number of repetitions helps here: use a quieter machine, or larger sizes"
    return """
      warning: \(scenario): \(worst.count) repetitions cannot tell a difference of \(HumanReadable.significant(percent)) % from \
      noise; the interval of a ratio is ±\(HumanReadable.significant(worst.width * 100)) %
        \(advice)

      """
  }

  /// How far the repetitions of one strategy show a difference between two such samples, or between the arms of its pairs.
  private func plan(_ records: [CellRecord], _ asked: Double) -> (count: Int, width: Double, needed: Int?)? {
    var random = SeededRandom(seed: 1)
    let pairs = Comparison(pairsOf: records.map(\.row)) { subject in
      subject.variant == nil ? [] : [ComparedMetric("until_durable_s")]
    }
    let times = records.compactMap(\.row.untilDurableSeconds).filter { $0 > 0 }.map { log($0) }
    let isPaired = records.contains { $0.cell.arm != nil }
    guard let estimate = isPaired ? pairs.rows.first?.estimate : Statistics.ratioOfSamples(times, times),
      let interval = estimate.interval
    else { return nil }
    let needed =
      isPaired
      ? Planning.pairs(pairs.logarithms(0), effect: log(1 + asked), level: Self.level, using: &random)
      : Planning.samples(times, effect: log(1 + asked), level: Self.level, using: &random)
    let count = isPaired ? pairs.rows[0].headCount : times.count
    precondition(count > 1, "an interval is that of several cells")
    precondition(interval.low > 0, "a ratio of times is positive")
    return (count, (interval.high / interval.low).squareRoot() - 1, needed)
  }

  /// Causes of the machine's noise, with the remedies.
  private var reasons: [String] {
    var reasons: [String] = []
    if let share = during.othersShare, share > Self.othersShareMax {
      reasons.append("other processes used \(percent(share)) of the machine: end them, or run when it is idle")
    } else if let pressure = before?.processorPressure, pressure > 0.5 {
      reasons.append("processes waited for a processor \(percent(pressure)) of the time before the run: end some")
    }
    if let share = during.stealShare, share > Self.stealShareMax {
      reasons.append("the host of this virtual machine took \(percent(share)) of it: use another machine or time")
    }
    if let spread = during.probeSpread, spread > Self.probeSpreadMax {
      let governor = machine.governor.map { $0 == "performance" ? "" : "; its governor is \($0): set performance" }
      reasons.append(
        "the same work took up to \(percent(spread)) longer than usual: the processor's speed changes, or is shared"
          + (governor ?? ""))
    }
    return reasons
  }

  private func percent(_ share: Double) -> String { HumanReadable.significant(share * 100) + " %" }
}
