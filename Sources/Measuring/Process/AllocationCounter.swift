/// Bytes that were ever allocated, as the allocator counts them; only the executable knows its allocator, and installs
/// the reading.
package enum AllocationCounter {
  /// Reads a counter that only grows.
  package typealias Reading = @Sendable () -> UInt64

  // A structure, since taking a closure out of a tuple allocates.
  private struct Readings {
    let process: Reading
    let thread: Reading
    let allocations: Reading
  }

  // Written once by `install`, before the process starts its second thread.
  nonisolated(unsafe) private static var readings: Readings?

  /// Installs the allocator's counters. Call once, at the start of `main`, before there is another thread.
  ///
  /// - Parameters:
  ///   - process: Bytes allocated so far by all threads, those that ended included.
  ///   - thread: Bytes allocated so far by the calling thread.
  ///   - allocations: How many there were so far, by all threads.
  package static func install(
    process: @escaping Reading, thread: @escaping Reading, allocations: @escaping Reading
  ) {
    precondition(readings == nil, "the allocation counter is installed once")
    readings = Readings(process: process, thread: thread, allocations: allocations)
  }

  /// Bytes allocated so far by all threads; nil when no counter is installed.
  package static var processBytes: UInt64? { readings?.process() }

  /// The environment of a process in which the same allocations find the same places: one arena for all threads, which gives
  /// nothing back to the system when time has passed.
  package static let steadyEnvironment = ["MALLOC_CONF": steady]
  /// The same, of one that is to count each allocation when it is made; in others a thread takes many at once.
  package static let exactEnvironment = ["MALLOC_CONF": steady + ",tcache:false"]
  private static let steady = "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1"

  /// How many allocations all threads have made so far, exact with ``exactEnvironment``; nil when no counter is installed.
  package static var processAllocations: UInt64? { readings?.allocations() }

  /// Bytes allocated so far by the calling thread; nil when no counter is installed.
  package static var threadBytes: UInt64? { readings?.thread() }
}
