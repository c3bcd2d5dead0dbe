extension Explanation {
  static let deadlock = Explanation(
    cause: """
      Main waits for background work (performAndWait, a group, a semaphore), and that work needs main: performAndWait on \
      the main context, main.sync, a child's save, a merge that is waited for.
      """,
    remedy: "Never let main wait for a block that can need main. Send the block, and continue in a completion handler.",
    code: """
      background.perform {
        …
        do {
          try background.save()
          main.perform { refreshList() }
        } catch {
          background.rollback()
          main.perform { show(error) }
        }
      }
      """,
    sources: [
      .context, .concurrency,
      .thread("JohnEstropia/CoreStore", 98, "the main thread waits for a merge that waits for main"),
      .thread(
        "jessesquires/JSQCoreDataKit", 68, "child.performBlockAndWait in a loop while the child's save needs main"),
    ])

  static let lockOrder = Explanation(
    cause: """
      Two places nest the same contexts in opposite orders: A.performAndWait inside B's block here, B inside A there. \
      Nothing hangs until both run at once.
      """,
    remedy: "Decide on one order (outermost: the context nearest to the store), or do not nest: leave one block first.",
    code: """
      let values = child.performAndWait { child.registeredObjects.map(\\.objectID) }
      main.perform { use(values) }     // after, not inside
      """,
    sources: [
      .concurrency, .thread("woocommerce/woocommerce-ios", 1978, "main is saved inside a child's perform"),
    ])

  static let hang = Explanation(
    cause: """
      A thread waits for an event that never comes: a completion handler that an early return forgets, a semaphore in a \
      path that throws, a lock that is held for ever. The stacks in the results folder show who waits where.
      """,
    remedy: "Complete on every path with defer, or use async functions, which cannot return without a result.",
    code: """
      func load(completion: @escaping @Sendable () -> Void) {
        context.perform {
          defer { completion() }
          guard let note = try? context.existingObject(with: id) else { return }
          …
        }
      }
      """,
    sources: [.context, .concurrency])

  static let crash = Explanation(
    cause: """
      The process died: an uncaught Core Data exception (a block sent to a confined context, an object \
      without its row, a wrong key), a trap, or memory that a data race destroyed. The backtrace is in the results folder.
      """,
    remedy: """
      Read the first frames of your own code in the backtrace. An exception of Core Data's is a mistake in the caller, \
      never something to catch.
      """,
    code: """
      // A context that takes blocks has a queue:
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.perform { … }
      """,
    sources: [.troubleshooting, .context])

  static let mainThreadStall = Explanation(
    cause: """
      Work of hundreds of milliseconds runs in one block on main: a whole import, a save of a child once per object \
      (each is pushed through main), a merge of thousands of rows, a fetch without a limit.
      """,
    remedy: """
      Import in a private context on the coordinator, in portions of some hundred rows with a save each, and let main \
      merge.
      """,
    code: """
      try await container.performBackgroundTask { context in
        for start in stride(from: 0, to: rows.count, by: 500) {
          rows[start...].prefix(500).forEach { insert($0, into: context) }
          try context.save()
          context.reset()
        }
      }
      """,
    sources: [.background, .concurrency])
}
