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

/// Runs blocks in the turn of a context.
struct ContextBlocks {
  private let context: NSManagedObjectContext

  init(of context: NSManagedObjectContext) { self.context = context }

  /// The context that runs a block on the calling thread.
  static var performing: NSManagedObjectContext? {
    ThreadRecord.subject.map { Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Does the work of ``NSManagedObjectContext/perform(_:)``.
  func enqueue(_ block: @escaping @Sendable () -> Void) {
    requireQueue()
    context.queue.async {
      Arrivals.merge(into: context)
      run {
        block()
        ChangeProcessing(of: context).finishEvent()
      }
    }
  }

  /// Does the work of ``NSManagedObjectContext/performAndWait(_:)->_``.
  func wait<Result>(for block: () throws -> Result) rethrows -> Result {
    requireQueue()
    if context.queue.isHeld {
      if context.turn.depth == 0 { Arrivals.merge(into: context) }
      return try run(block)
    }
    return try context.queue.sync {
      Arrivals.merge(into: context)
      return try run(block)
    }
  }

  /// Runs a block in the turn; on the queue.
  func run<Result>(_ block: () throws -> Result) rethrows -> Result {
    context.turn.depth += 1
    let outer = ThreadRecord.replaceSubject(Unmanaged.passUnretained(context).toOpaque())
    defer {
      context.turn.depth -= 1
      if context.turn.depth == 0 {
        if context.turn.burst.end() { context.coordinator?.releaseSnapshots() }
        context.tree.aliases.settle(context)
      }
      _ = ThreadRecord.replaceSubject(outer)
    }
    return try block()
  }

  func requireQueue() {
    precondition(
      context.queue.acceptsBlocks,
      "\(context.label) is confined to a thread; only a context made with a queue concurrency type can perform blocks")
  }
}
