/// Actions of a simulation at times of its clock, the earliest first.
struct SimulatedTimers {
  struct Timer {
    let due: UInt64
    /// Whether it is one tick of many, which no task waits for.
    let isTicker: Bool
    let action: Action
  }

  enum Action {
    /// Run as a task of its own, in a process.
    case task(@Sendable () -> Void, SimulatedProcess)
    /// Tasks parked on the object look again.
    case wake(ObjectIdentifier)
    /// The task no longer sleeps.
    case end(SimulatedTask)
  }

  private var timers: [Timer] = []
  private var deadlines = 0

  /// Whether one of them is not a tick.
  var hasDeadline: Bool { deadlines > 0 }

  var nextDue: UInt64? { timers.first?.due }

  /// The task that sleeps for the shortest time, unless a wait ends before it does.
  var firstSleeper: SimulatedTask? {
    if case .end(let task) = timers.first(where: { !$0.isTicker })?.action { task } else { nil }
  }

  /// Removes a task that no longer sleeps.
  mutating func remove(_ task: SimulatedTask) {
    guard
      let place = timers.firstIndex(where: { if case .end(let other) = $0.action { other === task } else { false } })
    else { return }
    if !timers.remove(at: place).isTicker { deadlines -= 1 }
  }

  /// Adds a timer; of two that are due at once the one added first comes first.
  mutating func add(_ timer: Timer) {
    timers.insert(timer, at: timers.firstIndex { $0.due > timer.due } ?? timers.count)
    if !timer.isTicker { deadlines += 1 }
  }

  /// Takes out the first one that is due.
  mutating func popDue(at clock: UInt64) -> Timer? {
    guard let timer = timers.first, timer.due <= clock else { return nil }
    timers.removeFirst()
    if !timer.isTicker { deadlines -= 1 }
    precondition(deadlines >= 0, "each deadline is counted once")
    return timer
  }
}
