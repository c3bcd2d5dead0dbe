extension Explanation {
  static let lostUpdate = Explanation(
    cause: """
      Two contexts read a value, compute and write it back, and the overwrite or object-trump policy lets the second \
      win: the first update was acknowledged and is gone. Two writers where one was promised do the same.
      """,
    remedy: "Keep the error policy for read-modify-write and repeat on conflict, or let one context do all of it.",
    code: """
      while true {
        counter.value += 1
        do { try context.save(); break } catch let error as CocoaError where error.code == .managedObjectMerge {
          context.rollback()
          context.refresh(counter, mergeChanges: false)
        }
      }
      """,
    sources: [.changeManagement, .mergePolicy, .hermitage])

  static let wrongValue = Explanation(
    cause: """
      A context saved an object that it had read long before. Overwrite writes all of it, also properties that were not \
      changed, over newer values; store trump and rollback drop changes of a save that succeeds all the same.
      """,
    remedy: """
      Save what was read just before, with a policy that fails or that keeps the changed properties only; compare what was \
      meant with the stored values when the save has returned.
      """,
    code: """
      context.refresh(note, mergeChanges: false)          // as it is now
      note.title = title
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      """,
    sources: [.mergePolicy, .changeManagement])

  static let dirtyRead = Explanation(
    cause: """
      Main is the parent of the workers and shows what they push, before it is in the store; then main rolls back, or \
      its save fails. What the user saw never was.
      """,
    remedy: "Read from a context on the coordinator, or push only what main saves in the same block.",
    code: """
      let worker = container.newBackgroundContext()       // beside main, not below it
      main.automaticallyMergesChangesFromParent = true
      """,
    sources: [.context, .elle])

  static let tornRead = Explanation(
    cause: """
      Objects of one save were read as faults one after the other, and another save came between: half of them are old, \
      half new.
      """,
    remedy: "Fetch what belongs together in one request, or pin the context to a query generation.",
    code: """
      try context.setQueryGenerationFrom(.current)
      let notes = try context.fetch(request)              // and all their faults, from one moment
      """,
    sources: [.generations, .faulting])

  static let readSkew = Explanation(
    cause: "Two fetches of one unit of work saw different states of the store, since another save came between them.",
    remedy: "Pin the context to a query generation for the length of the work, or fetch once.",
    code: """
      try context.performAndWait {
        try context.setQueryGenerationFrom(.current)
        defer { try? context.setQueryGenerationFrom(nil) }
        compare(try context.fetch(a), try context.fetch(b))
      }
      """,
    sources: [.generations, .elle])

  static let writeSkew = Explanation(
    cause: """
      Two units each read what the other then writes (at least one doctor on call), and write different rows. Optimistic \
      locking looks at the rows that are written only, so that both saves pass.
      """,
    remedy: "Let both write one common row as well, so that their saves conflict; or let one context do them in turn.",
    code: """
      shift.revision += 1          // the row that represents the rule
      doctor.isOnCall = false
      try context.save()           // one of two fails with 133020
      """,
    sources: [.changeManagement, .elle])

  static let longFork = Explanation(
    cause: """
      Two readers saw two independent writes in opposite orders: each merged the notifications in its own order, or read \
      one row from its memory and the other from the store.
      """,
    remedy: "Merge each save into every reader in the order of the saves, or let readers fetch from one generation.",
    code: """
      context.automaticallyMergesChangesFromParent = true
      """,
    sources: [.generations, .elle])

  static let incompatibleOrder = Explanation(
    cause: "Two reads of one value show histories of which neither continues the other: a write was lost between them.",
    remedy: "Look for the lost update behind it: a context saves with a merge policy that overwrites.",
    code: """
      context.mergePolicy = NSMergePolicy.error            // and repeat on 133020
      """,
    sources: [.mergePolicy, .elle])

  static let staleRead = Explanation(
    cause: """
      Main holds realised objects, the background saves, and the save is not merged into main: main shows the old values \
      until it refreshes them.
      """,
    remedy: "Merge every save into main, automatically or by the DidSave notification.",
    code: """
      container.viewContext.automaticallyMergesChangesFromParent = true
      """,
    sources: [.background, .changeManagement])

  static let nonMonotonicRead = Explanation(
    cause: """
      A context showed a version and later an older one: a save was merged late, after a newer one was seen, or an object \
      was refreshed from an older generation.
      """,
    remedy: "Merge in the order of the saves, in the main context's own blocks, and unpin generations before merging.",
    code: """
      main.perform { main.mergeChanges(fromContextDidSave: notification) }   // one queue keeps the order
      """,
    sources: [.changeManagement, .generations])

  static let readYourWrites = Explanation(
    cause: """
      A context does not show what it saved itself: it was refreshed or reset against an old generation, or a policy let \
      the store's value win unseen.
      """,
    remedy: "After a save with a policy that may let the store win, read the object again before it is shown.",
    code: """
      try context.save()
      context.refresh(note, mergeChanges: false)
      """,
    sources: [.mergePolicy, .generations])
}
