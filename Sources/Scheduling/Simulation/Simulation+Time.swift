// The clock of a simulation.

extension Simulation {
  /// Runs `block`, as a task of its own, once the clock is there; a ticker's alone keeps no simulation open.
  func at(_ time: UInt64, isTicker: Bool = false, _ block: @escaping @Sendable () -> Void) {
    let process = Self.task?.process ?? first
    timers.add(SimulatedTimers.Timer(due: time, isTicker: isTicker, action: .task(block, process)))
  }

  /// Makes tasks parked on `object` look again once the clock is there.
  func wake(_ object: AnyObject, at time: UInt64) {
    timers.add(SimulatedTimers.Timer(due: time, isTicker: false, action: .wake(ObjectIdentifier(object))))
  }

  /// Continues while nothing but tickers is left, until this is called with false; in the calling task's simulation.
  package static func keepOpen(_ isOpen: Bool) { current?.isKeptOpen = isOpen }

  /// Lets the calling task wait for so long by its simulation's clock, while others run.
  package static func wait(nanoseconds: UInt64) {
    guard let task else { return }
    let simulation = task.simulation
    let end = simulation.clock + nanoseconds
    uninterrupted {
      simulation.wake(task, at: end)
      while simulation.clock < end {
        simulation.park(task, .parked(on: ObjectIdentifier(task), reason: "a moment to pass"))
      }
    }
  }

  /// Names an event that may come from outside, and never comes to the calling task's simulation.
  package static func hasUnseen(_ event: String) { current?.unseen = event }

  /// Whether the calling thread is a task of a simulation.
  package static var isCurrent: Bool { task != nil }

  /// The clock of the calling task's simulation, in nanoseconds; nil outside of one.
  package static var now: UInt64? { current?.clock }
}
