extension WaitForGraph {
  /// A depth-first search for threads that can still run.
  ///
  /// A thread on the path is taken for stuck: if all that could free a thread wait for it in turn, none moves.
  struct Walk {
    /// Threads assumed or found to be stuck, in the order in which they were met.
    private var path: ContiguousArray<ThreadRecord> = []
    /// Waiting threads found able to continue; that does not depend on the path.
    private var runnable: ContiguousArray<ThreadRecord> = []

    /// The cycle that an edge just added closes through `target`; nil when there is none without that edge either.
    ///
    /// - Parameters:
    ///   - thread: the waiting thread, when the edge is its wait.
    ///   - undo: takes the edge away.
    ///   - redo: brings it back.
    static func cycle(
      through target: any WaitTarget, closedBy thread: ThreadRecord?, undo: () -> Void, redo: () -> Void
    ) -> Cycle? {
      var walk = Walk()
      guard thread.map({ walk.isStuck($0) }) ?? target.isStuck(&walk) else { return nil }
      let waits = walk.path.compactMap { thread in thread.waitsFor.map { (thread, $0) } }
      undo()
      defer { redo() }
      var earlier = Walk()
      guard !target.isStuck(&earlier) else { return nil }
      return Cycle(
        links: waits.map { "\($0.name) waits for \($1.waitName)" },
        participants: waits.map { $1.waitName })
    }

    /// Whether `thread` can never continue: it waits, directly or not, only for threads of the path. If it can, the path
    /// is left as it was.
    mutating func isStuck(_ thread: ThreadRecord) -> Bool {
      guard let target = thread.waitsFor else { return false }
      if path.contains(where: { $0 === thread }) { return true }
      if runnable.contains(where: { $0 === thread }) { return false }
      path.append(thread)
      if target.isStuck(&self) { return true }
      path.removeLast()
      runnable.append(thread)
      return false
    }

    /// Whether every one of `threads` is stuck; if not, the path is left as it was.
    mutating func areAllStuck(_ threads: [ThreadRecord]) -> Bool {
      if threads.contains(where: { $0.waitsFor == nil }) { return false }
      let mark = path.count
      for thread in threads where !isStuck(thread) {
        path.removeSubrange(mark...)
        return false
      }
      return true
    }
  }
}
