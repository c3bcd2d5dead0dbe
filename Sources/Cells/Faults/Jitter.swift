import Scenarios
import Scheduling

/// Stretches the windows between two steps: waits a little at checkpoints, steps of transactions and hand-overs of queues,
/// as often as the scenario says, drawn from the seed.
///
/// Every second stage of so many passes is left as it is, so that a run has both. It changes when things happen and never
/// what: no verdict of a sound stack depends on it.
final class Jitter: Sendable {
  /// Passes of a stage.
  static let stage = 1_000

  private struct State {
    var random: SeededRandom
    var passes = 0
    var isArmed = false
  }

  private let rate: Double
  private let secondsMax: Double
  private let places: Keys.JitterPlaces
  private let wait: @Sendable (Double) -> Void
  private let state: Locked<State>

  /// nil where the scenario has none.
  ///
  /// - Parameter wait: has the calling thread wait so many seconds.
  init?(
    _ settings: ScenarioSettings, seed: UInt64, process: Int, wait: @escaping @Sendable (Double) -> Void = Pause.wait
  ) {
    self.wait = wait
    rate = settings[Keys.jitterRate]
    guard rate > 0 else { return nil }
    secondsMax = settings[Keys.jitterMaxMilliseconds] / 1e3
    precondition(rate <= 1 && secondsMax >= 0, "a wait has a chance and a length")
    places = settings[Keys.jitterAt]
    state = Locked(State(random: SeededRandom(seed: seed).split(0x717E + UInt64(process))))
  }

  func setArmed(_ isArmed: Bool) { state.withLock { $0.isArmed = isArmed } }

  /// Whether steps of transactions are stretched.
  var isInTransactions: Bool { places == .everywhere || places == .transactions }

  /// Passes a checkpoint.
  func reach(_ place: Checkpoint) {
    let isWait = place.name.hasPrefix("wait.")
    // A thread that begins to wait waits anyway; the time after the wait is stretched.
    guard place.name != "wait.begin", places == .everywhere || places == (isWait ? .waits : .checkpoints) else {
      return
    }
    pass()
  }

  /// Passes a place that may be stretched.
  func pass() {
    let seconds: Double? = state.withLock { state in
      guard state.isArmed else { return nil }
      state.passes += 1
      guard (state.passes / Self.stage).isMultiple(of: 2), Double.random(in: 0..<1, using: &state.random) < rate else {
        return nil
      }
      return Double.random(in: 0...secondsMax, using: &state.random)
    }
    if let seconds { wait(seconds) }
  }
}
