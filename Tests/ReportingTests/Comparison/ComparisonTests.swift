import Measuring
import Testing

@testable import Reporting

struct ComparisonTests {
  private static let ratio = ComparedMetric("floor_ratio")

  /// Cells of strategies with floor ratios that vary by a few percent around 2, times a factor.
  private func cells(
    _ factors: [String: Double], count: Int = 10, salt: UInt64 = 0, scenario: String = "import", run: String = "a"
  ) -> [CellRow] {
    var random = SampleGenerator(state: salt)
    return factors.sorted { $0.key < $1.key }.flatMap { strategy, factor in
      (0..<count).map { repetition in
        var key = Samples.key(cell: repetition, scenario: scenario)
        key.strategy = strategy
        key.repetition = repetition
        key.run = run
        var row = CellRow(key: key, verdict: .held)
        row.objects = 100
        row.floorSeconds = 1
        row.untilDurableSeconds = 2 * factor * (1 + 0.04 * (Double.random(in: -1...1, using: &random)))
        return row
      }
    }
  }

  private static let three = ["a": 1.0, "b": 1.0, "c": 1.0]

  @Test func theBaselineThatIsShownIsThatOfTheRatio() throws {
    let slow = cells(["a": 1.5], salt: 1)
    let repeats = [cells(["a": 1], salt: 3, run: "b"), cells(["a": 1], salt: 4, run: "c")]
    let row = try #require(compare(slow, cells(["a": 1], salt: 2), repeats: repeats).rows.first)
    let shown = try #require(row.baseMedian)
    #expect(abs(shown - 2) < 0.2, "\(shown): of all three runs, not of the first")
  }

  private func compare(_ base: [CellRow], _ head: [CellRow], repeats: [[CellRow]] = []) -> Comparison {
    Comparison(base: base, head: head, repeats: repeats) { _ in [Self.ratio] }
  }

  /// Further runs of the same executable, with levels a few percent apart.
  private func repeats(_ levels: [Double] = [0.99, 1.01, 1]) -> [[CellRow]] {
    levels.enumerated().map { number, level in
      cells(["a": level, "b": level, "c": level], salt: UInt64(50 + number), run: "repeat \(number)")
    }
  }

  @Test(arguments: [(1.5, ComparisonRow.Verdict.worse), (1 / 1.5, .better)])
  func aDifferenceFarBeyondThatOfRunsIsShown(factor: Double, verdict: ComparisonRow.Verdict) {
    let comparison = compare(
      cells(Self.three, salt: 1), cells(["a": factor, "b": factor, "c": factor], salt: 2), repeats: repeats())
    #expect(comparison.rows.count == 4)
    #expect(comparison.rows.allSatisfy { $0.verdict == verdict }, "\(comparison.text(colour: false))")
    #expect(comparison.rows.allSatisfy { ($0.noise ?? 0) > 0.02 })
    #expect(!comparison.isInconclusive)
  }

  @Test func runsThatLieWithinTheMinimumEffectAreEquivalent() {
    let comparison = compare(
      cells(Self.three, salt: 1), cells(Self.three, salt: 2), repeats: repeats([1, 1, 1, 1, 1, 1]))
    let together = comparison.rows.first { $0.subject.variant == nil }
    #expect(together?.verdict == .equivalent, "\(comparison.text(colour: false))")
    #expect(!comparison.isInconclusive)
  }

  @Test func runsThatLieFarApartHideADifference() throws {
    let comparison = compare(
      cells(Self.three, salt: 1), cells(["a": 1.1, "b": 1.1, "c": 1.1], salt: 2), repeats: repeats([0.95, 1.03, 1.06]))
    #expect(comparison.rows.allSatisfy { $0.verdict == .inconclusive && ($0.noise ?? 0) > 0.1 })
    #expect(comparison.isInconclusive)
    guard case .runs(let count) = try #require(comparison.planned().rows[0].needed) else {
      Issue.record("runs would decide")
      return
    }
    #expect(count > 4)
    #expect(comparison.text(colour: false).contains("runs of the baseline and of the candidate"))
  }

  @Test(arguments: [0, 1]) func twoRunsAloneAreAdvisory(repeated: Int) {
    let comparison = compare(
      cells(Self.three, salt: 1), cells(["a": 2, "b": 1, "c": 1], salt: 2), repeats: Array(repeats().prefix(repeated)))
    #expect(comparison.rows.allSatisfy { $0.isAdvisory && $0.verdict == .inconclusive && $0.noise == nil })
    #expect(comparison.rows.first { $0.subject.variant?.strategy == "a" }?.leaning == .worse)
    #expect(comparison.regressions.isEmpty && comparison.isInconclusive)
    let text = comparison.text(colour: false)
    #expect(text.contains("inconclusive; slower in these two runs") && text.contains("unknown"), "\(text)")
    #expect(text.contains("advisory: ") && text.contains("--noise-run"))
  }

  @Test func fewCellsHaveNoInterval() {
    let comparison = compare(
      cells(Self.three, count: 4, salt: 1), cells(["a": 2, "b": 2, "c": 2], count: 4, salt: 2))
    #expect(comparison.rows.allSatisfy { $0.estimate.interval == nil && $0.verdict == .inconclusive })
    #expect(comparison.isInconclusive)
  }

  @Test func whatWasNotMeasuredAgainIsMissing() {
    let comparison = compare(cells(Self.three), cells(["a": 1, "c": 1, "d": 1]))
    #expect(comparison.missing.map(\.subject.variant?.strategy) == ["b"])
    #expect(comparison.added.map(\.variant?.strategy) == ["d"])
    let text = comparison.text(colour: false)
    #expect(text.contains("not measured: import, b, floor_ratio: the baseline has it"))
    #expect(text.contains("new: import, d: the baseline does not have it"))
  }

  @Test func aComparisonRepeatsToTheLetter() {
    let (base, head) = (cells(Self.three, salt: 1), cells(Self.three, salt: 2))
    #expect(compare(base, head).text(colour: false) == compare(base, head).text(colour: false))
  }

  // The cells of each strategy have the same numbers, as in runs that were merged.
  @Test func strategiesWhoseCellsHaveTheSameNumbersAreListedAsTheyCame() {
    let names = (10..<40).map { "s\($0)" }
    let rows = cells(Dictionary(uniqueKeysWithValues: names.map { ($0, 1.0) }), count: 1)
    #expect(ComparedCells(rows).subjects.map(\.variant?.strategy) == names)
    #expect(ComparedCells(rows.reversed()).subjects.map(\.variant?.strategy) == names.reversed())
  }

  // MARK: Results

  private func results(_ cells: [CellRow], machine: String? = nil) -> Results {
    var manifest = ManifestTests.manifest
    manifest.machine.cpuModel = machine
    return Results(path: "results", manifest: machine == nil ? nil : manifest, cells: cells)
  }

  private func compare(_ options: ComparisonOptions, base: Results, head: Results) throws -> Comparison {
    try Comparison(base: base, head: head, options: options)
  }

  @Test func timesOfTwoMachinesDoNotCompare() throws {
    var options = ComparisonOptions()
    options.basis = .times
    let rows = cells(Self.three)
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(options, base: results(rows, machine: "old"), head: results(rows, machine: "new"))
    }
    #expect(error?.description.contains("--basis ratios") == true)
    let same = try compare(options, base: results(rows, machine: "old"), head: results(rows, machine: "old"))
    #expect(same.rows.contains { $0.metric.column == "until_durable_s" })
  }

  @Test func timesOfPartsFromTwoMachinesDoNotCompare() throws {
    var options = ComparisonOptions()
    options.basis = .times
    let rows = cells(Self.three)
    func merged(_ machines: [String]) throws -> Results {
      var whole = results(rows, machine: machines[0])
      var manifest = try #require(whole.manifest)
      manifest.parts = machines.map { name in
        var machine = manifest.machine
        machine.cpuModel = name
        return Manifest.Part(run: name, shard: nil, startedAt: manifest.startedAt, machine: machine)
      }
      whole.manifest = manifest
      return whole
    }
    let base = results(rows, machine: "old")
    #expect(throws: ComparisonProblem.self) { try compare(options, base: base, head: merged(["old", "new"])) }
    #expect(try compare(options, base: base, head: merged(["old", "old"])).rows.isEmpty == false)
  }

  @Test func withoutAFloorTimesAreComparedOnOneMachine() throws {
    let rows = cells(Self.three).map { row in
      var row = row
      row.floorSeconds = nil
      return row
    }
    let comparison = try compare(
      ComparisonOptions(), base: results(rows, machine: "old"), head: results(rows, machine: "old"))
    #expect(Set(comparison.rows.map(\.metric.column)) == ["until_durable_s"])
    // The primary measure, CPU time, was not measured.
    #expect(comparison.rows.allSatisfy { $0.metric.isPrimary })
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(ComparisonOptions(), base: results(rows, machine: "old"), head: results(rows, machine: "new"))
    }
    #expect(error?.description.contains("has no value to compare by") == true)
  }

  private func threshold(_ strategy: String?, _ column: String, _ effect: Double) -> Threshold {
    Threshold(scenario: "import", strategy: strategy, column: column, effect: effect, source: "t.yml:2")
  }

  @Test func aThresholdSaysWhatCounts() throws {
    let (base, head) = (cells(Self.three, salt: 1), cells(["a": 1.4, "b": 1, "c": 1], salt: 2, run: "head"))
    var options = ComparisonOptions()
    options.repeats = repeats([1, 1, 1, 1]).map { results($0) }
    let without = try compare(options, base: results(base), head: results(head))
    #expect(!without.regressions.isEmpty)
    options.thresholds = [threshold(nil, "floor_ratio", 0.6), threshold(nil, "until_durable_s", 0.7)]
    let comparison = try compare(options, base: results(base), head: results(head))
    #expect(comparison.regressions.isEmpty, "\(comparison.text(colour: false))")
    let named = comparison.rows.filter { $0.metric.column == "until_durable_s" }
    #expect(named.count == 4 && named.allSatisfy { $0.metric.effectMin == 0.7 && $0.metric.role == "threshold" })

    options.thresholds = [threshold("z", "floor_ratio", 0.3)]
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(options, base: results(base), head: results(head))
    }
    #expect(error?.description.hasPrefix("t.yml:2: the threshold of import, z, floor_ratio matched nothing") == true)
  }

  @Test func aRunIsNoRepeatOfItself() throws {
    let (base, head) = (results(cells(Self.three, salt: 1)), results(cells(Self.three, salt: 2, run: "head")))
    var options = ComparisonOptions()
    options.repeats = [base, head, results(repeats()[0])]
    #expect(try compare(options, base: base, head: head).rows.allSatisfy { $0.isAdvisory })
    options.repeats.append(results(repeats()[0]))
    #expect(try compare(options, base: base, head: head).rows.allSatisfy { $0.isAdvisory }, "one repeat, named twice")
    options.repeats.append(results(repeats()[1]))
    #expect(try compare(options, base: base, head: head).rows.allSatisfy { !$0.isAdvisory })
  }

  @Test func aRunThatBecomesSlowerSaysSo() {
    let drifting = cells(Self.three, salt: 2).map { row in
      var row = row
      row.untilDurableSeconds = (row.untilDurableSeconds ?? 0) * (1 + 0.02 * Double(row.key.repetition))
      return row
    }
    let comparison = Comparison(base: cells(Self.three, salt: 1), head: drifting) { _ in
      [Self.ratio].primary("floor_ratio")
    }
    #expect(comparison.drifts.map(\.run) == ["candidate"])
    #expect(comparison.drifts.allSatisfy { abs($0.change - 0.18) < 0.06 })
    #expect(comparison.text(colour: false).contains("drift: import, candidate: floor_ratio changed by "))
  }

  @Test func theFloorIsTakenOffAsFarAsItHelps() throws {
    // The time follows the floor by half, which is far more than its own noise.
    func rows(_ run: String, _ salt: UInt64) -> [CellRow] {
      cells(Self.three, salt: salt, run: run).map { row in
        var row = row
        let machine = 1 + 0.5 * Double((row.key.repetition * 7 + Int(salt)) % 10) / 10
        row.floorSeconds = machine * machine
        row.untilDurableSeconds = (row.untilDurableSeconds ?? 0) * machine
        return row
      }
    }
    func width(_ isOfOneMachine: Bool) throws -> Double {
      let comparison = Comparison(base: rows("a", 1), head: rows("b", 2), isOfOneMachine: isOfOneMachine) { _ in
        [ComparedMetric("until_durable_s")]
      }
      let interval = try #require(comparison.rows.first?.estimate.interval)
      return interval.high / interval.low - 1
    }
    #expect(try width(true) < width(false) / 2)
    let covariate = FloorCovariate(groups: [rows("a", 1)], ComparedMetric("until_durable_s"))
    #expect(abs(covariate.slope - 0.5) < 0.1)
  }

  @Test func oneMeasureIsPrimary() throws {
    let rows = cells(Self.three).map { row in
      var row = row
      row.processor = Samples.processor()
      row.mainThread = MainThreadTime(total: 1)
      return row
    }
    func roles(_ base: Results, _ basis: ComparisonOptions.Basis) throws -> [String: String] {
      var options = ComparisonOptions()
      options.basis = basis
      let compared = try compare(options, base: base, head: results(rows, machine: "old"))
      return Dictionary(compared.rows.map { ($0.metric.column, $0.metric.role) }) { first, _ in first }
    }
    var base = results(rows, machine: "old")
    #expect(
      try roles(base, .times) == [
        "cpu_s": "primary", "until_durable_s": "secondary", "main_thread_s": "secondary",
      ])
    #expect(try roles(base, .ratios) == ["floor_ratio": "primary", "main_thread_floor_ratio": "secondary"])
    base.primaries = ["import": "main_thread_s"]
    #expect(try roles(base, .times)["main_thread_s"] == "primary")
    #expect(try roles(base, .times)["cpu_s"] == "secondary")
    #expect(try roles(base, .ratios) == ["floor_ratio": "secondary", "main_thread_floor_ratio": "primary"])
    base.primaries = ["import": "recording_s"]
    #expect(try roles(base, .automatic)["recording_s"] == nil, "it was not measured")
    #expect(try roles(base, .automatic)["until_durable_s"] != nil)
  }

  @Test func aSecondaryMeasureDecidesNothing() {
    func rows(_ factor: Double, _ salt: UInt64) -> [CellRow] {
      cells(Self.three, salt: salt).map { row in
        var row = row
        row.mainThread = MainThreadTime(total: factor * (row.untilDurableSeconds ?? 0))
        return row
      }
    }
    let comparison = Comparison(
      base: rows(1, 1), head: rows(2, 2), repeats: (3...6).map { rows(1, $0) }
    ) { _ in [ComparedMetric("until_durable_s"), ComparedMetric("main_thread_s")].primary("until_durable_s") }
    let secondary = comparison.rows.filter { !$0.metric.isPrimary }
    #expect(secondary.count == 4 && secondary.allSatisfy { $0.verdict == .worse })
    #expect(comparison.regressions.isEmpty)
    #expect(comparison.text(colour: false).contains("secondary: worse in 4 of 4 comparisons"))
  }

  @Test func runsOfOtherSizesAreRefused() {
    let small = cells(Self.three).map { row in
      var row = row
      row.objects = 10
      return row
    }
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(ComparisonOptions(), base: results(cells(Self.three)), head: results(small))
    }
    #expect(error?.description.contains("wrote 100 objects and results 10") == true)
  }
}
