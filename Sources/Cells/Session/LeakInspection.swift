import Checking
import CoreData
import Measuring
import Scheduling

/// Looks at the end of a cell whether anything lives on that strategy and workload released, and reports it.
///
/// On the main thread.
final class LeakInspection: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.

  /// How long something may be on its way: another thread can hold what the last block held until it is done with it.
  private static let nanosecondsMax: UInt64 = 3_000_000_000
  private static let intervalNanoseconds: UInt64 = 2_000_000

  private let watch: ReleaseWatch
  private var ticker: Ticker?
  private var isOver = false

  init(_ watch: ReleaseWatch) { self.watch = watch }

  /// Looks until nothing is left or time is up, reports what is left, and calls `next`.
  func run(then next: @escaping @Sendable () -> Void) {
    precondition(ticker == nil && !isOver, "an inspection is made once")
    let begin = MonotonicClock.now()
    ticker = Ticker(intervalNanoseconds: Self.intervalNanoseconds, on: .main) { [self] _, _ in
      let isLate = MonotonicClock.now() - begin > Self.nanosecondsMax
      let isGone = watch.livingContexts.isEmpty && watch.livingObservers.isEmpty
      guard !isOver, isLate || isGone else { return }
      isOver = true
      ticker?.stop()
      ticker = nil
      report()
      next()
    }
  }

  private func report() {
    for context in watch.livingContexts {
      CellReports.report(
        Violation(
          kind: .contextLeak, subject: "context \(context)",
          expected: "nothing holds a context once strategy and workload are released",
          seen: "it was still there \(Self.nanosecondsMax / 1_000_000_000) s later"))
    }
    for notifications in watch.livingObservers {
      CellReports.report(
        Violation(
          kind: .observerLeak, subject: "observer of \(notifications)",
          expected: "an observer is removed before strategy and workload are released",
          seen: "it would still be called"))
    }
  }
}
