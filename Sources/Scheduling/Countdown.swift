import Dispatch

/// Counts pieces of work, and lets threads wait until none is left.
final class Countdown: Sendable {
  private struct State {
    var count = 0
    var notified: [@Sendable () -> Void] = []
  }

  private let group = DispatchGroup()
  private let state = Locked(State())

  /// One more piece.
  func enter() {
    state.withLock { $0.count += 1 }
    group.enter()
  }

  /// One piece less; the last one wakes the waiting threads, and runs the blocks of ``notify(_:)`` on the calling thread.
  func leave() {
    let notified: [@Sendable () -> Void] = state.withLock { state in
      state.count -= 1
      guard state.count == 0 else { return [] }
      defer { state.notified = [] }
      return state.notified
    }
    group.leave()
    Simulation.wake(self)
    for block in notified { block() }
  }

  /// Blocks the calling thread until no piece is left.
  ///
  /// - Parameter reason: what they are, in the report of a simulation.
  func wait(for reason: @autoclosure () -> String) {
    let isSimulated = Simulation.wait(on: self, for: reason()) { group.wait(timeout: .now()) == .success }
    if !isSimulated { group.wait() }
  }

  /// The same, but no longer than `seconds`; false when that time ran out. In a simulation there is no limit.
  func wait(for reason: @autoclosure () -> String, atMost seconds: Double) -> Bool {
    Simulation.wait(on: self, for: reason()) { group.wait(timeout: .now()) == .success }
      || group.wait(timeout: .now() + seconds) == .success
  }

  /// Runs `block` once no piece is left: at once, or on the thread that ends the last one.
  func notify(_ block: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.count > 0 { state.notified.append(block) }
      return state.count == 0
    }
    if isOver { block() }
  }
}
