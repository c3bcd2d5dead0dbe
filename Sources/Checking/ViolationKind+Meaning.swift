extension ViolationKind {
  /// What the kind means, in a sentence, for `list violations`.
  public var meaning: String {
    switch self {
    case .contextOffQueue: "a context was touched from a queue or thread other than its own"
    case .objectOffQueue: "a managed object was touched from a queue or thread other than its context's"
    case .inaccessibleFault: "a fault fired for a row that is gone"
    case .deadlock: "a cycle of waits: nobody in it can go on"
    case .lockOrder: "contexts were nested in orders that could deadlock in another interleaving"
    case .hang: "a cell did not end within timeout_s"
    case .crash: "a cell's process died"
    case .lostRecord: "acknowledged as durable, and not in the store"
    case .duplicateRecord: "one logical key, several rows"
    case .orphanRecord: "a row whose owner is gone"
    case .asymmetricInverse: "the two sides of a relationship disagree"
    case .unpersistedSave: "a child's save was pushed to its parent and never reached the store"
    case .staleRead: "main drained a save's merge, and still shows the older value of an object it holds"
    case .mainThreadStall:
      "the main thread was held longer than 250 ms (warning), main_stall_budget_ms or watchdog_s (error)"
    case .failedSave: "a save was refused and the workload lost the change"
    }
  }
}
