/// Saves of others on their way into a context that merges them by itself.
enum Arrivals {
  /// Lets `context` merge a save of another context. Any thread.
  ///
  /// The save waits in a list as well as on the queue, so that the next block on the queue sees it merged.
  static func add(_ record: SaveRecord, to context: NSManagedObjectContext) {
    guard context.queue.acceptsBlocks else { return }
    DeliveryHooks.deliver { [weak context] in
      guard let context else { return }
      context.inbox.add(record)
      enqueueMerge(into: context)
    }
  }

  /// Merges what arrived for `context` in a turn of its own.
  static func enqueueMerge(into context: NSManagedObjectContext) {
    context.queue.async { [weak context] in if let context { merge(into: context) } }
  }

  /// Merges the saves that arrived for `context`, in the order in which they came; on the context's queue.
  ///
  /// Inside a save, a merge, or the processing of changes it waits: work under way finds everything as it was, and nothing that
  /// arrives later is merged before it.
  static func merge(into context: NSManagedObjectContext) {
    guard !context.inbox.isClosed else { return }
    if !context.changes.unsettled.movedPartners.isEmpty {
      _ = context.withAncestorsIfFree { heldBack(from: context, during: SideSettling(in: context).settleMovedPartners) }
    }
    while true {
      let records = context.inbox.removeAll()
      if records.isEmpty { context.inbox.unmergedPushes = UnmergedPushes() }
      guard !records.isEmpty, context.automaticallyMergesChangesFromParent else { return }
      heldBack(from: context) {
        ServedWork.merge.run {
          for record in records { SaveMerge.merge(record, into: context, inOrder: true) }
        }
      }
    }
  }

  /// Runs `body` while nothing that others saved is merged into `context`.
  @inline(__always)
  static func heldBack<Result>(from context: NSManagedObjectContext, during body: () throws -> Result) rethrows
    -> Result
  {
    context.inbox.close()
    defer { letIn(to: context) }
    return try body()
  }

  /// Opens the inbox of `context`; saves that arrived meanwhile are merged in a turn of their own, if not before.
  static func letIn(to context: NSManagedObjectContext) {
    guard context.inbox.open(), context.queue.acceptsBlocks, !context.inbox.isEmpty else { return }
    enqueueMerge(into: context)
  }
}
