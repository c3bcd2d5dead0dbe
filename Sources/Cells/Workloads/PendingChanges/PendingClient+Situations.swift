import CoreData

extension PendingClient {
  /// Refreshing with and without merge, over a changed to-one and a changed to-many relationship and changed values.
  func refresh(_ page: PendingPage) throws {
    let (note, words) = (page.first, page.words)
    let ids = words.map(\.objectID)
    let noteID = note.objectID
    own.performAndWait {
      words[0].note = page.second
      words[1].term = "mine"
      words[2].level = 6
    }
    var added: Int64 = 0
    saveBeside { context in
      let note = try PendingPage.note(noteID, in: context)
      note.title = "theirs"
      for id in ids { try PendingPage.word(id, in: context).term = "theirs" }
      added = addWord(to: note, in: context).number
    }
    own.performAndWait {
      own.refresh(note, mergeChanges: true)
      for word in words { own.refresh(word, mergeChanges: word !== words[2]) }
      compare(note.title, with: "theirs", "a refreshed title")
      compare(
        numbers(note.words), with: [words[1].number, words[2].number, added].sorted(),
        "a refreshed to-many with a pending removal")
      compare(numbers(page.second.words).contains(words[0].number), with: true, "a to-many with a pending addition")
      compare(words[0].note, with: page.second, "a refreshed to-one with a pending change")
      compare(
        words.map(\.term), with: ["theirs", "mine", "theirs"], "refreshed values, with and without pending changes")
      compare(words[2].hasChanges, with: false, "changes of an object that was refreshed without them")
      own.rollback()
      compare(words[0].note, with: note, "a to-one after rollback")
      compare(numbers(note.words), with: words.map(\.number) + [added], "a to-many after rollback")
      compare(words[1].term == "mine", with: false, "a value after rollback")
      own.refreshAllObjects()
      compare(words.map(\.term), with: ["theirs", "theirs", "theirs"], "values after rollback and refresh")
      words[0].note = page.second
      own.refresh(words[0], mergeChanges: false)
      compare(words[0].note, with: note, "a to-one that was refreshed without its change")
      compare(numbers(note.words), with: words.map(\.number) + [added], "a to-many whose member was refreshed")
      compare(numbers(page.second.words).contains(words[0].number), with: false, "a to-many that a refresh took back")
      own.rollback()
    }
  }

  /// Fetching and counting with pending inserts, changes and deletes, with and without them.
  func count(_ page: PendingPage) throws {
    try own.performAndWait {
      let words = page.words
      let before = page.first.words.count
      let added = addWord(to: page.first, in: own)
      words[1].term = "pending"
      own.delete(words[0])
      own.delete(words[2])
      let ofNote = NSPredicate(format: "note == %@", page.first)
      try compareFetches(ofNote, pending: before - 1, stored: before, "words of a note")
      let pending = NSPredicate(format: "note == %@ AND term == %@", page.first, "pending")
      try compareFetches(pending, pending: 1, stored: 0, "words of a pending term")
      let theirs = NSPredicate(format: "number IN %@ AND term == %@", words.map(\.number), "theirs")
      try compareFetches(theirs, pending: 0, stored: 3, "words that were changed or deleted")
      compare(page.first.words.contains(added), with: true, "a pending insert in its to-many")
    }
  }

  private func compareFetches(_ predicate: NSPredicate, pending: Int, stored: Int, _ what: String) throws {
    for (includes, expected) in [(true, pending), (false, stored)] {
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.predicate = predicate
      request.includesPendingChanges = includes
      let with = includes ? "with pending changes" : "without pending changes"
      compare(try own.count(for: request), with: expected, "count of \(what) \(with)")
      let objects = try own.fetch(request)
      compare(objects.count, with: expected, "fetch of \(what) \(with)")
    }
  }

  /// Rolling back what the counts left pending, while another writer has saved.
  func rollBack(_ page: PendingPage) throws {
    let id = page.words[1].objectID
    saveBeside { try PendingPage.word(id, in: $0).level = 2 }
    own.performAndWait {
      own.processPendingChanges()
      let left = page.first.words.count
      own.rollback()
      compare(own.hasChanges, with: false, "changes after rollback")
      compare(page.words.map(\.isDeleted), with: [false, false, false], "deleted objects after rollback")
      compare(page.words.map(\.term), with: ["theirs", "theirs", "theirs"], "values after rollback")
      compare(page.first.words.count, with: left + 1, "a to-many after rollback of deletes and an insert")
      own.refresh(page.words[1], mergeChanges: true)
      compare(page.words[1].level, with: 2, "another writer's value after rollback and refresh")
    }
  }

  /// Undoing while another writer saves.
  func undo(_ page: PendingPage) throws {
    let id = page.words[2].objectID
    own.performAndWait {
      own.undoManager = UndoManager()
      page.words[1].term = "undone"
      page.words[1].note = page.second
      own.processPendingChanges()
    }
    saveBeside { try PendingPage.word(id, in: $0).term = "beside" }
    own.performAndWait {
      own.undo()
      compare(page.words[1].term, with: "theirs", "a value after undo")
      compare(page.words[1].note, with: page.first, "a to-one after undo")
      compare(numbers(page.second.words).contains(page.words[1].number), with: false, "a to-many after undo")
      compare(own.hasChanges, with: false, "changes after undo")
      own.undoManager = nil
      own.refreshAllObjects()
      compare(page.words[2].term, with: "beside", "another writer's value after undo and refresh")
    }
  }

  /// A save of another context that arrives while this one saves, before and after its commit.
  func arriveDuringSave(_ page: PendingPage) throws {
    own.performAndWait { own.automaticallyMergesChangesFromParent = true }
    let ids = page.words.map(\.objectID)
    var observers: [any NSObjectProtocol] = []
    for (name, word, term) in [
      (Notification.Name.NSManagedObjectContextWillSave, 1, "before"), (.NSManagedObjectContextDidSave, 2, "after"),
    ] {
      observers.append(
        session.environment.addObserver(forName: name, object: own) { [self] _ in
          do {
            try saveDirectly { try PendingPage.word(ids[word], in: $0).term = term }
          } catch {
            session.fail(error)
          }
        })
    }
    defer { observers.forEach(session.environment.removeObserver) }
    try own.performAndWait {
      page.words[0].term = "saved"
      try own.save()
    }
    own.performAndWait {
      compare(page.words.map(\.term), with: ["saved", "before", "after"], "values that arrived during a save")
    }
  }

  /// Saves of two contexts to one row in turn, each merged by itself.
  func mergeInTurn(_ page: PendingPage) throws {
    let id = page.words[0].objectID
    for turn in 1...4 { try saveDirectly { try PendingPage.word(id, in: $0).level = Int16(turn) } }
    own.performAndWait { compare(page.words[0].level, with: 4, "the last of several merged values") }
    try mergeMembers(page)
    own.performAndWait { own.automaticallyMergesChangesFromParent = false }
  }

  /// A member goes and another comes in another context, and both are merged into a to-many that was read.
  private func mergeMembers(_ page: PendingPage) throws {
    let (note, id) = (page.first.objectID, page.words[2].objectID)
    let (members, gone) = own.performAndWait { (numbers(page.first.words), page.words[2].number) }
    let left = members.filter { $0 != gone }
    recordDelete(.invoke, word: gone)
    try saveDirectly { context in context.delete(try PendingPage.word(id, in: context)) }
    recordDelete(.ok, word: gone)
    own.performAndWait {
      compare(numbers(page.first.words), with: left, "a to-many whose member was deleted elsewhere")
    }
    var added: Int64 = 0
    try saveDirectly { context in added = addWord(to: try PendingPage.note(note, in: context), in: context).number }
    own.performAndWait {
      compare(numbers(page.first.words), with: left + [added], "a to-many that got a member elsewhere")
    }
  }

  /// A moved and changed word is refreshed with merge over another writer's save, and saved: the file has both.
  func saveRefreshed(_ page: PendingPage) throws {
    let (word, second) = (page.words[1].objectID, page.second.objectID)
    own.performAndWait {
      page.words[1].note = page.second
      page.words[1].level = 7
    }
    try saveDirectly { try PendingPage.word(word, in: $0).term = "kept" }
    try own.performAndWait {
      own.refresh(page.words[1], mergeChanges: true)
      try own.save()
    }
    try saveDirectly { context in
      let saved = try PendingPage.word(word, in: context)
      compare(saved.note?.objectID, with: second, "a saved to-one that was pending over a refresh")
      compare(saved.level, with: 7, "a saved value that was pending over a refresh")
      compare(saved.term, with: "kept", "another writer's value beside what was pending over a refresh")
    }
    try own.performAndWait {
      page.words[1].note = page.first
      try own.save()
    }
  }

  /// A note is deleted by a context that has only its ID, and takes its words along; it cannot be read any more.
  func deleteUnrealised(_ page: PendingPage, _ number: Int) throws {
    let id = page.second.objectID
    own.performAndWait { own.refresh(page.second, mergeChanges: false) }
    recordDelete(.invoke, number)
    try saveDirectly { $0.delete($0.object(with: id)) }
    recordDelete(.ok, number)
    own.performAndWait {
      compare((try? own.existingObject(with: id)) == nil, with: true, "a deleted note that is asked for by its ID")
      var title: String?
      let count = CellReports.countingInaccessibleFaults(of: id) { title = page.second.title }
      compare(title, with: nil, "a value of a fault whose row is gone")
      compare(count, with: 1, "faults that found their row gone")
      own.reset()
      compare((try? own.existingObject(with: id)) == nil, with: true, "a deleted note after reset")
    }
  }

  private func numbers(_ words: Set<NSManagedObject>) -> [Int64] { words.compactMap { ($0 as? Word)?.number }.sorted() }
}
