import Measuring
import Scenarios

/// The instants at which one client of several is due to begin an operation: open loop, as users come.
///
/// All clients together begin at equal distances, in turn. A late client makes up for its due operations at once, one after
/// the other, and its latencies count from when they were due.
///
/// - SeeAlso: Tene, "How NOT to Measure Latency": coordinated omission.
struct Arrivals: Sendable {
  private let begin: UInt64
  private let first: Double
  private let distance: Double
  private var count = 0.0

  /// The arrivals of a client, numbered from 0; nil where the scenario has no `rate_per_s`.
  ///
  /// - Parameter begin: monotonic time of the first arrival of all.
  init?(_ settings: ScenarioSettings, client: Int, of clients: Int, begin: UInt64) {
    guard let rate = settings[Keys.ratePerSecond] else { return nil }
    self.init(ratePerSecond: rate, client: client, of: clients, begin: begin)
  }

  init(ratePerSecond: Double, client: Int, of clients: Int, begin: UInt64) {
    precondition(
      ratePerSecond > 0 && 0..<clients ~= client, "a rate is positive, and a client one of those that arrive")
    self.begin = begin
    first = Double(client) * 1e9 / ratePerSecond
    distance = Double(clients) * 1e9 / ratePerSecond
  }

  /// When the next operation is due.
  var next: UInt64 { begin + UInt64(first + count * distance) }

  /// Waits until the next operation is due, if it is not past, and gives that instant.
  mutating func waitForNext() -> UInt64 {
    let due = next
    count += 1
    let now = MonotonicClock.now()
    if due > now { Pause.wait(seconds: Double(due - now) / 1e9) }
    return due
  }
}
