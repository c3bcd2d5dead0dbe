extension Explanation {
  static let lostRecord = Explanation(
    cause: """
      The save's error is printed or ignored (try?), and the import is reported as done. One invalid row fails the save \
      of the whole batch. Or a backup took the store's file without the log beside it.
      """,
    remedy: "Count a row as imported when the save that carries it has returned, and give the error to the caller.",
    code: """
      do {
        try context.save()
        imported += batch.count
      } catch {
        context.rollback()
        retryOneByOne(batch)
      }
      """,
    sources: [.context, .changeManagement])

  static let duplicateRecord = Explanation(
    cause: """
      Find-or-create in two contexts at once: both find nothing, both insert. A context does not see what another has \
      not saved.
      """,
    remedy: """
      Give the entity a uniqueness constraint on its key and the contexts a merge policy that resolves it; or let one \
      context do all find-or-create.
      """,
    code: """
      entity.uniquenessConstraints = [["number"]]
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      """,
    sources: [
      .mergePolicy, .thread("woocommerce/woocommerce-ios", 2316, "two writing contexts create the same record"),
    ])

  static let resurrectedRecord = Explanation(
    cause: """
      A context that has not heard of the delete changes and saves its copy of the object, and the object-trump or \
      overwrite policy inserts the row again; or an answer that was under way writes back what the user removed meanwhile.
      """,
    remedy: """
      Ask again for the object right before it is changed, and give up where it is gone; keep a policy that drops what was \
      deleted elsewhere.
      """,
    code: """
      guard let note = try? context.existingObject(with: id), !note.isDeleted else { return }
      context.refresh(note, mergeChanges: false)
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      """,
    sources: [.mergePolicy, .changeManagement])

  static let orphanRecord = Explanation(
    cause: """
      The relationship's delete rule is nullify where cascade was meant, or the rows were deleted behind the object \
      graph's back (a batch delete runs no rules but the store's own).
      """,
    remedy: "Set the delete rule of the owner's side to cascade, and the inverse.",
    code: """
      words.deleteRule = .cascadeDeleteRule      // Note.words
      owner.deleteRule = .nullifyDeleteRule      // Word.note
      words.inverseRelationship = owner
      """,
    sources: [.relationships])

  static let danglingReference = Explanation(
    cause: """
      A row refers to one that is gone: it was deleted by a batch request or by another tool, or a relationship without \
      an inverse gave the rule nothing to act on.
      """,
    remedy: "Give every relationship an inverse, delete through a context where rules matter, and merge batch deletes.",
    code: """
      let request = NSBatchDeleteRequest(objectIDs: ids)
      request.resultType = .resultTypeObjectIDs
      let result = try context.execute(request) as? NSBatchDeleteResult
      let changes = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [main])
      """,
    sources: [.relationships, .troubleshooting])

  static let asymmetricInverse = Explanation(
    cause: """
      The two sides of a relationship were set by primitive accessors, without the change messages that keep them the \
      same, or the inverse is not set in the model.
      """,
    remedy: "Set the inverse in the model, and change one side only, through its accessor.",
    code: """
      word.note = note            // note.words follows
      """,
    sources: [.relationships])

  static let unpersistedSave = Explanation(
    cause: """
      A child context saved, and its parent never did. A child's save ends in the parent's memory; it is on the screen, \
      and gone after a restart.
      """,
    remedy: "Save every ancestor up to the store, each in its own block.",
    code: """
      try child.save()
      main.perform {
        guard main.hasChanges else { return }
        do { try main.save() } catch { report(error) }
      }
      """,
    sources: [.context, .concurrency])

  static let failedSave = Explanation(
    cause: """
      The save was refused: the row changed since it was read (133020, with the default error policy; a touched \
      relationship is enough), a constraint or a validation failed. The change stays pending, and with a long-lived \
      context every later save fails with it.
      """,
    remedy: """
      Choose a merge policy for every context that saves, roll back what cannot be saved, and write through one context \
      where conflicts are frequent.
      """,
    code: """
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      do { try context.save() } catch {
        context.rollback()        // or every later save fails as well
        throw error
      }
      """,
    sources: [
      .mergePolicy, .changeManagement,
      .thread("kasianov-mikhail/scout", 1167, "the error policy and a touched relationship: 78 failed saves"),
      .thread("kasianov-mikhail/scout", 822, "a failed constraint save poisons a long-lived context"),
    ])

  static let wrongWinner = Explanation(
    cause: """
      Two contexts changed the same property, and the value that should have lost is in the store: the context that \
      saved last has another policy than thought. Every new context begins with the error policy, whatever its \
      container's main context has.
      """,
    remedy: """
      Say the policy where the context is made. Object trump keeps this context's changed properties and takes the \
      store's others; store trump the reverse; overwrite writes the whole object.
      """,
    code: """
      let context = container.newBackgroundContext()
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      """,
    sources: [.mergePolicy, .changeManagement])
}
