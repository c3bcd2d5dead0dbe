import CRuntime
import Synchronization

/// A value behind a lock; the lock is not recursive and knows nothing of the wait-for graph.
///
/// For short sections that call nothing which could wait. ThreadSanitizer understands this lock, since its atomic operations
/// are compiled here; it reports `Synchronization.Mutex` falsely.
public final class Locked<State>: @unchecked Sendable {
  // Sendable: `state` is only touched between `acquire` and `release`.

  /// 0: free. 1: taken. 2: taken, and others may sleep until it is free.
  @usableFromInline
  let word = Atomic<UInt32>(0)
  // Not checked for exclusivity at run time: the lock sees to it.
  @exclusivity(unchecked)
  @usableFromInline
  var state: State

  /// Puts a value behind a lock.
  public init(_ state: State) { self.state = state }

  /// A copy of the value.
  ///
  /// The way to read a function: ``withLock(_:)`` would store it back inside a thunk, and each reading add another.
  @inlinable
  package var current: State {
    acquire()
    defer { release() }
    return state
  }

  /// Runs `body` with the value, alone.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    acquire()
    defer { release() }
    return try body(&state)
  }

  @inlinable @inline(__always)
  func acquire() {
    if !tryAcquire() { waitForTurn() }
  }

  @inlinable @inline(__always)
  func release() {
    if word.exchange(0, ordering: .releasing) == 2 { wakeOne() }
  }

  /// Takes the lock if it is free; whether it was.
  @inlinable @inline(__always)
  func tryAcquire() -> Bool {
    word.compareExchange(expected: 0, desired: 1, successOrdering: .acquiring, failureOrdering: .relaxed).exchanged
  }

  @usableFromInline @inline(never)
  func waitForTurn() {
    // A section is shorter than falling asleep: the lock is likely free in a moment.
    for _ in 0..<100 {
      contextbench_pause()
      if word.load(ordering: .relaxed) == 0, tryAcquire() { return }
    }
    while word.exchange(2, ordering: .acquiring) != 0 {
      withUnsafePointer(to: word) { contextbench_sleep_while($0, 2) }
    }
  }

  @usableFromInline @inline(never)
  func wakeOne() { withUnsafePointer(to: word) { contextbench_wake_one($0) } }
}
