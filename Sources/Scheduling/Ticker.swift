import Dispatch

/// A repeating timer on a queue that says when each tick was meant to come.
///
/// Ticks missed while the queue was held are told as one late tick: the earliest missed. The next one is the first that
/// is still in the future.
package final class Ticker: @unchecked Sendable {
  private struct State {
    /// When the next tick is meant to come.
    var next: UInt64
    /// Whether a tick is enqueued and has not begun.
    var isPending = false
  }

  // Sendable: the timer, the only variable part, locks itself.
  private let timer: any DispatchSourceTimer

  /// Starts ticking every `intervalNanoseconds` on `queue`; `tick` gets the intended and the actual time, both
  /// nanoseconds of the monotonic clock that Dispatch uses (`CLOCK_MONOTONIC`). The actual time is never the earlier.
  package init(
    intervalNanoseconds interval: UInt64, on queue: SerialQueue,
    _ tick: @escaping @Sendable (_ intended: UInt64, _ actual: UInt64) -> Void
  ) {
    precondition(interval > 0, "a ticker's interval is positive")
    let first = DispatchTime.now().uptimeNanoseconds + interval
    timer = DispatchSource.makeTimerSource(flags: .strict, queue: .global(qos: .userInteractive))
    timer.schedule(
      deadline: DispatchTime(uptimeNanoseconds: first), repeating: .nanoseconds(Int(interval)), leeway: .nanoseconds(0))
    let state = Locked(State(next: first))
    timer.setEventHandler {
      let now = DispatchTime.now().uptimeNanoseconds
      let intended: UInt64? = state.withLock { state in
        // The timer may come late, for a tick that a late block has told already.
        guard !state.isPending, now >= state.next else { return nil }
        state.isPending = true
        return state.next
      }
      guard let intended else { return }
      queue.async {
        let actual = DispatchTime.now().uptimeNanoseconds
        state.withLock { state in
          state.next = intended + ((actual - intended) / interval + 1) * interval
          state.isPending = false
        }
        tick(intended, actual)
      }
    }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// Stops ticking; a tick already enqueued still comes.
  package func stop() { timer.cancel() }
}
