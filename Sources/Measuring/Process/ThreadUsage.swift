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

  /// Whether a signal has stopped the process, a debugger, or the freezer of its control group; false where the kernel does
  /// not say.
  package static func isStopped(_ id: Int32) -> Bool {
    precondition(id > 0, "a process has a number")
    // Behind the name, which may have any sign in it.
    let state = SystemFile.text("/proc/\(id)/stat").flatMap { $0.split(separator: ")").last?.first { $0 != " " } }
    return state == "T" || state == "t" || isFrozen(id)
  }

  /// Whether its control group is frozen: the process then looks like one that waits for a disk, or that sleeps.
  private static func isFrozen(_ id: Int32) -> Bool {
    isFrozen(groups: SystemFile.text("/proc/\(id)/cgroup") ?? "", SystemFile.text)
  }

  /// Of the groups of a process, as `/proc/ID/cgroup` lists them: whether a freezer of either version has stopped one.
  ///
  /// - Parameter read: the text of a file; nil where there is none.
  static func isFrozen(groups: String, _ read: (String) -> String?) -> Bool {
    groups.split(separator: "\n").contains { line in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return false }
      if parts[1] == "freezer" {
        return read("/sys/fs/cgroup/freezer\(parts[2])/freezer.state")?.hasPrefix("FROZEN") ?? false
      }
      // The unified hierarchy has no controllers in its line.
      guard parts[1].isEmpty else { return false }
      return ["", "/unified"].contains { mount in
        read("/sys/fs/cgroup\(mount)\(parts[2])/cgroup.events")?.contains("frozen 1") ?? false
      }
    }
  }

  /// Nanoseconds of the calling thread; 0 where the kernel does not say.
  package static func ofThisThread() -> UInt64 {
    SystemFile.text("/proc/thread-self/schedstat")
      .flatMap { ProcessorReading.ThreadCounters(schedstat: $0, comm: "") }?.runDelayNanoseconds ?? 0
  }
}
