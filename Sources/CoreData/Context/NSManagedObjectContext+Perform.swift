extension NSManagedObjectContext {
  /// Runs `block` in the context's turn before it returns, with its value or error. Any thread.
  ///
  /// Inline when the calling thread holds the queue already, to any depth; on the main thread for a main queue
  /// context. Changes stay unprocessed until a save, a call, or the next ``perform(_:)``.
  /// - Precondition: the context has a queue; a confined one has none.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try ContextBlocks(of: self).wait(for: block)
  }

  /// Runs `block` on the context's queue and returns its value or error. Any thread.
  ///
  /// After the block its changes are processed, unless it ran at once.
  /// - Precondition: the context has a queue; a confined one has none.
  @preconcurrency
  public final func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    let blocks = ContextBlocks(of: self)
    blocks.requireQueue()
    if schedule == .immediate, queue.isHeld { return try blocks.run(block) }
    // The block's result is the caller's own, as on Apple's systems.
    let result = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: Handed(value: Swift.Result { try block() })) }
    }
    return try Rethrowing.value(of: result.value) { throw $0 }
  }

  /// Runs `body` while the calling thread holds the queues of all ancestors; nil, without waiting, if one of them is taken.
  final func withAncestorsIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard let parentContext else { return try body() }
    return try parentContext.queue.syncIfFree { try parentContext.withAncestorsIfFree(body) } ?? nil
  }
}

/// A value that goes from one thread to another, and is used by the latter alone from then on.
struct Handed<Value>: @unchecked Sendable {
  let value: Value
}
