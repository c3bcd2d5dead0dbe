import Dispatch

/// Given to one thread that waits for it, each time.
package final class Permit: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  package init() {}

  /// Wakes the thread that waits, or will.
  package func give() {
    semaphore.signal()
    Simulation.wake(self)
  }

  /// Blocks the calling thread until the permit is given.
  ///
  /// - Parameter reason: the purpose of the permit, in the report of a simulation.
  package func wait(for reason: @autoclosure () -> String) {
    let isSimulated = Simulation.wait(on: self, for: reason()) { semaphore.wait(timeout: .now()) == .success }
    if !isSimulated { semaphore.wait() }
  }
}
