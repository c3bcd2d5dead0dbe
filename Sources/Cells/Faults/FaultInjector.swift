import Boundary
import Checking
import CoreData
import Measuring
import SQLite
import Scenarios
import Scheduling
import RowStore

/// Makes the faults happen that a scenario asks for, as often as it says, and counts them.
///
/// They happen while the cell is measured; setting up and looking at the end stay undisturbed. Draws come from the seed;
/// which thread gets which draw is up to the schedule. Each fault happens at least once where it has a few chances, so
/// that a short run exercises it as well; only `death`, which ends the run, keeps to its rate from the start.
package final class FaultInjector: Sendable {
  private struct State: Sendable {
    var random: SeededRandom
    var isArmed = false
    /// Until when another process has the file locked.
    var busyUntil: UInt64 = 0
    var counts: [InjectedFault: Int] = [:]
    /// How many chances each fault still has before it must have happened.
    var chancesLeft: [InjectedFault: Int] = [:]

    /// Takes one chance of a fault that has not happened yet; true when it was the last.
    mutating func isDue(_ fault: InjectedFault) -> Bool {
      guard let left = chancesLeft[fault] else { return false }
      precondition(left > 0, "a fault is forced at the last of its chances")
      chancesLeft[fault] = left - 1
      return left == 1
    }
  }

  /// Opportunities after which a fault that has not happened yet is forced.
  static let chancesMax = 16

  private let rates: [InjectedFault: Double]
  private let busyNanoseconds: UInt64
  private let slowSeconds: Double
  private let lateSeconds: Double
  /// The requested faults that end the cell.
  private let fatal: [InjectedFault]
  private let codes: [ResultCode]
  private let state: Locked<State>
  private let jitter: Jitter?
  private let die: @Sendable (InjectedFault) -> Void
  private let deliveries = WorkPool(label: "late deliveries", width: 4)

  /// Reads a scenario's faults.
  ///
  /// - Parameters:
  ///   - process: number of the cell's process, from 0: each has draws of its own.
  ///   - die: ends the process, or the simulation of it.
  package init(
    _ settings: ScenarioSettings, seed: UInt64, process: Int = 0,
    onDeath die: @escaping @Sendable (InjectedFault) -> Void = { _ in kill(getpid(), SIGKILL) }
  ) {
    self.die = die
    rates = Dictionary(uniqueKeysWithValues: InjectedFault.wanted(settings).map { ($0, $0.rate(settings)) })
    precondition(rates.values.allSatisfy { $0 > 0 && $0 <= 1 }, "a wanted fault happens in a share of its chances")
    fatal = InjectedFault.wanted(settings).filter(\.isFatal)
    func milliseconds(_ key: String) -> Int { settings.values[key].flatMap { Int($0) } ?? 20 }
    busyNanoseconds = UInt64(milliseconds("fault_busy_ms")) * 1_000_000
    slowSeconds = Double(milliseconds("fault_slow_ms")) / 1000
    lateSeconds = Double(milliseconds("fault_late_ms")) / 1000
    codes =
      switch settings.values["fault_failed_save"] {
      case "full": [.full]
      case "io": [.inputOutput]
      default: [.full, .inputOutput]
      }
    jitter = Jitter(settings, seed: seed, process: process)
    var random = SeededRandom(seed: seed).split(0xFA17 + UInt64(process))
    var chancesLeft: [InjectedFault: Int] = [:]
    for fault in InjectedFault.allCases where rates[fault] != nil && !fault.isFatal {
      chancesLeft[fault] = Int.random(in: 1...Self.chancesMax, using: &random)
    }
    state = Locked(State(random: random, chancesLeft: chancesLeft))
  }

  /// Lets the faults happen from now on.
  package func arm() {
    jitter?.setArmed(true)
    state.withLock { $0.isArmed = true }
  }

  /// Lets no more happen; late deliveries still come.
  package func disarm() {
    jitter?.setArmed(false)
    state.withLock { $0.isArmed = false }
  }

  /// How often each fault that the scenario asks for happened, in the catalogue's order.
  package var counts: [InjectedFaultCount] {
    let counts = state.withLock { $0.counts }
    return InjectedFault.allCases.filter { rates[$0] != nil }.map {
      InjectedFaultCount(name: $0.rawValue, count: counts[$0] ?? 0)
    }
  }

  /// Whether contexts may hear of a save late.
  package var mayBeLate: Bool { rates[.lateDelivery] != nil }

  /// Whether a fault that the scenario asks for may have refused a save with this error.
  package func explains(_ error: any Error) -> Bool {
    guard let code = (error as NSError).userInfo[NSSQLiteErrorDomain] as? Int else { return false }
    switch ResultCode(rawValue: Int32(truncatingIfNeeded: code)).primary {
    case .busy: return rates[.busy] != nil
    case let primary: return rates[.failedSave] != nil && codes.contains(primary)
    }
  }

  // MARK: Drawing

  /// Whether the fault happens now; counts it if it does.
  package func happens(_ fault: InjectedFault) -> Bool {
    guard let rate = rates[fault] else { return false }
    return state.withLock { state in
      guard state.isArmed else { return false }
      let isDrawn = Double.random(in: 0..<1, using: &state.random) < rate
      guard isDrawn || state.isDue(fault) else { return false }
      state.chancesLeft[fault] = nil
      state.counts[fault, default: 0] += 1
      return true
    }
  }

  private func draw(_ range: Range<Int>) -> Int { state.withLock { Int.random(in: range, using: &$0.random) } }

  // MARK: In the stack

  /// Puts the faults into the stack's hooks; once a process, before a store is opened.
  func install() {
    if rates[.busy] != nil || rates[.failedSave] != nil || jitter?.isInTransactions == true {
      StoreFaults.install { [self] in makePlan() }
    }
    if rates[.lateDelivery] != nil || rates[.doubledDelivery] != nil {
      DeliveryHooks.onDelivery { [self] in deliver($0) }
    }
  }

  /// Takes them out again, for the next cell of the process.
  func uninstall() {
    StoreFaults.install(nil)
    DeliveryHooks.onDelivery(nil)
  }

  /// Runs `open`; connections that write to a store which it opens call `reach` before each commit, and have no faults.
  package func whileOpening<Result>(_ open: () throws -> Result, beforeCommits reach: @escaping @Sendable () -> Void)
    rethrows -> Result
  {
    StoreFaults.install {
      FaultPlan(deciding: { sql in
        if sql == "COMMIT" { reach() }
        return nil
      })
    }
    defer {
      uninstall()
      install()
    }
    return try open()
  }

  /// Runs `body` with the faults at the stack's checkpoints.
  func whileWatching<Result>(_ body: () -> Result) -> Result {
    guard rates[.slowCommit] != nil || rates[.slowRead] != nil || !fatal.isEmpty || jitter != nil
    else { return body() }
    return Checkpoint.watching({ [self] place, _ in reach(place) }, body)
  }

  private func reach(_ place: Checkpoint) {
    jitter?.reach(place)
    switch place.name {
    case "store.beforeRead":
      if happens(.slowRead) { Pause.wait(seconds: slowSeconds) }
    case "save.beforeWrite", "save.beforeCommit", "save.afterCommit":
      // One of the three for each save that is to be killed.
      for fault in fatal where draw(0..<3) == 0 && happens(fault) { die(fault) }
      if place.name == "save.beforeCommit", happens(.slowCommit) { Pause.wait(seconds: slowSeconds) }
    default: return
    }
  }

  // MARK: Transactions

  /// Statements of a transaction, after which at the latest a failing one fails: often its commit comes first.
  private static let statementsMax = 12

  /// The faults of one writing connection; used as the connection is.
  func makePlan() -> FaultPlan {
    var statementsLeft: Int?
    return FaultPlan(deciding: { [self] sql in
      if let jitter, jitter.isInTransactions { jitter.pass() }
      if sql.hasPrefix("BEGIN") {
        statementsLeft = happens(.failedSave) ? draw(1..<Self.statementsMax) : nil
        return isBusy() ? FaultPlan.Failure(.busy) : nil
      }
      guard let left = statementsLeft else { return nil }
      precondition(left > 0, "the statement that fails is yet to come")
      statementsLeft = left - 1
      guard left <= 1 || sql == "COMMIT" else { return nil }
      statementsLeft = nil
      return FaultPlan.Failure(codes[draw(0..<codes.count)], transaction: draw(0..<2) == 0 ? .staysOpen : .isRolledBack)
    })
  }

  /// Whether another process has the lock, or takes it now.
  private func isBusy() -> Bool {
    guard rates[.busy] != nil else { return false }
    let now = MonotonicClock.now()
    if state.withLock({ $0.isArmed && now < $0.busyUntil }) { return true }
    guard happens(.busy) else { return false }
    state.withLock { $0.busyUntil = now + busyNanoseconds }
    return true
  }

  // MARK: Deliveries

  /// Makes a delivery at once, late, or twice.
  package func deliver(_ delivery: @escaping @Sendable () -> Void) {
    if happens(.doubledDelivery) { delivery() }
    guard happens(.lateDelivery) else { return delivery() }
    deliveries.submit("a late delivery") { [lateSeconds] in
      Pause.wait(seconds: lateSeconds)
      delivery()
    }
  }

  /// Calls `body` on main once every late delivery was made; at once where there can be none.
  func whenDelivered(_ body: @escaping @Sendable () -> Void) {
    guard rates[.lateDelivery] != nil else { return body() }
    deliveries.notifyWhenAllFinished(on: .main, body)
  }
}
