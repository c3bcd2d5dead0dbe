import Boundary
import Checking
import CoreData
import Foundation
import Measuring
import Scheduling

/// At the end of a cell, reports objects that outlived their strategy or workload.
///
/// On the main thread.
final class LeakInspection: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.

  /// How long a release may take: another thread can hold the last block's objects until it is done with it.
  private static let secondsMax = 3.0
  private static let intervalNanoseconds: UInt64 = 2_000_000

  /// The next step of an inspection.
  enum Step: Equatable {
    /// It is looked again.
    case look
    /// The living objects are a leak.
    case report
    /// The machine delayed the process too long to judge.
    case giveUp
  }

  private let watch: ReleaseWatch
  private let begin = MonotonicClock.now()
  private var meter: MachineDelayMeter?
  private var ticker: Ticker?
  private var isOver = false

  init(_ watch: ReleaseWatch) { self.watch = watch }

  /// Looks until no object is left or time is up, reports the leaks, and calls `next`.
  func run(then next: @escaping @Sendable () -> Void) {
    precondition(ticker == nil && !isOver, "an inspection is made once")
    ticker = Ticker(intervalNanoseconds: Self.intervalNanoseconds, on: .main) { [self] _, _ in
      guard !isOver else { return }
      let step = look()
      guard step != .look else { return }
      isOver = true
      ticker?.stop()
      ticker = nil
      report(step == .giveUp ? .warning : .error)
      next()
    }
  }

  /// The next step; with nothing alive, a report that is empty.
  private func look() -> Step {
    if watch.livingContexts.isEmpty && watch.livingObservers.isEmpty { return .report }
    let meter = meter ?? MachineDelayMeter(ofProcess: getpid())
    self.meter = meter
    let waited = Double(MonotonicClock.now() - begin) / 1e9
    return waited > Self.secondsMax ? Self.step(afterSeconds: waited, delay: meter.delay()) : .look
  }

  /// The step after so many seconds, when the machine kept the process from running for some of them.
  static func step(afterSeconds waited: Double, delay: MachineDelay) -> Step {
    // The machine's delay is not the strategy's.
    if waited > secondsMax + delay.total { return .report }
    return waited > ChildProcess.starvedLimits * secondsMax ? .giveUp : .look
  }

  private func report(_ severity: Severity) {
    for context in watch.livingContexts {
      CellReports.report(
        Violation(
          kind: .contextLeak, severity: severity, subject: "context \(context)",
          expected: "nothing holds a context once strategy and workload are released",
          seen: "it was still there \(Int(Self.secondsMax)) s later"))
    }
    for notifications in watch.livingObservers {
      CellReports.report(
        Violation(
          kind: .observerLeak, severity: severity, subject: "observer of \(notifications)",
          expected: "an observer is removed before strategy and workload are released",
          seen: "it would still be called"))
    }
  }
}
