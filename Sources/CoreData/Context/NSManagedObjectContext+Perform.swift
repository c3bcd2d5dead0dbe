import Scheduling

/// The event that a context is in: its blocks, and the work they leave for their end.
struct ContextTurn {
  /// How many blocks run inside each other.
  var depth = 0
  /// Whether changes are to be processed at the end of the main queue's turn.
  var isPassEnqueued = false
  /// Above 0 while setting a property is no change.
  var untracked = 0
  /// Faults that are read from the store in the block that runs.
  var burst = FaultBurst()
  /// The child that is being served.
  var servedChild: ObjectIdentifier?
  /// Objects of relationships when `willChangeValue(forKey:)` announced a change, kept until `didChangeValue(forKey:)`.
  var announced: [AnnouncedChange: ContiguousArray<NSManagedObject>] = [:]
}

extension NSManagedObjectContext {
  /// Does the work of ``perform(_:)``.
  final func enqueue(_ block: @escaping @Sendable () -> Void) {
    requireQueue()
    queue.async { [self] in
      mergeArrivals()
      inBlock {
        block()
        finishEvent()
      }
    }
  }

  /// Runs `block` in the context's turn before it returns, with its value or error. Any thread.
  ///
  /// Inline when the calling thread holds the queue already, to any depth; on the main thread for a main queue
  /// context. Changes stay unprocessed until a save, a call, or the next ``perform(_:)``.
  /// - Precondition: the context has a queue; a confined one has none.
  public final func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try wait(for: block) }

  final func wait<Result>(for block: () throws -> Result) rethrows -> Result {
    requireQueue()
    if queue.isHeld {
      if turn.depth == 0 { mergeArrivals() }
      return try inBlock(block)
    }
    return try queue.sync {
      mergeArrivals()
      return try inBlock(block)
    }
  }

  /// Runs `block` on the context's queue and returns its value or error. Any thread.
  ///
  /// After the block its changes are processed, unless it ran at once.
  /// - Precondition: the context has a queue; a confined one has none.
  @preconcurrency
  public final func perform<Result>(
    schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> Result
  ) async rethrows -> Result {
    requireQueue()
    if schedule == .immediate, queue.isHeld { return try inBlock(block) }
    // The block's result is the caller's own, as on Apple's systems.
    let result = await withCheckedContinuation { continuation in
      perform { continuation.resume(returning: Handed(value: Swift.Result { try block() })) }
    }
    return try Rethrowing.value(of: result.value) { throw $0 }
  }

  private final func inBlock<Result>(_ block: () throws -> Result) rethrows -> Result {
    turn.depth += 1
    let outer = ThreadRecord.replaceSubject(Unmanaged.passUnretained(self).toOpaque())
    defer {
      turn.depth -= 1
      if turn.depth == 0 {
        if turn.burst.end() { coordinator?.releaseSnapshots() }
        settleAliases()
      }
      _ = ThreadRecord.replaceSubject(outer)
    }
    return try block()
  }

  /// The context that runs a block on the calling thread.
  static var performing: NSManagedObjectContext? {
    ThreadRecord.subject.map { Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeUnretainedValue() }
  }

  private final func requireQueue() {
    precondition(
      queue.acceptsBlocks,
      "\(label) is confined to a thread; only a context made with a queue concurrency type can perform blocks")
  }
}

/// A value that goes from one thread to another, and is used by the latter alone from then on.
struct Handed<Value>: @unchecked Sendable {
  let value: Value
}
