/// A process's use of the processors over a span of time, by kind of thread; nil where the system does not tell.
package struct ProcessorUsage: Codable, Sendable, Hashable {
  /// CPU seconds of all threads, those that ended included.
  package var totalSeconds: Double?
  /// Of these, the main thread's.
  package var mainSeconds: Double?
  /// Of these, of all threads but main and those of Dispatch: clients and strategies.
  package var workerSeconds: Double?
  /// Of these, those of all other threads: the threads of Dispatch, which serve queues.
  package var queueSeconds: Double?
  /// Of ``totalSeconds``, spent inside the kernel.
  package var kernelSeconds: Double?
  /// Seconds in which the main thread was ready to run and no processor was free for it.
  package var mainRunDelaySeconds: Double?
  /// Times a thread gave up its processor to wait for something.
  package var voluntarySwitches: UInt64?
  /// Times a thread's processor was taken from it.
  package var involuntarySwitches: UInt64?
  /// Of ``voluntarySwitches``, the main thread's.
  package var mainVoluntarySwitches: UInt64?
  /// Of ``involuntarySwitches``, the main thread's.
  package var mainInvoluntarySwitches: UInt64?

  /// Nothing measured.
  package init() {}

  /// This usage with that of another process: the main thread's stays this one's.
  package func adding(_ other: ProcessorUsage) -> ProcessorUsage {
    var sum = self
    func add<Value: AdditiveArithmetic>(_ path: WritableKeyPath<ProcessorUsage, Value?>) {
      guard let own = self[keyPath: path], let others = other[keyPath: path] else { return sum[keyPath: path] = nil }
      sum[keyPath: path] = own + others
    }
    add(\.totalSeconds)
    add(\.workerSeconds)
    add(\.queueSeconds)
    add(\.kernelSeconds)
    add(\.voluntarySwitches)
    add(\.involuntarySwitches)
    return sum
  }
}
