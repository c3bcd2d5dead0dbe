import Scheduling

extension NSPersistentStoreCoordinator {
  /// Enqueues `block` and returns; it runs in the coordinator's turn: no other thread saves through it or changes its stores
  /// meanwhile. Any thread.
  @preconcurrency
  public final func perform(_ block: @escaping @Sendable () -> Void) { turn.async(block) }

  /// Runs `block` in the coordinator's turn before it returns, with its value or error. Any thread.
  ///
  /// Inline when the calling thread holds the turn already. Contexts still read a store in a file in that time.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try turn.sync(block) }

  /// Runs `block` in the coordinator's turn before it returns; the same as the form with a value, as a function of one type.
  @_disfavoredOverload
  public final func performAndWait(_ block: () -> Void) { turn.sync(block) }

  /// Runs `block` in the coordinator's turn and returns its value or error. Any thread.
  @preconcurrency
  public final func perform<Result>(_ block: @escaping @Sendable () throws -> Result) async rethrows -> Result {
    let result = await withCheckedContinuation { continuation in
      turn.async { continuation.resume(returning: Handed(value: Swift.Result { try block() })) }
    }
    return try Rethrowing.value(of: result.value) { throw $0 }
  }
}
