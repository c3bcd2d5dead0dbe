import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Two runs compared with each other, row by row.
///
/// A row is worse or better when a test shows that its ratio exceeds the minimum effect, equivalent when its interval lies
/// within the minimum effect, and else inconclusive. Tests are corrected within a family: the rows of one metric, those of
/// all strategies together apart from the single ones.
package struct Comparison: Sendable {
  /// Share of A/A comparisons of runs that may show a regression in any row that decides.
  package static let significance = 0.05

  /// Every row that both runs have.
  package internal(set) var rows: [ComparisonRow] = []
  /// Rows of the baseline that the candidate has no value for.
  package internal(set) var missing: [Missing] = []
  /// Measures that were nothing and are something, or the other way round, so that there is no ratio.
  package internal(set) var appearances: [Appearance] = []
  /// Subjects of the candidate that the baseline does not have.
  package internal(set) var added: [ComparedSubject] = []
  /// The relative difference that every row must show or exclude; nil = none.
  package internal(set) var mustShow: Double?
  /// Runs with cells that became slower or faster from the first to the last.
  package internal(set) var drifts: [Drift] = []
  /// Summaries of the baseline's executable and the candidate's; nil where nothing is known.
  var executables: (base: String?, head: String?)
  /// The evidence from which each row is planned.
  var evidence: [Evidence] = []
  /// Whether the rows have their plans.
  var isPlanned = false

  /// A row of the baseline that was not measured again.
  package struct Missing: Sendable, Hashable {
    package var subject: ComparedSubject
    package var metric: ComparedMetric
  }

  /// A measure that appeared, or is gone.
  package struct Appearance: Sendable, Hashable {
    package var subject: ComparedSubject
    package var metric: ComparedMetric
    package var baseMedian: Double
    package var headMedian: Double
  }

  /// A run that drifted.
  package struct Drift: Sendable, Hashable {
    package var scenario: String
    package var metric: ComparedMetric
    /// `baseline`, `repeat 1` and so on, or `candidate`.
    package var run: String
    /// From the first repetition to the last, as a relative difference.
    package var change: Double
    package var p: Double
  }

  /// The basis of a row.
  enum Evidence: Sendable {
    /// Logarithms of the ratios of pairs.
    case pairs([Double])
    /// Counts of pairs.
    case counts(CountEffect)
    /// Several runs.
    case runs(RunEffect)
    /// Two runs, between which nothing is known.
    case twoRuns
  }

  /// Nothing compared yet.
  init(mustShow: Double?) {
    precondition(mustShow.map { $0 > 0 } ?? true, "a difference that must show is above 0")
    self.mustShow = mustShow
  }

  /// Rows that are worse, and by which the verdict is made.
  package var regressions: [ComparisonRow] { rows.filter { $0.metric.isDeciding && $0.verdict == .worse } }
  /// Rows that are better, and by which the verdict is made.
  package var improvements: [ComparisonRow] { rows.filter { $0.metric.isDeciding && $0.verdict == .better } }

  /// Whether no primary row decides anything, a row that a threshold names does not, or any where all must.
  package var isInconclusive: Bool {
    func isOpen(_ row: ComparisonRow) -> Bool { row.verdict == .inconclusive }
    if mustShow != nil, rows.contains(where: { !$0.metric.isOfLatencies && isOpen($0) }) { return true }
    if rows.contains(where: { $0.metric.isNamed && isOpen($0) }) { return true }
    return isPrimaryOpen
  }

  /// Whether no primary row decides anything.
  var isPrimaryOpen: Bool { rows.filter { $0.metric.isPrimary }.allSatisfy { $0.verdict == .inconclusive } }

  /// The logarithms of the ratios of a row's pairs; none of a row of runs.
  package func logarithms(_ row: Int) -> [Double] {
    precondition(evidence.count == rows.count, "every row has its evidence")
    return switch evidence[row] {
    case .pairs(let logarithms): logarithms
    case .counts(let effect): effect.logarithms
    case .runs, .twoRuns: []
    }
  }

  /// Notes a measure where one side has nothing but zeros and the other has more.
  mutating func note(_ subject: ComparedSubject, _ metric: ComparedMetric, base: [Double], head: [Double]) {
    guard let old = Statistics.median(base), let new = Statistics.median(head),
      base.contains(where: { $0 > 0 }) != head.contains(where: { $0 > 0 })
    else { return }
    appearances.append(Appearance(subject: subject, metric: metric, baseMedian: old, headMedian: new))
  }

  mutating func append(_ row: ComparisonRow, _ evidence: Evidence) {
    precondition(row.pWorse >= 0 && row.pBetter >= 0, "a probability is a number, and not negative")
    if case .pairs(let logarithms) = evidence {
      let sizes = [row.baseCount, row.headCount]
      precondition(sizes == [logarithms.count, logarithms.count], "a pair has one value of either side")
    }
    rows.append(row)
    self.evidence.append(evidence)
  }
}

/// How two runs are compared.
package struct ComparisonOptions: Sendable {
  /// The measurements that are compared.
  package enum Basis: String, Sendable, CaseIterable {
    /// Times, if all runs are of one machine, and else multiples of the floor.
    case automatic
    /// Multiples of the floor, and bytes: across machines.
    case ratios
    /// Times and bytes: on one machine.
    case times
  }

  package var basis = Basis.automatic
  package var thresholds: [Threshold] = []
  /// Further runs of the baseline's executable, which show how much two runs of one executable differ.
  package var repeats: [Results] = []
  /// The relative difference that every row must show or exclude; nil = none.
  package var mustShow: Double?

  package init() {}
}

/// Why two runs cannot be compared, and the remedy.
package struct ComparisonProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ what: String, _ remedy: String) { description = "\(what). \(remedy)" }
}

/// Random numbers for resampling: the same for every comparison, so that a report can be repeated.
///
/// - SeeAlso: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
struct ResamplingGenerator: RandomNumberGenerator {
  private var state: UInt64 = 0x5EED

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
