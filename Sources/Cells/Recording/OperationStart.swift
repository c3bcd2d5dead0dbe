import Measuring

/// A moment on a thread: the begin of an operation, or its end.
public struct OperationStart: Sendable {
  /// Nanoseconds of the monotonic clock.
  public let nanoseconds: UInt64
  /// When the operation was due, on the same clock; nil where it begins as soon as the one before has ended.
  public let due: UInt64?
  /// Bytes that the thread had allocated; nil where allocations are not counted.
  let bytes: UInt64?
  let thread: ThreadIdentity

  /// The moment at which the calling thread read `nanoseconds` from the clock, just now.
  public init(at nanoseconds: UInt64, due: UInt64? = nil) {
    self.nanoseconds = nanoseconds
    self.due = due
    bytes = AllocationCounter.threadBytes
    thread = .current
  }

  /// Now, on the calling thread.
  public static func now(due: UInt64? = nil) -> OperationStart { OperationStart(at: MonotonicClock.now(), due: due) }

  /// Bytes that the thread allocated from this moment to a later one of the same thread; nil where they are not known.
  func bytes(until end: OperationStart) -> UInt64? {
    guard thread == end.thread, let bytes, let last = end.bytes else { return nil }
    return last &- bytes
  }
}
