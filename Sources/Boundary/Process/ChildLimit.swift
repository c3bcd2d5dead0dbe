/// How long a parent waits for its child: decided by values alone.
///
/// What the machine took is not the child's. Nor is the time in which the parent did not run itself, though its clock did: with
/// the parent stopped, or a machine that sleeps, the child as a rule did not run either.
struct ChildLimit {
  /// How many times its limit a child may take that the machine keeps from running.
  static let starvedLimits = 3.0

  /// The longest wait until the parent looks whether it ran itself.
  static let waitSecondsMax = 1.0

  /// A parent that wakes later than this did not run.
  static let lateSecondsMax = 1.0

  /// A rest of its time that is not waited for.
  static let grainSeconds = 0.01

  /// What a child that has not ended in its time is.
  enum End: Equatable {
    case hang
    case starved(MachineDelay)
  }

  private let seconds: Double
  private var waited = 0.0
  private var delay = MachineDelay()

  init(seconds: Double) {
    precondition(seconds > 0, "a child has time to end")
    self.seconds = seconds
  }

  private var rest: Double {
    min(seconds + delay.total, Self.starvedLimits * seconds + delay.unwatched) - waited
  }

  /// How long to wait now.
  var nextWaitSeconds: Double { max(0, min(rest, Self.waitSecondsMax)) }

  /// The child has not ended in a wait.
  ///
  /// - Parameters:
  ///   - wanted: how long the wait should have been.
  ///   - waited: how long it was.
  ///   - delay: what the machine has kept from the child since it was started.
  mutating func record(wanted: Double, waited: Double, _ delay: MachineDelay) {
    precondition(wanted >= 0 && waited >= 0, "time does not go back")
    var unwatched = self.delay.unwatched
    if waited - wanted > Self.lateSecondsMax { unwatched += waited - wanted }
    self.waited += waited
    self.delay = delay
    self.delay.unwatched = unwatched
  }

  /// Nil while there is time left.
  var end: End? {
    guard rest < Self.grainSeconds else { return nil }
    return delay.unwatched > 0 || seconds + delay.total > waited + Self.grainSeconds ? .starved(delay) : .hang
  }
}
