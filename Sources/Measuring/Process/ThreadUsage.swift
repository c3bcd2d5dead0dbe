#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The CPU clock of one thread, taken on that thread and readable from any other.
package struct ThreadUsage: Sendable {
  private let clock: clockid_t

  /// The calling thread's clock.
  package static func ofCurrentThread() -> ThreadUsage? {
    var clock = clockid_t()
    guard pthread_getcpuclockid(pthread_self(), &clock) == 0 else { return nil }
    return ThreadUsage(clock: clock)
  }

  /// CPU nanoseconds the thread has used so far; nil when it has ended.
  package func cpuNanoseconds() -> UInt64? {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return nil }
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
