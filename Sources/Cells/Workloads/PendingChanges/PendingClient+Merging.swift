import CoreData

// Saves of others that the own context merges by itself.

extension PendingClient {
  /// Saves of two contexts to one row in turn, each merged by itself.
  func mergeInTurn(_ page: PendingPage) throws {
    let id = page.words[0].objectID
    for turn in 1...4 { try saveDirectly { try PendingPage.word(id, in: $0).level = Int16(turn) } }
    own.performAndWait { compare(page.words[0].level, with: 4, "the last of several merged values") }
    try mergeMembers(page)
    try mergeMoves(page)
    try mergeDeletionOfTarget(page)
    own.performAndWait { own.automaticallyMergesChangesFromParent = false }
  }

  /// A member goes and another comes in another context, and both are merged into a to-many that was read.
  private func mergeMembers(_ page: PendingPage) throws {
    let (note, id) = (page.first.objectID, page.words[2].objectID)
    let (members, gone) = own.performAndWait { (numbers(page.first.words), page.words[2].number) }
    let left = members.filter { $0 != gone }
    recordDelete(.invoke, word: gone)
    var named = try changesNamed {
      try saveDirectly { context in context.delete(try PendingPage.word(id, in: context)) }
      recordDelete(.ok, word: gone)
      own.performAndWait {}
    }
    own.performAndWait {
      compare(numbers(page.first.words), with: left, "a to-many whose member was deleted elsewhere")
      compare(
        named[NSDeletedObjectsKey]?.contains(page.words[2]), with: true,
        "whether ObjectsDidChange names a merged delete")
    }
    var added: (number: Int64, id: NSManagedObjectID?) = (0, nil)
    named = try changesNamed {
      try saveDirectly { context in
        let word = addWord(to: try PendingPage.note(note, in: context), in: context)
        try context.obtainPermanentIDs(for: [word])
        added = (word.number, word.objectID)
      }
      own.performAndWait {}
    }
    own.performAndWait {
      compare(numbers(page.first.words), with: left + [added.number], "a to-many that got a member elsewhere")
      // By ID: what other clients inserted is named too, and may be deleted by now.
      compare(
        named[NSInsertedObjectsKey]?.contains { $0.objectID == added.id }, with: true,
        "whether ObjectsDidChange names a merged insert")
    }
  }

  /// A word that was read here goes to the other note and back in another context: both sides follow.
  private func mergeMoves(_ page: PendingPage) throws {
    let (word, ids) = (page.words[1], [page.second, page.first].map(\.objectID))
    let (id, number) = own.performAndWait {
      // Both sides are read before they change.
      _ = (word.note, numbers(page.first.words), numbers(page.second.words))
      return (word.objectID, word.number)
    }
    for (owner, other, target) in [(page.second, page.first, ids[0]), (page.first, page.second, ids[1])] {
      let named = try changesNamed {
        try saveDirectly { context in
          try PendingPage.word(id, in: context).note = try PendingPage.note(target, in: context)
        }
        own.performAndWait {}
      }
      own.performAndWait {
        compare(word.note, with: owner, "a to-one that was moved elsewhere")
        compare(
          numbers(owner.words).contains(number), with: true, "whether a to-many has who was moved to it elsewhere")
        compare(
          numbers(other.words).contains(number), with: false, "whether a to-many has who was moved away elsewhere")
        compare(
          named[NSRefreshedObjectsKey]?.contains(word), with: true, "whether ObjectsDidChange names a merged update")
      }
    }
  }

  /// A pending change leads to a note that another context deletes: it leads nowhere then.
  private func mergeDeletionOfTarget(_ page: PendingPage) throws {
    var target: NSManagedObjectID?
    try saveDirectly { context in
      let note = addNote(in: context)
      try context.obtainPermanentIDs(for: [note])
      target = note.objectID
    }
    guard let target else { return }
    try own.performAndWait { page.words[1].note = try PendingPage.note(target, in: own) }
    try saveDirectly { context in context.delete(try PendingPage.note(target, in: context)) }
    try own.performAndWait {
      compare(page.words[1].note, with: nil, "a pending to-one whose target was deleted elsewhere")
      page.words[1].note = page.first
      try own.save()
      compare(page.words[1].note, with: page.first, "a to-one that was saved after its target was deleted elsewhere")
    }
  }
}
