/// How long a parent waits for its child: decided by values alone.
///
/// The child is not charged for delays by the machine, nor for the time in which the parent itself did not run, though its
/// clock did: with the parent stopped, or a virtual machine that was halted, the child as a rule did not run either. While a
/// laptop sleeps, the clock does not run.
struct ChildLimit {
  /// How many times its limit a child may take that the machine keeps from running.
  static let starvedLimits = 3.0

  /// The longest wait until the parent looks whether it ran itself: of a stop within a wait only what is left at its end shows.
  static let waitSecondsMax = 0.125

  /// A parent that wakes later than this was stopped, and does not say of a child that it hangs. Its delay counts for the child
  /// in any case.
  static let lateSecondsMax = 1.0

  /// A rest of its time that is not waited for.
  static let grainSeconds = 0.01

  /// The verdict on a child that has not ended in its time.
  enum End: Equatable {
    case hang
    case starved(MachineDelay)
  }

  private let seconds: Double
  private var waited = 0.0
  /// How much later than wanted the parent was, over all waits.
  private var late = 0.0
  /// How much of the waits that were wanted may have been lost by that: a stop may begin with the wait.
  private var lost = 0.0
  private var delay = MachineDelay()

  init(seconds: Double) {
    precondition(seconds > 0, "a child has time to end")
    self.seconds = seconds
  }

  /// How long the child may take, if the machine does not take too much.
  private var own: Double { seconds + delay.total - delay.unwatched + lost }

  private var allowed: Double { min(own, Self.starvedLimits * seconds) }

  private var rest: Double { allowed + late - waited }

  /// How long to wait now.
  var nextWaitSeconds: Double { max(0, min(rest, Self.waitSecondsMax)) }

  /// Notes a wait in which the child has not ended.
  ///
  /// - Parameters:
  ///   - wanted: how long the wait should have been.
  ///   - waited: how long it was.
  ///   - isStopped: whether the child is stopped, by a signal or with its control group.
  ///   - delay: delays that the machine caused the child since it was started.
  mutating func record(wanted: Double, waited: Double, isStopped: Bool = false, _ delay: MachineDelay) {
    precondition(wanted >= 0 && waited >= 0, "time does not go back")
    precondition(delay.unwatched == 0 && delay.stopped == 0, "what a parent sees is noted here, and no part of a delay")
    let (unwatched, stopped) = (self.delay.unwatched, self.delay.stopped)
    let excess = max(0, waited - wanted)
    self.waited += waited
    late += excess
    lost += min(wanted, excess)
    self.delay = delay
    self.delay.unwatched = unwatched + (excess > Self.lateSecondsMax ? excess : 0)
    self.delay.stopped = stopped + (isStopped ? waited - excess : 0)
  }

  /// Nil while there is time left.
  var end: End? {
    guard rest < Self.grainSeconds else { return nil }
    guard delay.unwatched > 0 || delay.stopped > 0 || own > allowed else { return .hang }
    var known = delay
    // Many short stops, too.
    if late > Self.lateSecondsMax { known.unwatched = late }
    return .starved(known)
  }
}
