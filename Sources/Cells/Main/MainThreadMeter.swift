import Boundary
import CoreData
import Measuring
import Scheduling

/// Measures the main thread's work outside its run loop's wait, by category.
///
/// Categories nest, and each moment counts for the innermost. The time between the run loop's waits that no category
/// claims is ``MainThreadCategory/other``.
package final class MainThreadMeter: @unchecked Sendable {
  // Sendable: everything is only touched on the main thread.
  private var nanoseconds = [UInt64](repeating: 0, count: MainThreadCategory.allCases.count)
  private var current = MainThreadCategory.other
  private var since: UInt64 = 0
  private var isRunning = false
  private var isWaiting = false

  /// Categories that are interrupted by inner ones, outermost first.
  private var outer: [MainThreadCategory] = []

  /// Watches the main run loop and contexts' work on main for others from now on; on the main thread.
  ///
  /// - Parameter isSimulated: whether a simulation serves the main queue, and not the run loop.
  package init(isSimulated: Bool = false) {
    ServedWork.setObserver(
      ServedWork.Observer(
        begin: { [weak self] work in self?.begin(Self.category(of: work)) },
        end: { [weak self] _ in self?.end() }))
    guard !isSimulated else { return }
    MainLoop.observeWaits(
      begin: { [weak self] in self?.waitBegins() },
      end: { [weak self] in self?.waitEnds() })
  }

  /// Starts measuring; on the main thread.
  package func start() {
    precondition(SerialQueue.main.isHeld && !isRunning, "the meter belongs to the main thread, and is started once")
    nanoseconds = nanoseconds.map { _ in 0 }
    since = MonotonicClock.now()
    isRunning = true
  }

  /// Stops measuring; on the main thread.
  package func stop() -> MainThreadTime {
    precondition(SerialQueue.main.isHeld && isRunning, "the meter is stopped on the main thread, where it was started")
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
    return time
  }

  /// Counts `body` for `category` if it runs on the main thread.
  package func measure<Result>(_ category: MainThreadCategory, _ body: () throws -> Result) rethrows -> Result {
    begin(category)
    defer { end() }
    return try body()
  }

  private func begin(_ category: MainThreadCategory) {
    guard SerialQueue.main.isHeld else { return }
    outer.append(current)
    switchTo(category)
  }

  private func end() {
    guard SerialQueue.main.isHeld, let category = outer.popLast() else { return }
    switchTo(category)
  }

  private static func category(of work: ServedWork) -> MainThreadCategory {
    switch work {
    case .push: .push
    case .fetch: .fetch
    case .merge: .merge
    }
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
