/// How long threads were ready to run and had no processor, as the kernel counts it.
package enum ProcessorDelay {
  /// Nanoseconds of the process's thread that waited longest, of those that live; 0 where the kernel does not say.
  package static func nanoseconds(ofProcess id: Int32) -> UInt64 {
    ProcessorReading.ThreadCounters.all(in: "/proc/\(id)/task").values.map(\.runDelayNanoseconds).max() ?? 0
  }

  /// Nanoseconds of the calling thread; 0 where the kernel does not say.
  package static func ofThisThread() -> UInt64 {
    SystemFile.text("/proc/thread-self/schedstat")
      .flatMap { ProcessorReading.ThreadCounters(schedstat: $0, comm: "") }?.runDelayNanoseconds ?? 0
  }
}
