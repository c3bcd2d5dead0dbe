import Boundary
import Checking
import Measuring
import Scenarios
import Scheduling

/// Lets clients draw operations by weight, phase after phase, until each phase's stop condition holds.
///
/// A phase begins when every client has ended the one before. Closed loop, where the scenario gives no rate: a client
/// begins its next operation when the last one is over and it has thought. Open loop: when the next one is due, or at
/// once when that is past; all that were due before the phase's end are done.
final class PhaseRunner: Sendable {
  private let phases: [Phase]
  private let session: CellSession
  private let pool: WorkPool
  /// Numbers of the clients of this process, among those of all.
  private let clients: Range<Int>
  private let clientCount: Int
  private let stopsOnViolation: Bool

  init(phases: [Phase], session: CellSession, pool: WorkPool, clients: Range<Int>, of clientCount: Int) {
    precondition(0...clientCount ~= clients.upperBound, "these clients are some of all")
    precondition(!phases.isEmpty, "the clients work in some phase")
    self.phases = phases
    self.session = session
    self.pool = pool
    self.clients = clients
    self.clientCount = clientCount
    stopsOnViolation = session.settings[Keys.stopOnViolation]
  }

  /// Runs all phases; `step` does one operation of a client, numbered from 0 in this process, on a thread of the pool; `then` is called
  /// on main after the last.
  ///
  /// - Parameter step: gets the instant at which the operation was due; nil in a closed loop.
  func run(
    _ step: @escaping @Sendable (_ client: Int, _ operation: String, _ phase: String, _ due: UInt64?) -> Void,
    then: @escaping @Sendable () -> Void
  ) {
    run(0, step, then)
  }

  private func run(
    _ index: Int, _ step: @escaping @Sendable (Int, String, String, UInt64?) -> Void,
    _ then: @escaping @Sendable () -> Void
  ) {
    guard index < phases.count else { return then() }
    let phase = phases[index]
    session.main.history.record(.info, .phase, value: Int64(index))
    let begin = MonotonicClock.now()
    let think = (phase.thinkMilliseconds ?? 0) / 1e3
    let limit = PhaseLimit(phase, begin: begin)
    for client in clients {
      pool.submit("client \(client + 1)") { [self] in
        var draw = WeightedDraw(
          phase.weights, SeededRandom(seed: session.seed).split(UInt64(1_000 + index * 1_000 + client)))
        var arrivals = Arrivals(session.settings, client: client, of: clientCount, begin: begin)
        while !(stopsOnViolation && CellReports.hasErrors), limit.admitsOne(due: arrivals?.next) {
          step(client - clients.lowerBound, draw.next(), phase.name, arrivals?.waitForNext())
          if think > 0 { Pause.wait(seconds: draw.thinkSeconds(mean: think)) }
        }
      }
    }
    pool.notifyWhenAllFinished(on: .main) { [self] in
      session.setDuration(of: phase.name, seconds: Double(MonotonicClock.now() - begin) / 1e9)
      run(index + 1, step, then)
    }
  }
}
