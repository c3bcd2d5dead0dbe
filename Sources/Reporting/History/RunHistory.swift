import Foundation
import Measuring

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// How measures went over many runs, and where they changed.
package struct RunHistory: Sendable {
  /// A run of the history.
  package struct Run: Sendable, Hashable {
    package var name: String
    package var revision: String?
    package var startedAt: Date
  }

  /// The median of a run's cells.
  package struct Point: Sendable, Hashable {
    /// Number of the run.
    package var run: Int
    package var median: Double
  }

  /// A step from one level to another.
  package struct Change: Sendable, Hashable {
    /// Number of the first run of the new level.
    package var run: Int
    /// Of the runs since the change before, and until the next one.
    package var before: Double
    package var after: Double
    package var p: Double

    /// As a relative difference.
    package var difference: Double { after / before - 1 }
  }

  /// A strategy by one measure.
  package struct Series: Sendable, Hashable {
    package var scenario: String
    package var name: String
    package var column: String
    package var points: [Point]
    package var changes: [Change]
  }

  /// In the order of their start.
  package let runs: [Run]
  package let series: [Series]
  /// Runs that are too few to see a change in.
  package var isTooShort: Bool { runs.count < 2 * ChangePoints.segmentMin }

  /// Looks for changes in runs as they were read.
  ///
  /// Runs of one machine are compared by CPU seconds (or the primary measure of the scenario), time until visible and
  /// main-thread time; others by multiples of the floor.
  ///
  /// - Parameter level: probability at which a change counts, for each series.
  /// - Throws: `ReportingError` for results without a manifest, which have no place in time.
  package init(_ results: [Results], level: Double) throws(ReportingError) {
    for run in results where run.manifest == nil {
      throw ReportingError(
        path: run.path, cause: "is a file, and has no place in time",
        remedy: "Name results folders, or a folder of them")
    }
    let ordered = results.sorted { ($0.manifest?.startedAt ?? .distantPast) < ($1.manifest?.startedAt ?? .distantPast) }
    runs = ordered.compactMap(\.manifest).map { Run(name: $0.run, revision: $0.revision, startedAt: $0.startedAt) }
    precondition(runs.count == ordered.count, "points number the runs in this order")
    let isOneMachine = Comparison.areOfOneMachine(ordered) == true
    let cells = ordered.map { ComparedCells($0.cells) }
    var subjects: [ComparedSubject] = []
    for subject in cells.flatMap(\.subjects) where !subjects.contains(subject) { subjects.append(subject) }
    var random = ResamplingGenerator()
    var found: [Series] = []
    for subject in subjects {
      for metric in Self.metrics(ordered.last?.primary(of: subject.scenario), isOneMachine) {
        let points = cells.enumerated().compactMap { number, run in
          Statistics.median(run.values(subject, metric)).flatMap { $0 > 0 ? Point(run: number, median: $0) : nil }
        }
        guard points.count >= 2 else { continue }
        let changes = ChangePoints.find(points.map { log($0.median) }, level: level, using: &random)
        found.append(
          Series(
            scenario: subject.scenario, name: subject.name(among: subjects), column: metric.column, points: points,
            changes: Self.changes(changes, points)))
      }
    }
    series = found
  }

  private static func metrics(_ primary: String?, _ isOneMachine: Bool) -> [ComparedMetric] {
    guard isOneMachine else { return ComparedMetric.ratios }
    var columns = [primary ?? ComparedMetric.primaryDefault]
    for column in ["until_visible_s", "main_thread_s"] where !columns.contains(column) { columns.append(column) }
    return columns.map { ComparedMetric($0) }
  }

  private static func changes(_ found: [ChangePoints.Change], _ points: [Point]) -> [Change] {
    let bounds = [0] + found.map(\.index) + [points.count]
    return found.enumerated().map { number, change in
      func level(_ range: Range<Int>) -> Double { Statistics.median(points[range].map(\.median)) ?? 0 }
      precondition(
        bounds[number] < change.index && change.index < bounds[number + 2], "a change has points on either side")
      return Change(
        run: points[change.index].run, before: level(bounds[number]..<change.index),
        after: level(change.index..<bounds[number + 2]), p: change.p)
    }
  }
}
