import Reporting

extension ScenarioKey {
  /// The keys that are there without being registered.
  static let shipped: [ScenarioKey] = general + faults + slowdowns

  /// All merge policies, as files name them.
  package static let mergePolicies = Keys.MergePolicy.allCases.map(\.rawValue)

  private static let general: [ScenarioKey] = [
    Keys.description.key,
    Keys.workload.key,
    ScenarioKey("strategies", .names(.strategies), "The strategies that are compared; required."),
    ScenarioKey(
      "options", .optionsSection,
      "By strategy: keys that are options, with a value, or a list of values that are crossed into variants."),
    Keys.mergePolicy.key,
    Keys.synchronous.key,
    Keys.history.key,
    Keys.merge.key,
    Keys.rootSave.key,
    Keys.resetAfterSave.key,
    Keys.notes.key,
    Keys.wordsPerNote.key,
    Keys.tickHertz.key,
    Keys.repetitions.key,
    Keys.minTimeSeconds.key,
    Keys.minSamples.key,
    Keys.repetitionsMax.key,
    Keys.runsPairs.key,
    Keys.differencePercent.key,
    Keys.warmup.key,
    Keys.seed.key,
    Keys.seedStep.key,
    Keys.timeoutSeconds.key,
    Keys.mainStallBudgetMilliseconds.key,
    Keys.stalenessBoundMilliseconds.key,
    Keys.walBudgetMegabytes.key,
    Keys.keptMegabytes.key,
    Keys.watchdogSeconds.key,
    Keys.jitterRate.key,
    Keys.jitterMaxMilliseconds.key,
    Keys.jitterAt.key,
    ScenarioKey(
      "checks", .names(.checks),
      "Checks that are made, each of which must have something to check. Absent = all are made, and one must."),
    ScenarioKey(
      "expect", .expectSection,
      "What a passing run shows: must (a kind, or a list of which one is enough, at_least, containing), may, not_exercised, by_strategy."
    ),
    ScenarioKey(
      "thresholds", .thresholdsSection,
      "Differences from a baseline that count: a list of {column, percent} and, where wanted, strategy; without one 5 %."
    ),
    ScenarioKey(
      "primary_measure", .choice(ComparedMetric.comparable), default: ComparedMetric.primaryDefault,
      "Column of cells.csv on which the verdict of a comparison rests; the others are secondary."),
    ScenarioKey("quick", .quickSection, "Values of --quick runs: key → value."),
    ScenarioKey(
      "careful", .carefulSection,
      "The right way beside a mistake, which runs under the name with -careful behind it: key → value in place of the file's, of which it does not take expect."
    ),
  ]
}
