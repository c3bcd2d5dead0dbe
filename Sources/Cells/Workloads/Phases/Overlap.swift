import Scheduling

/// Sees to it that main reads at least once while a client inserts: a starved machine may not run main before the
/// clients are done.
///
/// A read that main begins while nothing is inserted does not count.
final class Overlap: Sendable {
  /// How long a client waits for main at most.
  private let secondsMax: Double
  private let inserting = Locked(0)
  private let hasRead = Latch(label: "main reads while a client inserts")

  init(secondsMax: Double = 1) {
    precondition(secondsMax >= 0, "a wait takes some time, or none")
    self.secondsMax = secondsMax
  }

  /// Notes that a client has begun an insert, and recorded it.
  func insertBegins() { inserting.withLock { $0 += 1 } }

  func insertEnds() {
    inserting.withLock { inserting in
      precondition(inserting > 0, "what ends has begun")
      inserting -= 1
    }
  }

  /// Notes that main begins a read.
  func mainReads() {
    if inserting.withLock({ $0 > 0 }) { hasRead.open() }
  }

  /// Lets a client with an insert under way wait until main has read beside one. At once as a rule; in vain where main
  /// does the client's work, or is waiting for it.
  ///
  /// In a simulation there is no wait: it would leave out the orders in which main reads too late.
  ///
  /// - Returns: whether main has read; also false without a wait.
  @discardableResult
  func waitForMain() -> Bool {
    guard !Simulation.isCurrent, !SerialQueue.main.isHeld else { return false }
    return hasRead.wait(atMost: secondsMax)
  }
}
