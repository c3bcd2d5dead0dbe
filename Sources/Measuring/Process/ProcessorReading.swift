#if canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

/// The kernel's counters of this process and its threads at one moment; the difference of two is a usage.
package struct ProcessorReading: Sendable {
  /// The kernel's counters of a thread.
  struct ThreadCounters: Sendable, Equatable {
    /// Name of the thread, as far as the kernel keeps it.
    var name: String
    var cpuNanoseconds: UInt64
    var runDelayNanoseconds: UInt64
  }

  private let cpuNanoseconds: UInt64
  private let mainCPUNanoseconds: UInt64
  private let process: rusage
  private let main: rusage
  private let threads: [Int32: ThreadCounters]

  /// Reads the counters.
  ///
  /// - Precondition: called on the main thread: no other thread can read its counters in full.
  package static func current() -> ProcessorReading {
    ProcessorReading(
      cpuNanoseconds: MonotonicClock.processCPU(), mainCPUNanoseconds: MonotonicClock.threadCPU(),
      process: usage(Self.wholeProcess), main: usage(Self.callingThread), threads: ThreadCounters.all())
  }

  /// The usage from an earlier reading to this one.
  package func usage(since earlier: ProcessorReading) -> ProcessorUsage {
    precondition(
      cpuNanoseconds >= earlier.cpuNanoseconds && mainCPUNanoseconds >= earlier.mainCPUNanoseconds,
      "the earlier reading is of the same process and thread")
    var usage = ProcessorUsage()
    let total = cpuNanoseconds - earlier.cpuNanoseconds
    let main = mainCPUNanoseconds - earlier.mainCPUNanoseconds
    usage.totalSeconds = Double(total) / 1e9
    usage.mainSeconds = Double(main) / 1e9
    usage.kernelSeconds = Self.seconds(process.ru_stime) - Self.seconds(earlier.process.ru_stime)
    usage.voluntarySwitches = Self.difference(process.ru_nvcsw, earlier.process.ru_nvcsw)
    usage.involuntarySwitches = Self.difference(process.ru_nivcsw, earlier.process.ru_nivcsw)
    usage.mainVoluntarySwitches = Self.difference(self.main.ru_nvcsw, earlier.main.ru_nvcsw)
    usage.mainInvoluntarySwitches = Self.difference(self.main.ru_nivcsw, earlier.main.ru_nivcsw)
    guard let ownThread = threads[getpid()] else { return usage }
    if let before = earlier.threads[getpid()] {
      usage.mainRunDelaySeconds = Double(ownThread.runDelayNanoseconds - before.runDelayNanoseconds) / 1e9
    }
    let workers = threads.reduce(UInt64(0)) { sum, thread in
      guard thread.key != getpid(), !thread.value.isOfDispatch else { return sum }
      let before = earlier.threads[thread.key].map(\.cpuNanoseconds) ?? 0
      return sum + (thread.value.cpuNanoseconds > before ? thread.value.cpuNanoseconds - before : 0)
    }
    usage.workerSeconds = Double(workers) / 1e9
    // Threads that ended meanwhile are in the total only; those of Dispatch come and go, the others stay.
    usage.queueSeconds = Double(total > main + workers ? total - main - workers : 0) / 1e9
    return usage
  }

  // RUSAGE_SELF and RUSAGE_THREAD of the kernel, which Swift sees as an enumeration, or not at all.
  private static let wholeProcess: CInt = 0
  private static let callingThread: CInt = 1

  private static func usage(_ who: CInt) -> rusage {
    var usage = rusage()
    getrusage(who, &usage)
    return usage
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

  private static func difference(_ late: Int, _ early: Int) -> UInt64? { late >= early ? UInt64(late - early) : nil }
}

extension ProcessorReading.ThreadCounters {
  /// Whether the thread serves queues: Dispatch names its threads after their root queue, `….root.default-qos`.
  var isOfDispatch: Bool { name.contains("-qos") }

  /// The counters of all threads of a process, of this one unless another folder is given, by thread; empty where the kernel does not keep them.
  ///
  /// - SeeAlso: The kernel's "Scheduler Statistics", `/proc/<pid>/schedstat`.
  static func all(in folder: String = "/proc/self/task") -> [Int32: Self] {
    guard let directory = opendir(folder) else { return [:] }
    defer { closedir(directory) }
    var all: [Int32: Self] = [:]
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let thread = Int32(name), let text = SystemFile.text("\(folder)/\(name)/schedstat"),
        let comm = SystemFile.text("\(folder)/\(name)/comm"), let counters = Self(schedstat: text, comm: comm)
      else { continue }
      all[thread] = counters
    }
    return all
  }

  init?(schedstat: String, comm: String) {
    let numbers = SystemFile.trimmed(schedstat).split(separator: " ").map { UInt64($0) }
    guard numbers.count == 3, let cpu = numbers[0], let delay = numbers[1] else { return nil }
    self.init(name: SystemFile.trimmed(comm), cpuNanoseconds: cpu, runDelayNanoseconds: delay)
  }
}
