import Testing

@testable import Reporting

struct ComparisonTests {
  private static let ratio = ComparedMetric("floor_ratio")

  /// Cells of strategies whose floor ratios vary by a few percent around 2, times a factor.
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

  private func compare(_ base: [CellRow], _ head: [CellRow], repeats: [[CellRow]] = []) -> Comparison {
    Comparison(base: base, head: head, repeats: repeats) { _ in [Self.ratio] }
  }

  @Test(arguments: 1...20) func theSameThingShowsNoDifference(salt: UInt64) {
    let comparison = compare(cells(Self.three, salt: salt), cells(Self.three, salt: salt + 100))
    #expect(comparison.rows.count == 4)
    #expect(comparison.rows.allSatisfy { $0.verdict == .noDifference }, "\(comparison.text(colour: false))")
  }

  @Test(arguments: [(1.15, ComparisonRow.Verdict.worse), (1 / 1.15, .better)])
  func aStrategyThatDiffersIsNamed(factor: Double, verdict: ComparisonRow.Verdict) {
    let comparison = compare(cells(Self.three, salt: 1), cells(["a": 1, "b": factor, "c": 1], salt: 2))
    let row = comparison.rows.first { $0.subject.variant?.strategy == "b" }
    #expect(row?.verdict == verdict)
    #expect(comparison.rows.count { $0.verdict != .noDifference } == 1, "\(comparison.text(colour: false))")
    #expect((row?.interval?.ratio ?? 0) > 0.9 * factor && (row?.interval?.ratio ?? 0) < 1.1 * factor)
  }

  @Test func whatAllHaveInCommonIsShownTogether() {
    let comparison = compare(
      cells(Self.three, salt: 1), cells(["a": 1.08, "b": 1.08, "c": 1.08], salt: 2))
    let together = comparison.rows.first { $0.subject.variant == nil }
    #expect(together?.verdict == .worse)
    #expect(together?.headCount == 10)
  }

  @Test func aDifferenceBelowWhatCountsIsNone() {
    let comparison = compare(cells(Self.three, salt: 1), cells(["a": 1.04, "b": 1.04, "c": 1.04], salt: 2))
    #expect(comparison.rows.allSatisfy { $0.verdict == .noDifference })
  }

  @Test func whatRunsOfTheSameThingShowIsNoDifference() {
    let base = cells(Self.three, salt: 1)
    let head = cells(["a": 1.1, "b": 1.1, "c": 1.1], salt: 2)
    #expect(!compare(base, head).regressions.isEmpty)
    let noisy = compare(base, head, repeats: [cells(["a": 0.85, "b": 0.85, "c": 0.85], salt: 3)])
    #expect(noisy.rows.allSatisfy { $0.verdict == .noDifference && $0.noise > 0.1 }, "\(noisy.text(colour: false))")
  }

  @Test func whatTheArmsOfARunShowIsNoDifference() {
    func armed(_ rows: [CellRow], _ arm: Arm) -> [CellRow] {
      rows.map { row in
        var row = row
        row.arm = arm
        return row
      }
    }
    let base = armed(cells(Self.three, salt: 1), .a) + armed(cells(["a": 0.8, "b": 1, "c": 1], salt: 2), .b)
    let head = cells(["a": 1.1, "b": 1.1, "c": 1.1], salt: 3)
    let comparison = compare(base, head)
    func row(_ strategy: String) -> ComparisonRow? {
      comparison.rows.first { $0.subject.variant?.strategy == strategy }
    }
    #expect(row("a")?.verdict == .noDifference && (row("a")?.noise ?? 0) > 0.2)
    #expect(row("b")?.verdict == .worse)
  }

  @Test func tooFewCellsAreNotCalledTheSame() {
    let comparison = compare(cells(Self.three, count: 3, salt: 1), cells(Self.three, count: 3, salt: 2))
    #expect(comparison.rows.allSatisfy { $0.verdict == .tooFewCells })
    #expect(comparison.text(colour: false).contains("too few cells: no difference can be shown in 4 of 4 rows"))
    #expect(comparison.text(colour: false).contains("--repetitions 10"))
  }

  @Test func whatWasNotMeasuredAgainIsMissing() {
    let comparison = compare(cells(Self.three), cells(["a": 1, "c": 1, "d": 1]))
    #expect(comparison.missing.map(\.subject.variant?.strategy) == ["b"])
    #expect(comparison.added.map(\.variant?.strategy) == ["d"])
    let text = comparison.text(colour: false)
    #expect(text.contains("not measured: import, b, floor_ratio: the base has it"))
    #expect(text.contains("new: import, d: the base does not have it"))
  }

  @Test func aComparisonRepeatsToTheLetter() {
    let (base, head) = (cells(Self.three, salt: 1), cells(Self.three, salt: 2))
    #expect(compare(base, head).text(colour: false) == compare(base, head).text(colour: false))
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
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(ComparisonOptions(), base: results(rows, machine: "old"), head: results(rows, machine: "new"))
    }
    #expect(error?.description.contains("has no value to compare by") == true)
  }

  @Test func aThresholdSaysWhatCounts() throws {
    let (base, head) = (cells(Self.three, salt: 1), cells(["a": 1.15, "b": 1, "c": 1], salt: 2))
    var options = ComparisonOptions()
    let threshold = { (strategy: String?, column: String, effect: Double) in
      Threshold(scenario: "import", strategy: strategy, column: column, effect: effect, source: "t.yml:2")
    }
    options.thresholds = [threshold("a", "floor_ratio", 0.3), threshold(nil, "until_durable_s", 0.5)]
    let comparison = try compare(options, base: results(base), head: results(head))
    #expect(comparison.regressions.isEmpty)
    #expect(comparison.rows.contains { $0.metric == ComparedMetric("until_durable_s", effectMin: 0.5) })

    options.thresholds = [threshold("z", "floor_ratio", 0.3)]
    let error = #expect(throws: ComparisonProblem.self) {
      try compare(options, base: results(base), head: results(head))
    }
    #expect(error?.description.hasPrefix("t.yml:2: the threshold of import, z, floor_ratio matched nothing") == true)
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
