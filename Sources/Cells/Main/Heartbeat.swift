import Checking
import Measuring
import Scheduling

/// Ticks on the main queue and measures how late each tick comes, from the intended instant.
final class Heartbeat: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.

  /// A tick later than this is worth a record in the history.
  static let recordedStallNanoseconds: UInt64 = 1_000_000

  private var ticker: Ticker?
  private let recorder: WorkerRecorder
  private let meter: MainThreadMeter
  private let measures: Bool
  /// How late main was for each tick that was due, including those that a late one replaces.
  private(set) lazy var lateness = LatencyRecorder()
  private(set) var ticks = 0
  private var late: UInt64 = 0
  /// How long main had run, and been in line for a processor, at the last tick.
  private var usage = Usage()
  private var waiting: (@Sendable () -> Void)?

  /// - Parameter measures: whether the ticks' lateness is measured; not in a simulation, where the clock means nothing.
  init(recorder: WorkerRecorder, meter: MainThreadMeter, measures: Bool = true) {
    self.recorder = recorder
    self.meter = meter
    self.measures = measures
  }

  /// The lateness of the ticks; nil without a tick.
  var summary: StallSummary? {
    measures && ticks > 0 ? StallSummary(ticks: lateness.count, late: late, lateness: lateness.summary()) : nil
  }

  /// Starts ticking `hertz` times a second, not at all for 0; `onTick` gets the number of the tick, from 0.
  func start(hertz: Int, onTick: @escaping @Sendable (Int) -> Void) {
    guard hertz > 0 else { return }
    precondition(ticker == nil && ticks == 0, "a cell has one heartbeat")
    usage = .now()
    let interval = UInt64(1_000_000_000 / hertz)
    ticker = Ticker(intervalNanoseconds: interval, on: .main) { [self] intended, actual in
      // A tick can be under way when the cell is over.
      guard ticker != nil else { return }
      meter.measure(.harness) {
        if measures { measure(intended, actual, every: interval) }
        ticks += 1
        onTick(ticks - 1)
      }
      // Once, and no longer held: the waiting block holds the cell, and so this.
      waiting.take()?()
    }
  }

  private func measure(_ intended: UInt64, _ actual: UInt64, every interval: UInt64) {
    let nanoseconds = actual > intended ? actual - intended : 0
    lateness.record(nanoseconds, every: interval)
    // Of those it replaces, all but the last were later than one interval too.
    if nanoseconds > interval { late += (nanoseconds - 1) / interval }
    let last = usage
    usage = .now()
    let held = usage.held(since: last, late: nanoseconds, every: interval)
    precondition(held <= nanoseconds, "main was held no longer than its tick came late")
    precondition(late <= lateness.count, "of the ticks some are late")
    if held > Self.recordedStallNanoseconds { recorder.history.record(.info, .stall, value: Int64(held)) }
  }

  /// Calls `body` on the main thread: at once when there was a tick or there will be none, else after the first.
  func afterFirstTick(_ body: @escaping @Sendable () -> Void) {
    precondition(waiting == nil, "the first tick is waited for once, by the end of the cell")
    if ticks > 0 || ticker == nil { body() } else { waiting = body }
  }

  /// Stops ticking.
  func stop() {
    ticker?.stop()
    ticker = nil
  }
}

extension Heartbeat {
  /// Nanoseconds that the main thread has run, and has waited to run, so far.
  struct Usage {
    /// On a processor.
    var ran: UInt64 = 0
    /// In line for one.
    var waited: UInt64 = 0

    /// Of the calling thread.
    static func now() -> Usage {
      Usage(ran: ThreadUsage.ofCurrentThread()?.cpuNanoseconds() ?? 0, waited: ProcessorDelay.ofThisThread())
    }

    /// How long the strategy held a tick that came so late.
    ///
    /// Time in which main waited for a processor is not charged. A virtual machine's kernel may count more of it than there was,
    /// so at least the time in which main ran is charged, less one interval, which it may have run before the tick was due.
    func held(since last: Usage, late: UInt64, every interval: UInt64) -> UInt64 {
      func grown(_ now: UInt64, _ before: UInt64) -> UInt64 { now - min(now, before) }
      let unexplained = grown(late, grown(waited, last.waited))
      return max(unexplained, min(late, grown(grown(ran, last.ran), interval)))
    }
  }
}
