extension Explanation {
  static let missedNotification = Explanation(
    cause: """
      A save went by without DidSave: it was a batch request, another process, or the observer was registered for \
      another context or removed too early.
      """,
    remedy: "Merge batch results yourself, use persistent history for other processes, and keep the observer's token.",
    code: """
      NSManagedObjectContext.mergeChanges(
        fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [main])
      """,
    sources: [.changeManagement, .background])

  static let duplicateNotification = Explanation(
    cause: """
      Two notifications arrive for one save: two observers are registered, or a save is merged both by hand and automatically.
      """,
    remedy: "Merge one way only, and register once for a context's life.",
    code: """
      main.automaticallyMergesChangesFromParent = true    // and no DidSave observer beside it
      """,
    sources: [.context, .changeManagement])

  static let wrongNotification = Explanation(
    cause: """
      A notification is not the difference that its save made: its objects were read after later changes, or on another \
      queue, or saves of several contexts came in another order.
      """,
    remedy: "Take IDs out of the notification at once, on the saving context's queue, and use nothing else of it.",
    code: """
      observer = center.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { note in
        let ids = (note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.map(\\.objectID) ?? []
        main.perform { reload(ids) }
      }
      """,
    sources: [.changeManagement, .context])

  static let controllerDivergence = Explanation(
    cause: """
      The list no longer is what a fetch gives: the controller's changes were applied in another order than they are \
      meant (deletes by old positions, inserts by new ones), or objects changed without a save or a merge.
      """,
    remedy: "Apply the difference, or collect the changes and apply them in one batch update when all have come.",
    code: """
      func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
      ) { list = list.applying(diff) ?? [] }
      """,
    sources: [.controller])

  static let contextLeak = Explanation(
    cause: """
      A context lives on: a closure that it keeps captures it, an observer's block holds it, or an object with unsaved \
      changes does.
      """,
    remedy: "Capture contexts weakly in blocks that outlive the work, and let objects go before the context.",
    code: """
      observer = center.addObserver(forName: name, object: nil, queue: nil) { [weak context] note in
        context?.perform { … }
      }
      """,
    sources: [.context, .faulting])

  static let observerLeak = Explanation(
    cause: """
      addObserver(forName:…) gives a token that is never handed back: the block is called, and what it captures is kept, \
      for as long as the process lives. Every screen that is opened adds one.
      """,
    remedy: "Keep the observer that it gives, and remove it with its owner.",
    code: """
      deinit { NotificationCenter.default.removeObserver(observer) }
      """,
    sources: [
      Source(
        title: "Apple, NotificationCenter.addObserver(forName:object:queue:using:)",
        address:
          "https://developer.apple.com/documentation/foundation/notificationcenter/addobserver(forname:object:queue:using:)"
      )
    ])

  static let storeCorruption = Explanation(
    cause: """
      The file was copied or deleted while it was open, without its -wal and -shm; a second process used other locks; \
      the store was removed while a context saved; or another store took its place, and a context of the old one saved.
      """,
    remedy: "Move, copy and delete stores only through the coordinator, while no context saves.",
    code: """
      try coordinator.replacePersistentStore(at: destination, withPersistentStoreFrom: source, type: .sqlite)
      try coordinator.destroyPersistentStore(at: url, type: .sqlite)
      """,
    sources: [
      .corruption, .thread("woocommerce/woocommerce-ios", 2845, "the store is reset while a child saves"),
    ])

  static let durabilityLost = Explanation(
    cause: """
      A save that had returned was gone after the process was killed: the file system or the disk kept it in a cache, or \
      the log was deleted as a leftover.
      """,
    remedy: """
      Leave the -wal file alone. Where a loss of power must not cost the last saves, ask SQLite to wait for the disk.
      """,
    code: """
      description.setValue("FULL" as NSString, forPragmaNamed: "synchronous")
      """,
    sources: [.synchronous, .corruption])
}
