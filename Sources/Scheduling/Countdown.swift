import Dispatch

/// Counts pieces of work, and lets threads wait until none is left.
final class Countdown: Sendable {
  private struct State {
    var count = 0
    var notified: [@Sendable () -> Void] = []
  }

  private let group = DispatchGroup()
  private let state = Locked(State())

  /// Counts one more piece.
  func enter() {
    state.withLock { $0.count += 1 }
    group.enter()
  }

  /// Counts one piece less; the last one wakes waiting threads, and runs the blocks of ``notify(_:)`` on the calling thread.
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
  /// - Parameter reason: the name of the pieces, in the report of a simulation.
  func wait(for reason: @autoclosure () -> String) {
    let isSimulated = Simulation.wait(on: self, for: reason()) { group.wait(timeout: .now()) == .success }
    if !isSimulated { group.wait() }
  }

  /// The same, but no longer than `seconds`, in a simulation by its clock; false when that time ran out.
  func wait(for reason: @autoclosure () -> String, atMost seconds: Double) -> Bool {
    guard let simulation = Simulation.current else { return group.wait(timeout: .now() + seconds) == .success }
    let end = simulation.clock + UInt64(max(0, min(seconds, Self.secondsMax)) * 1e9)
    simulation.wake(self, at: end)
    var isOver = false
    _ = Simulation.wait(on: self, for: reason()) {
      isOver = group.wait(timeout: .now()) == .success
      return isOver || simulation.clock >= end
    }
    return isOver
  }

  /// Longer than any simulation.
  private static let secondsMax = 1e9

  /// Runs `block` once no piece is left: at once, or on the thread that ends the last one.
  func notify(_ block: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if state.count > 0 { state.notified.append(block) }
      return state.count == 0
    }
    if isOver { block() }
  }
}
