import Measuring
import Reporting
import Scheduling

/// What the machine's noise hides, and what to do about it.
struct NoiseWarnings {
  /// Fewest repetitions whose spread says anything.
  private static let repetitionsMin = 3
  /// Other processes may have so much of the machine.
  private static let othersShareMax = 0.05
  /// The host may take so much of the machine.
  private static let stealShareMax = 0.01
  /// A fixed piece of work may be so much slower in a tenth of its runs.
  private static let probeSpreadMax = 0.1
  /// Repetitions that are advised at most.
  private static let advisedRepetitionsMax = 1_000.0

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

  /// Paragraphs for the terminal: one a scenario whose differences drown, else one when the machine was not quiet.
  var paragraphs: [String] {
    var names: [String] = []
    for record in records where !names.contains(record.row.key.scenario) { names.append(record.row.key.scenario) }
    let hidden = names.compactMap { name in drowned(name, records.filter { $0.row.key.scenario == name }) }
    guard !hidden.isEmpty else {
      return reasons.isEmpty ? [] : ["warning: the machine was not quiet\n" + reasons.map { "  \($0)\n" }.joined()]
    }
    return hidden.map { $0 + reasons.map { "  \($0)\n" }.joined() }
  }

  /// What a scenario's repetitions cannot show, and how many could.
  private func drowned(_ scenario: String, _ records: [CellRecord]) -> String? {
    guard let first = records.first, let percent = first.cell.settings.optionalNumber("difference_percent") else {
      return nil
    }
    let asked = percent / 100
    var variants: [Scenario.Variant] = []
    for record in records where !variants.contains(record.cell.variant) { variants.append(record.cell.variant) }
    let widths = variants.compactMap { variant -> (width: Double, count: Int)? in
      let times = records.filter { $0.cell.variant == variant }.compactMap(\.row.untilDurableSeconds)
      guard times.count >= Self.repetitionsMin else { return nil }
      var random = SeededRandom(seed: 1)
      // The same against itself: what the interval spans is noise alone.
      guard let interval = Statistics.ratioOfMedians(times, times, resamples: 500, using: &random) else { return nil }
      return (max(interval.high - 1, 1 - interval.low), times.count)
    }
    guard let worst = widths.max(by: { $0.width < $1.width }), worst.width > asked else { return nil }
    // The width shrinks with the root of the number of cells; of pairs a repetition has two.
    let cellsPerRepetition = Set(records.map(\.cell.arm)).count
    let repetitions = worst.count / cellsPerRepetition
    let needed = (Double(repetitions) * (worst.width / asked) * (worst.width / asked)).rounded(.up)
    let advice =
      needed <= Self.advisedRepetitionsMax
      ? "--repetitions \(Int(needed)) would show it, or fewer on a quieter machine"
      : "no number of repetitions helps here: use a quieter machine, or larger sizes"
    return """
      warning: \(scenario): \(repetitions) repetitions cannot tell a difference of \(Humane.significant(percent)) % from \
      noise, only one of \(Humane.significant(worst.width * 100)) %
        \(advice)

      """
  }

  /// What made the machine noisy, with what to do.
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

  private func percent(_ share: Double) -> String { Humane.significant(share * 100) + " %" }
}
