/// Bytes that were ever allocated, as the allocator counts them; only the executable knows its allocator, and installs
/// the reading.
package enum AllocationCounter {
  /// Reads a counter that only grows.
  package typealias Reading = @Sendable () -> UInt64

  // A structure, since taking a closure out of a tuple allocates.
  private struct Readings {
    let process: Reading
    let thread: Reading
  }

  // Written once by `install`, before the process starts its second thread.
  nonisolated(unsafe) private static var readings: Readings?

  /// Installs the allocator's counters. Call once, at the start of `main`, before there is another thread.
  ///
  /// - Parameters:
  ///   - process: Bytes allocated so far by all threads, those that ended included.
  ///   - thread: Bytes allocated so far by the calling thread.
  package static func install(process: @escaping Reading, thread: @escaping Reading) {
    precondition(readings == nil, "the allocation counter is installed once")
    readings = Readings(process: process, thread: thread)
  }

  /// Bytes allocated so far by all threads; nil when no counter is installed.
  package static var processBytes: UInt64? { readings?.process() }

  /// Bytes allocated so far by the calling thread; nil when no counter is installed.
  package static var threadBytes: UInt64? { readings?.thread() }
}
