import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The runs of a baseline and of a candidate, as logarithms of a metric.
struct ComparedRuns {
  private let base: [ComparedCells]
  private let head: [ComparedCells]
  /// Whether the floor's share of the variation is taken off the values.
  private let isOfOneMachine: Bool

  init(base: [ComparedCells], head: [ComparedCells], isOfOneMachine: Bool) {
    precondition(!base.isEmpty && !head.isEmpty, "the baseline and the candidate ran at least once each")
    self.base = base
    self.head = head
    self.isOfOneMachine = isOfOneMachine
  }

  /// The logarithms of every run of either side.
  struct Samples {
    var base: [[Double]]
    var head: [[Double]]
  }

  /// The cells of a subject; runs without any are left out.
  func samples(_ subject: ComparedSubject, _ metric: ComparedMetric) -> Samples {
    let covariate = covariate(subject.scenario, metric)
    func logarithms(_ run: ComparedCells) -> [Double] {
      run.rows(subject).compactMap { covariate.logarithm(of: $0, metric) }
    }
    return Samples(
      base: base.map(logarithms).filter { !$0.isEmpty }, head: head.map(logarithms).filter { !$0.isEmpty })
  }

  /// A value for each repetition of each run: how high all strategies lie together, each against its own centre in the
  /// base, so that those that take long do not outweigh the others.
  ///
  /// One value a repetition, since its cells share a floor and are not independent. Nil with fewer than two strategies that
  /// all runs have.
  func levels(_ scenario: String, _ metric: ComparedMetric) -> Samples? {
    let covariate = covariate(scenario, metric)
    func logarithms(_ run: ComparedCells, _ subject: ComparedSubject) -> [(repetition: Int, value: Double)] {
      run.rows(subject).compactMap { row in
        covariate.logarithm(of: row, metric).map { (row.key.repetition, $0) }
      }
    }
    let common = base[0].subjects.filter { subject in
      subject.scenario == scenario && (base + head).allSatisfy { !logarithms($0, subject).isEmpty }
    }
    guard common.count >= 2 else { return nil }
    let centres = common.map { subject in
      Statistics.centre(base.flatMap { logarithms($0, subject).map(\.value) }) ?? 0
    }
    func level(_ run: ComparedCells) -> [Double] {
      let values = zip(common, centres).flatMap { subject, centre in
        logarithms(run, subject).map { ($0.repetition, $0.value - centre) }
      }
      return Dictionary(grouping: values, by: \.0).sorted { $0.key < $1.key }
        .compactMap { Statistics.centre($0.value.map(\.1)) }
    }
    let levels = Samples(base: base.map(level), head: head.map(level))
    precondition((levels.base + levels.head).allSatisfy { !$0.isEmpty }, "what all runs have gives each a level")
    return levels
  }

  private func covariate(_ scenario: String, _ metric: ComparedMetric) -> FloorCovariate {
    guard isOfOneMachine, metric.column.hasSuffix("_s") else { return FloorCovariate() }
    return FloorCovariate(
      groups: (base + head).flatMap { run in
        run.subjects.filter { $0.scenario == scenario }.map { subject in run.rows(subject) }
      }, metric)
  }
}

extension Results {
  /// The measure on which a comparison of a scenario rests.
  package func primary(of scenario: String) -> String { primaries[scenario] ?? ComparedMetric.primaryDefault }
}
