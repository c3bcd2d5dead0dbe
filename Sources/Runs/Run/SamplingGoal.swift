import Scenarios

/// When a scenario has been repeated often enough.
struct SamplingGoal: Sendable, Equatable {
  /// Each strategy's cells have together been at work for so long; nil = no such goal.
  var secondsMin: Double?
  /// Each operation of each strategy was done so often, all cells together; nil = no such goal.
  var samplesMin: Int?
  /// There are no more repetitions than these, whatever is missing.
  var repetitionsMax: Int

  /// The goal of a scenario; nil where it only says how many repetitions there are.
  init?(_ settings: ScenarioSettings) {
    secondsMin = settings[Keys.minTimeSeconds]
    samplesMin = settings[Keys.minSamples]
    repetitionsMax = settings[Keys.repetitionsMax]
    if secondsMin == nil, samplesMin == nil { return nil }
    precondition(repetitionsMax > 0, "a scenario is repeated once at least")
    precondition((secondsMin ?? 1) > 0 && (samplesMin ?? 1) > 0, "a goal is above nothing")
  }

  /// The missing samples, in words: each strategy that needs more; empty when the goal is reached.
  ///
  /// A strategy without measured cells needs no more of them.
  func missing(in records: [CellRecord]) -> [String] {
    var variants: [Scenario.Variant] = []
    for record in records where !variants.contains(record.cell.variant) { variants.append(record.cell.variant) }
    return variants.compactMap { variant in
      missing(inOne: records.filter { $0.cell.variant == variant && !$0.cell.isWarmup })
        .map { "\(variant.strategy): \($0)" }
    }
  }

  private func missing(inOne records: [CellRecord]) -> String? {
    let seconds = records.compactMap(\.row.untilVisibleSeconds)
    if let secondsMin, !seconds.isEmpty, seconds.reduce(0, +) < secondsMin {
      return "at work for less than min_time_s, \(secondsMin) s"
    }
    guard let samplesMin else { return nil }
    var counts: [[String]: UInt64] = [:]
    for operation in records.flatMap(\.operations) {
      counts[[operation.phase, operation.operation, operation.role], default: 0] += operation.summary.count
    }
    // Operations that only fail have no latencies, however often they are repeated.
    let few = counts.filter { $0.value > 0 && $0.value < UInt64(samplesMin) }
    guard let rarest = few.min(by: { ($0.value, $0.key.joined()) < ($1.value, $1.key.joined()) }) else { return nil }
    return "\(rarest.key.joined(separator: " ")) done \(rarest.value) times, less than min_samples, \(samplesMin)"
  }
}
