extension Explanation {
  static let contextOffQueue = Explanation(
    cause: """
      A context is used where the code happens to run: the main context in a background task, save() after \
      the perform block, a context made in an operation's init, a block of another context's queue. It works until two \
      threads meet, and then corrupts memory or hangs.
      """,
    remedy: """
      Touch a context only inside its own perform, and let each unit of background work make its own. Run with \
      -com.apple.CoreData.ConcurrencyDebug 1 during development.
      """,
    code: """
      try await container.performBackgroundTask { context in
        let notes = try context.fetch(Note.fetchRequest())
        …
        try context.save()   // still inside
      }
      """,
    sources: [
      .background, .concurrency,
      .thread("wordpress-mobile/WordPress-iOS", 17639, "main context used from a background task"),
      .thread("JohnEstropia/CoreStore", 60, "serial, but on the wrong queue"),
    ])

  static let objectOffQueue = Explanation(
    cause: """
      A managed object is captured by a closure that runs elsewhere: a network completion, another context's perform, a \
      cell's prefetch. An object belongs to its context's queue, reading included.
      """,
    remedy: "Hand over the object's ID, or plain values, and fetch the object in the receiver's context.",
    code: """
      let id = note.objectID
      background.perform {
        guard let note = try? background.existingObject(with: id) as? Note else { return }
        …
      }
      """,
    sources: [
      .background, .concurrency,
      .thread("JohnEstropia/CoreStore", 357, "an object faulted on another thread"),
    ])

  static let crossContextRelationship = Explanation(
    cause: """
      An object of one context is assigned to a relationship of another's: the current user from the main context, a \
      new row from the import. Core Data raises an exception at the assignment or at the save.
      """,
    remedy: "Bring the object into the context first, by its ID.",
    code: """
      let owner = context.object(with: ownerID) as? Owner
      newNote.owner = owner
      """,
    sources: [.relationships, .troubleshooting])

  static let temporaryIDEscaped = Explanation(
    cause: """
      objectID is read between insertion and save, and given to another context. Until the save the ID is temporary and \
      only its own context, and its children, can resolve it.
      """,
    remedy: "Save before the ID is given away, or obtain the permanent ID beforehand.",
    code: """
      let note = Note(context: context)
      try context.obtainPermanentIDs(for: [note])
      try context.save()
      handOver(note.objectID)
      """,
    sources: [
      .objectID, .thread("magicalpanda/MagicalRecord", 312, "an object's temporary ID fails in another context"),
    ])

  static let inaccessibleFault = Explanation(
    cause: """
      An object is kept across a wait (a request, a sheet, a notification's userInfo) and another context deletes its row. \
      The first read of the fault finds no row, and raises NSObjectInaccessibleException.
      """,
    remedy: """
      Keep the ID, and fetch anew in the block that uses the object; treat "not there" as an ordinary answer. \
      isDeleted is false after the save: also look at managedObjectContext.
      """,
    code: """
      context.perform {
        guard let note = try? context.existingObject(with: id) as? Note, !note.isDeleted else { return }
        show(note.title)
      }
      """,
    sources: [
      .faulting, .troubleshooting,
      .thread("chriscdn/RHManagedObject", 3, "a fault of a deleted row is fired while saves are merged"),
    ])

  static let readOnlyContextWritten = Explanation(
    cause: """
      One context does all the writing, main only reads, and then a view sets a flag on a main object because it is so \
      easy. The change is lost with the next refresh, or conflicts with the writer.
      """,
    remedy: "Send every change to the writer, as a block with IDs.",
    code: """
      let id = note.objectID
      try await writer.perform {
        defer { writer.reset() }   // nothing of a refused save is left
        (try writer.existingObject(with: id) as? Note)?.isPinned = true
        try writer.save()
      }
      """,
    sources: [.background, .context])
}
