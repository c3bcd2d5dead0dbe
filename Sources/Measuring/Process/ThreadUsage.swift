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

/// How long threads were ready to run and had no processor, as the kernel counts it.
package enum ProcessorDelay {
  /// Nanoseconds of each of the process's threads that live, by thread; empty where the kernel does not say.
  package static func nanosecondsByThread(ofProcess id: Int32) -> [Int32: UInt64] {
    ProcessorReading.ThreadCounters.all(in: "/proc/\(id)/task").mapValues(\.runDelayNanoseconds)
  }

  /// Whether a signal has stopped the process, or a debugger; false where the kernel does not say.
  package static func isStopped(_ id: Int32) -> Bool {
    // Behind the name, which may have any sign in it.
    let state = SystemFile.text("/proc/\(id)/stat").flatMap { $0.split(separator: ")").last?.first { $0 != " " } }
    return state == "T" || state == "t"
  }

  /// Nanoseconds of the calling thread; 0 where the kernel does not say.
  package static func ofThisThread() -> UInt64 {
    SystemFile.text("/proc/thread-self/schedstat")
      .flatMap { ProcessorReading.ThreadCounters(schedstat: $0, comm: "") }?.runDelayNanoseconds ?? 0
  }
}
