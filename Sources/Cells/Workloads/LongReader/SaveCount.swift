import Scheduling

/// Counts saves, and lets a reader wait for so many more.
final class SaveCount: Sendable {
  private struct State {
    var count = 0
    var isOver = false
    /// The reader's wait: at which count it ends.
    var wait: (count: Int, gate: Latch)?
  }

  private let state = Locked(State())

  /// Counts a save. Any thread.
  func count() {
    let gate = state.withLock { state -> Latch? in
      state.count += 1
      guard let wait = state.wait, wait.count <= state.count else { return nil }
      state.wait = nil
      return wait.gate
    }
    gate?.open()
  }

  /// Notes that no save will follow. Any thread.
  func end() {
    let gate = state.withLock { state in
      state.isOver = true
      return state.wait.take()?.gate
    }
    gate?.open()
  }

  /// Waits for `saves` more, or the end; false at the end. One thread at a time.
  func wait(for saves: Int) -> Bool {
    precondition(saves > 0, "saves are waited for that are still to come")
    let gate = Latch(label: "\(saves) saves")
    let mustWait = state.withLock { state in
      guard !state.isOver else { return false }
      precondition(state.wait == nil, "one reader waits at a time")
      state.wait = (state.count + saves, gate)
      return true
    }
    if mustWait { gate.wait() }
    return !state.withLock { $0.isOver }
  }
}
