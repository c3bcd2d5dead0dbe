/// How long threads were ready to run and had no processor, as the kernel counts it.
package enum ProcessorDelay {
  /// Nanoseconds of each of the process's threads that live, by thread; empty where the kernel does not say.
  package static func nanosecondsByThread(ofProcess id: Int32) -> [Int32: UInt64] {
    ProcessorReading.ThreadCounters.all(in: "/proc/\(id)/task").mapValues(\.runDelayNanoseconds)
  }

  /// Nanoseconds of the calling thread; 0 where the kernel does not say.
  package static func ofThisThread() -> UInt64 {
    SystemFile.text("/proc/thread-self/schedstat")
      .flatMap { ProcessorReading.ThreadCounters(schedstat: $0, comm: "") }?.runDelayNanoseconds ?? 0
  }
}
