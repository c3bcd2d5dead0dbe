import Foundation

/// A value behind a lock; the lock is not recursive and knows nothing of the wait-for graph.
///
/// For short sections that call nothing which could wait. ThreadSanitizer understands this lock; it reports
/// `Synchronization.Mutex` falsely.
public final class Locked<State>: @unchecked Sendable {
  // Sendable: `state` is only touched between lock and unlock.
  @usableFromInline
  let lock: UnsafeMutablePointer<pthread_mutex_t>
  // Not checked for exclusivity at run time: the lock sees to it.
  @exclusivity(unchecked)
  @usableFromInline
  var state: State

  /// Puts a value behind a lock.
  public init(_ state: State) {
    self.state = state
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  /// A copy of the value.
  ///
  /// The way to read a function: ``withLock(_:)`` would store it back inside a thunk, and each reading add another.
  @inlinable
  package var current: State {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return state
  }

  /// Runs `body` with the value, alone.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&state)
  }
}
