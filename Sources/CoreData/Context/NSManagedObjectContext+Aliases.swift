import RowStore

extension NSManagedObjectContext {
  /// Says which temporary keys this context still uses, once in each round; on its queue, between operations.
  ///
  /// A context with unsaved changes, or with merges to come, waits.
  /// - Complexity: O(*n*) for *n* registered objects, once a round; else a load.
  @inline(__always)
  final func settleAliases() {
    guard aliases.isRoundOpen, parentContext != nil else { return }
    settleOpenRound()
  }

  @inline(never)
  private final func settleOpenRound() {
    guard changes.isEmpty, !hasUndoManager, inbox.isEmpty,
      let candidates = aliases.candidates(for: self), let registry
    else { return }
    var used: Set<Int64> = []
    // A holder of one that was found gone may ask for the object that is back under its ID.
    let objects = registry.objects.objects + held.livingGone
    for object in objects {
      object.forEachTemporaryKey { if candidates.contains($0) { used.insert($0) } }
    }
    aliases.settle(self, uses: used, visited: objects.count)
  }

  /// Serves a child, which takes over the result; any thread.
  final func serve<Result>(_ child: NSManagedObjectContext, _ body: (ParentAnswers) throws -> Result) rethrows -> Result
  {
    try serve(.fetch) {
      let outer = turn.servedChild
      turn.servedChild = ObjectIdentifier(child)
      child.registry?.seenSaves = saves.begun
      defer {
        turn.servedChild = outer
        settleAliases()
      }
      return try body(ParentAnswers(of: self))
    }
  }

  /// Runs `body` while the calling thread holds the queues of all ancestors; nil, without waiting, if one of them is taken.
  final func withAncestorsIfFree<Result>(_ body: () throws -> Result) rethrows -> Result? {
    guard let parentContext else { return try body() }
    return try parentContext.queue.syncIfFree { try parentContext.withAncestorsIfFree(body) } ?? nil
  }
}

extension NSManagedObject {
  /// Calls `body` for each temporary key by which the object or its rows name an object.
  fileprivate final func forEachTemporaryKey(_ body: (Int64) -> Void) {
    if key < 0 { body(key) }
    values?.forEachTemporaryKey(body)
    if snapshot !== values { snapshot?.forEachTemporaryKey(body) }
  }
}

extension Row {
  /// Calls `body` for each temporary key among the references.
  func forEachTemporaryKey(_ body: (Int64) -> Void) {
    for index in layoutReference._withUnsafeGuaranteedRef({ $0.toOneSlots }) {
      if case .reference(let reference) = self[index], reference.key < 0 { body(reference.key) }
    }
  }
}
