import Measuring

extension Comparison {
  /// Compares runs as they were read.
  ///
  /// - Throws: `ComparisonProblem` when they have nothing in common, are not of the same executable, times are to be compared
  ///   of two machines, or a threshold matched nothing.
  package init(base: Results, head: Results, options: ComparisonOptions) throws(ComparisonProblem) {
    if base.countsInstructions || head.countsInstructions {
      self = try Self.counts(base, head, options)
      return
    }
    try Self.checkSameWork(base, head)
    // A folder of runs may hold the baseline and the candidate, and a run may be named twice: it is no repeat of itself.
    let repeats = options.repeats.reduce(into: [Results]()) { repeats, run in
      if !([base, head] + repeats).contains(run: run.cells.first?.key.run) { repeats.append(run) }
    }
    for results in repeats { try Self.checkSameWork(base, results) }
    let isOneMachine = Self.areOfOneMachine([base, head] + repeats)
    if options.basis == .times, isOneMachine == false {
      throw ComparisonProblem(
        "times of two machines do not compare", "Compare by multiples of the floor: --basis ratios")
    }
    let isTimes = options.basis == .times || (options.basis == .automatic && isOneMachine == true)
    self.init(
      base: base.cells, head: head.cells, repeats: repeats.map(\.cells), isOfOneMachine: isOneMachine == true,
      mustShow: options.mustShow
    ) { subject in
      let primary = base.primary(of: subject.scenario)
      return options.metrics(
        of: subject,
        over: isTimes
          ? ComparedMetric.times.primary(primary) : ComparedMetric.ratios.primary(ComparedMetric.ratio(for: primary)))
    }
    try appendLatencies(base: [base] + repeats, head: [head], Self.significance)
    executables = (base.manifest?.executableSummary, head.manifest?.executableSummary)
    try options.checkThresholds(rows.map { ($0.subject, $0.metric) } + missing.map { ($0.subject, $0.metric) })
    guard !rows.isEmpty || !missing.isEmpty else {
      throw ComparisonProblem(
        "\(base.path) has no value to compare by",
        "Compare runs of a scenario with a floor, or by times: --basis times")
    }
  }

  /// Compares the pairs of a run as it was read: `a` and `b` of A/A pairs, or baseline and candidate of `run --against`.
  ///
  /// - Throws: `ComparisonProblem` when it has no pairs, or a threshold matched nothing.
  package init(sideBySide results: Results, options: ComparisonOptions) throws(ComparisonProblem) {
    guard results.cells.contains(where: { $0.arm?.isBase == true }) else {
      throw ComparisonProblem(
        "\(results.path) has no pairs of cells",
        "Name a second run, or a run that was made with --against or --set aa=true")
    }
    let counts = results.countsInstructions
    self.init(pairsOf: results.cells, mustShow: options.mustShow) { subject in
      options.metrics(
        of: subject,
        over: counts
          ? ComparedMetric.counts : ComparedMetric.sideBySide.primary(results.primary(of: subject.scenario)))
    }
    try appendLatencies(base: [results], head: [results], arePairs: true, Self.significanceSideBySide)
    let own = results.manifest?.executableSummary
    executables = (results.manifest?.beside?.summary ?? own, own)
    guard !rows.isEmpty || !missing.isEmpty else {
      throw ComparisonProblem(
        "no cell of the baseline in \(results.path) has a value",
        "See its ending and reason in cells.csv: its executable may be too old to run beside this one")
    }
    try options.checkThresholds(rows.map { ($0.subject, $0.metric) } + missing.map { ($0.subject, $0.metric) })
  }

  /// Whether runs are of machines that look alike; nil where one does not say.
  static func areOfOneMachine(_ runs: [Results]) -> Bool? {
    // A merged run was measured on the machines of its parts.
    let machines = runs.flatMap { run -> [Machine?] in
      guard let manifest = run.manifest else { return [nil] }
      return manifest.parts?.map(\.machine) ?? [manifest.machine]
    }
    guard machines.allSatisfy({ $0 != nil }) else { return nil }
    return Set(
      machines.map {
        [$0?.cpuModel, $0?.architecture, "\($0?.cores ?? 0)", "\($0?.memoryBytes ?? 0)"]
      }
    ).count == 1
  }

  /// Runs of other sizes are not compared; where a scenario has a floor it does the same work every time.
  private static func checkSameWork(_ base: Results, _ head: Results) throws(ComparisonProblem) {
    let (old, new) = (ComparedCells(base.cells.filter(\.hasFloor)), ComparedCells(head.cells.filter(\.hasFloor)))
    let objects = ComparedMetric("objects")
    for subject in old.subjects {
      guard let before = Statistics.median(old.values(subject, objects)),
        let after = Statistics.median(new.values(subject, objects)), abs(after - before) > before / 10
      else { continue }
      throw ComparisonProblem(
        "\(subject.scenario), \(subject.name(among: [])): \(base.path) wrote \(HumanReadable.count(Int(before))) objects and "
          + "\(head.path) \(HumanReadable.count(Int(after)))", "Compare runs with the same settings")
    }
  }
}

extension [Results] {
  fileprivate func contains(run: String?) -> Bool { contains { $0.cells.first?.key.run == run } }
}

extension CellRow {
  fileprivate var hasFloor: Bool { floorSeconds != nil }
}

extension ComparisonOptions {
  /// The metrics of a subject: its own, changed by thresholds, and columns that only thresholds name.
  func metrics(of subject: ComparedSubject, over own: [ComparedMetric]) -> [ComparedMetric] {
    var metrics = own
    // Later ones override earlier ones, so that a file can begin with the general ones.
    for threshold in thresholds where threshold.matches(subject) {
      if let index = metrics.firstIndex(where: { $0.column == threshold.column }) {
        metrics[index].effectMin = threshold.effect
        metrics[index].isNamed = true
      } else {
        var metric = ComparedMetric(threshold.column, effectMin: threshold.effect)
        metric.isNamed = true
        metrics.append(metric)
      }
    }
    precondition(Set(metrics.map(\.column)).count == metrics.count, "a column of a subject is compared once")
    return metrics
  }

  func checkThresholds(_ compared: [(ComparedSubject, ComparedMetric)]) throws(ComparisonProblem) {
    for threshold in thresholds {
      guard !compared.contains(where: { threshold.matches($0) && $1.column == threshold.column }) else { continue }
      throw ComparisonProblem(
        "\(threshold.source): the threshold of \(threshold) matched nothing that the baseline measured",
        "Name a scenario, strategy and column of it, or remove the threshold")
    }
  }
}
