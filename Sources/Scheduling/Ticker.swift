import Dispatch

/// A repeating timer on a queue that says when each tick was meant to come.
///
/// Ticks missed while the queue was held are reported as one late tick: the earliest missed. The next one is the first that
/// is still in the future.
package final class Ticker: @unchecked Sendable {
  private struct State {
    /// When the next tick is meant to come.
    var next: UInt64
    /// Whether a tick is enqueued and has not begun.
    var isPending = false
  }

  // Sendable: the timer, the only variable part, locks itself.
  private let engine: Engine

  /// Gets the intended and the actual time.
  package typealias Tick = @Sendable (_ intended: UInt64, _ actual: UInt64) -> Void

  private enum Engine {
    case live(any DispatchSourceTimer)
    /// The function that a tick calls, until the ticker stops.
    case simulated(Locked<Tick?>)
  }

  /// Starts ticking every `intervalNanoseconds` on `queue`; `tick` gets the intended and the actual time, both
  /// nanoseconds of the monotonic clock that Dispatch uses (`CLOCK_MONOTONIC`). The actual time is never the earlier.
  package init(
    intervalNanoseconds interval: UInt64, on queue: SerialQueue,
    _ tick: @escaping @Sendable (_ intended: UInt64, _ actual: UInt64) -> Void
  ) {
    precondition(interval > 0, "a ticker's interval is positive")
    engine =
      Simulation.current.map { .simulated(Self.simulate($0, interval, queue, tick)) }
      ?? .live(Self.start(interval, queue, tick))
  }

  private static func simulate(
    _ simulation: Simulation, _ interval: UInt64, _ queue: SerialQueue, _ tick: @escaping Tick
  ) -> Locked<Tick?> {
    let running = Locked<Tick?>(tick)
    @Sendable func schedule(_ intended: UInt64) {
      simulation.at(intended, isTicker: true) {
        guard running.withLock({ $0 != nil }) else { return }
        queue.async {
          guard let tick = running.withLock({ $0 }) else { return }
          let actual = simulation.clock
          schedule(intended + ((actual - intended) / interval + 1) * interval)
          tick(intended, actual)
        }
      }
    }
    schedule(simulation.clock + interval)
    return running
  }

  private static func start(
    _ interval: UInt64, _ queue: SerialQueue, _ tick: @escaping @Sendable (UInt64, UInt64) -> Void
  ) -> any DispatchSourceTimer {
    let first = DispatchTime.now().uptimeNanoseconds + interval
    let timer = DispatchSource.makeTimerSource(flags: .strict, queue: .global(qos: .userInteractive))
    timer.schedule(
      deadline: DispatchTime(uptimeNanoseconds: first), repeating: .nanoseconds(Int(interval)), leeway: .nanoseconds(0))
    let state = Locked(State(next: first))
    timer.setEventHandler {
      let now = DispatchTime.now().uptimeNanoseconds
      let intended: UInt64? = state.withLock { state in
        // The timer may come late, for a tick that a late block has reported already.
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
    return timer
  }

  deinit { stop() }

  /// Stops ticking; a tick already enqueued still comes.
  package func stop() {
    switch engine {
    case .live(let timer): timer.cancel()
    case .simulated(let running): running.withLock { $0 = nil }
    }
  }
}
