/// What a simulation does once its clock is there, the earliest first.
struct SimulatedTimers {
  struct Timer {
    let due: UInt64
    /// Whether it is one tick of many, which no task waits for.
    let isTicker: Bool
    let action: Action
  }

  enum Action {
    /// Run as a task of its own.
    case task(@Sendable () -> Void)
    /// Whoever is parked on the object looks again.
    case wake(ObjectIdentifier)
  }

  private var timers: [Timer] = []
  private var deadlines = 0

  /// Whether one of them is not a tick.
  var hasDeadline: Bool { deadlines > 0 }

  var nextDue: UInt64? { timers.first?.due }

  /// Of two that are due at once the one added first comes first.
  mutating func add(_ timer: Timer) {
    timers.insert(timer, at: timers.firstIndex { $0.due > timer.due } ?? timers.count)
    if !timer.isTicker { deadlines += 1 }
  }

  /// Takes out the first one that is due.
  mutating func popDue(at clock: UInt64) -> Timer? {
    guard let timer = timers.first, timer.due <= clock else { return nil }
    timers.removeFirst()
    if !timer.isTicker { deadlines -= 1 }
    return timer
  }
}
