extension WaitForGraph {
  /// Looks at every thread's wait; any thread, at any time.
  ///
  /// Complexity: O(*n* + *m*) for *n* threads and *m* entries in their lines.
  /// - Throws: ``BrokenInvariant`` that says what should hold.
  package static func verifyInvariants() throws {
    let contradictions = update { ThreadRecord.everyone.compactMap { contradiction(of: $0) } }
    try BrokenInvariant.unless(contradictions.isEmpty, contradictions.joined(separator: "; "))
  }

  /// The contradiction in the thread's wait; nil as a rule. Under the graph's lock.
  private static func contradiction(of thread: ThreadRecord) -> String? {
    guard let queue = thread.waitsFor as? SerialQueue, !queue.isMain else { return nil }
    return queue.contradiction(ofWaiting: thread).map { "\(thread.name) waits for \(queue.name): \($0)" }
  }
}

extension SerialQueue {
  /// The contradiction to a thread's wait for the turn; nil as a rule. Under the graph's lock.
  func contradiction(ofWaiting thread: ThreadRecord) -> String? {
    let word = turn.load(ordering: .acquiring)
    if OwnerWord.thread(word) === thread { return "it has the turn" }
    if word & OwnerWord.hasLine == 0 { return "whoever has the turn does not know that others wait" }
    let places = line.waiters.filter { $0.thread === thread }
    if places.count != 1 { return "it is in the line \(places.count) times" }
    return places[0].isNext ? "it was given the turn" : nil
  }
}
