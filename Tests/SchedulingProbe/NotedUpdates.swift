import Foundation
import Scheduling

// client 1                client 2                client 3, in the place of client 2
// reads 0
//                         reads 0, writes 1
//                                                 reads 1, writes 2
// writes 1

/// Three clients raise a number live, in an order that loses two updates and is noted; then a simulation follows that order.
enum NotedUpdates {
  private static let beginning = Checkpoint("probe.beginning")
  private static let between = Checkpoint("probe.between")
  private static let clients = 3

  /// Prints the sums, and ends the process.
  static func play() -> Never {
    let live = Locked(0)
    let hasRead = DispatchSemaphore(value: 0)
    let others = DispatchSemaphore(value: 0)
    LiveOrder.begin()
    Checkpoint.watching { place, subject in
      switch (place, subject) {
      case (beginning, "client 1"): break
      case (beginning, _): hasRead.wait()
      case (between, "client 1"):
        for _ in 1..<clients { hasRead.signal() }
        for _ in 1..<clients { others.wait() }
      default: break
      }
    } _: {
      start(live) { if $0 != 1 { others.signal() } }.waitUntilAllFinished()
    }
    guard let noted = LiveOrder.end() else { finish("nothing was noted") }
    let (sum, outcome) = simulate(LiveOrderPolicy(noted.segments))
    let divergence = (outcome.policy as? LiveOrderPolicy)?.divergence.map { "\($0)" } ?? "nothing"
    finish(
      "live \(live.current), in a simulation \(sum), misfit: \(divergence), first come, first served \(simulate(FIFOPolicy()).sum)"
    )
  }

  private static func simulate(_ policy: any SchedulePolicy) -> (sum: Int, outcome: SimulationOutcome) {
    let sum = Locked(0)
    let outcome = Simulation.run(policy: policy, recordsTrace: true) { start(sum) { _ in }.waitUntilAllFinished() }
    return (sum.current, outcome)
  }

  private static func start(_ sum: Locked<Int>, _ ended: @escaping @Sendable (Int) -> Void) -> WorkPool {
    let queue = SerialQueue(label: "store")
    let thread = RunLoopThread(label: "writer")
    let pool = WorkPool(label: "clients", width: clients - 1)
    for client in 1...clients {
      pool.submit("client \(client)") {
        beginning.reach("client \(client)")
        let seen = queue.sync { sum.current }
        between.reach("client \(client)")
        do {
          try thread.run("write") { queue.sync { sum.withLock { $0 = seen + 1 } } }
        } catch {
          finish("\(error)")
        }
        ended(client)
      }
    }
    return pool
  }
}
