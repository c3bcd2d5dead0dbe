import Dispatch

/// A repeating timer on a queue that says when each tick was meant to come.
///
/// Ticks missed while the queue was held are told as one late tick: the earliest missed. The next one is the first that
/// is still in the future.
package final class Ticker: @unchecked Sendable {
  // Sendable: `next` is only touched by the timer's handler; the timer locks itself.
  private let timer: any DispatchSourceTimer
  private let interval: UInt64
  private var next: UInt64

  /// Starts ticking every `intervalNanoseconds` on `queue`; `tick` gets the intended and the actual time, both
  /// nanoseconds of the monotonic clock that Dispatch uses (`CLOCK_MONOTONIC`).
  package init(
    intervalNanoseconds interval: UInt64, on queue: SerialQueue,
    _ tick: @escaping @Sendable (_ intended: UInt64, _ actual: UInt64) -> Void
  ) {
    precondition(interval > 0, "a ticker's interval is positive")
    let start = DispatchTime.now().uptimeNanoseconds
    self.interval = interval
    next = start + interval
    timer = DispatchSource.makeTimerSource(flags: .strict, queue: .global(qos: .userInteractive))
    timer.schedule(
      deadline: DispatchTime(uptimeNanoseconds: next), repeating: .nanoseconds(Int(interval)), leeway: .nanoseconds(0))
    let isPending = Locked(false)
    timer.setEventHandler { [unowned self] in
      let skip = isPending.withLock { pending in
        defer { pending = true }
        return pending
      }
      guard !skip else { return }
      let intended = next
      queue.async { [weak self] in
        let actual = DispatchTime.now().uptimeNanoseconds
        self?.advance(past: actual)
        isPending.withLock { $0 = false }
        tick(intended, actual)
      }
    }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Stops ticking; a tick already enqueued still comes.
  package func stop() { timer.cancel() }

  private func advance(past actual: UInt64) {
    if actual >= next { next += ((actual - next) / interval + 1) * interval }
  }
}
