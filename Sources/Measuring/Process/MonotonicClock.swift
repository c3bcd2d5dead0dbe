import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// Nanosecond clocks of this process; each is one system call without allocation.
public enum MonotonicClock {
  /// Nanoseconds of `CLOCK_MONOTONIC`: the same origin for every process of this machine since boot; in a simulation
  /// those of its own clock.
  public static func now() -> UInt64 {
    if isReplaced.load(ordering: .relaxed), let time = replacement?() { return time }
    return read(CLOCK_MONOTONIC)
  }

  private static let isReplaced = Atomic<Bool>(false)
  // Written once, before the flag is raised.
  nonisolated(unsafe) private static var replacement: (@Sendable () -> UInt64?)?

  /// Asks `clock` first from now on, and reads the machine's where it has no time; once a process, before other threads
  /// ask for the time.
  package static func replace(by clock: @escaping @Sendable () -> UInt64?) {
    precondition(replacement == nil, "the clock is replaced once")
    replacement = clock
    isReplaced.store(true, ordering: .releasing)
  }

  /// CPU nanoseconds used by this process, all threads together.
  public static func processCPU() -> UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// CPU nanoseconds used by the calling thread.
  public static func threadCPU() -> UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
