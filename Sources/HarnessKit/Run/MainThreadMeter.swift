import Measuring
import Scheduling

/// Measures what the main thread does outside its run loop's wait, by category.
///
/// Categories nest, and each moment counts for the innermost. The time between the run loop's waits that no category
/// claims is ``MainThreadCategory/other``.
package final class MainThreadMeter: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  private var nanoseconds = [UInt64](repeating: 0, count: MainThreadCategory.allCases.count)
  private var current = MainThreadCategory.other
  private var since: UInt64 = 0
  private var cpuAtStart: UInt64 = 0
  private var isRunning = false
  private var isWaiting = false

  /// Watches the main run loop from now on; on the main thread.
  package init() {
    MainLoop.observeWaits(
      begin: { [weak self] in self?.waitBegins() },
      end: { [weak self] in self?.waitEnds() })
  }

  /// Starts measuring; on the main thread.
  package func start() {
    precondition(SerialQueue.main.isHeld, "the meter belongs to the main thread")
    nanoseconds = nanoseconds.map { _ in 0 }
    since = MonotonicClock.now()
    cpuAtStart = MonotonicClock.threadCPU()
    isRunning = true
  }

  /// Stops measuring; on the main thread.
  package func stop() -> (time: MainThreadTime, cpuSeconds: Double) {
    switchTo(current)
    isRunning = false
    func seconds(_ category: MainThreadCategory) -> Double { Double(nanoseconds[category.rawValue]) / 1e9 }
    var time = MainThreadTime()
    time.push = seconds(.push)
    time.save = seconds(.save)
    time.merge = seconds(.merge)
    time.fetch = seconds(.fetch)
    time.edit = seconds(.edit)
    time.harness = seconds(.harness)
    time.total = time.push + time.save + time.merge + time.fetch + time.edit + seconds(.other)
    return (time, Double(MonotonicClock.threadCPU() - cpuAtStart) / 1e9)
  }

  /// Counts `body` for `category` if it runs on the main thread.
  package func measure<Result>(_ category: MainThreadCategory, _ body: () throws -> Result) rethrows -> Result {
    guard SerialQueue.main.isHeld else { return try body() }
    let outer = current
    switchTo(category)
    defer { switchTo(outer) }
    return try body()
  }

  private func switchTo(_ category: MainThreadCategory) {
    let now = MonotonicClock.now()
    if isRunning, !isWaiting { nanoseconds[current.rawValue] += now - since }
    since = now
    current = category
  }

  private func waitBegins() {
    switchTo(current)
    isWaiting = true
  }

  private func waitEnds() {
    isWaiting = false
    since = MonotonicClock.now()
  }
}
