#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// A place that takes longer by a share of its own time, for tests of whether a comparison finds that.
///
/// The time is spent working, as if the code there were slower; with a share of 0 a place costs a load and a branch.
package struct PlantedSlowdown: Sendable {
  // Each is written by `plant` alone, before the process starts its second thread.

  /// Each step of a statement.
  nonisolated(unsafe) package private(set) static var sqlite = PlantedSlowdown(clock: CLOCK_MONOTONIC)
  /// Each save of a context, whatever it saves to.
  nonisolated(unsafe) package private(set) static var save = PlantedSlowdown(clock: CLOCK_THREAD_CPUTIME_ID)
  /// Each merge of another context's save into a main-queue context.
  nonisolated(unsafe) package private(set) static var merge = PlantedSlowdown(clock: CLOCK_THREAD_CPUTIME_ID)

  /// Nowhere.
  package static let none = PlantedSlowdown(clock: CLOCK_MONOTONIC)

  private var share = 0.0
  /// A step is too short for the thread's clock, which is a system call; longer work may wait, which is not slowed.
  private let clock: clockid_t

  private init(clock: clockid_t) { self.clock = clock }

  /// Slows places down by shares of their own time; at the start of a process, before there is another thread.
  package static func plant(sqlite: Double, save: Double, merge: Double) {
    self.sqlite.share = sqlite
    self.save.share = save
    self.merge.share = merge
  }

  /// Does the work, and then as much again as the share says.
  @inline(__always)
  package func stretch<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard share > 0 else { return try body() }
    let begin = now()
    defer { work(since: begin) }
    return try body()
  }

  private func work(since begin: UInt64) {
    let end = now()
    let until = end + UInt64(Double(end - begin) * share)
    while now() < until {}
  }

  private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
