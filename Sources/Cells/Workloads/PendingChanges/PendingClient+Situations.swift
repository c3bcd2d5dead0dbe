import CoreData
import Scheduling

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
    try saveBeside { context in
      let note = try PendingPage.note(noteID, in: context)
      note.title = "theirs"
      for id in ids { try PendingPage.word(id, in: context).term = "theirs" }
      added = addWord(to: note, in: context).number
    }
    own.performAndWait {
      let named = changesNamed { own.refresh(note, mergeChanges: true) }
      compare(named[NSRefreshedObjectsKey], with: [note], "a refreshed object as ObjectsDidChange names it")
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

  /// Refreshing everything keeps unsaved changes, and reads the rest anew.
  func refreshAll(_ page: PendingPage) throws {
    let (edited, other) = (page.words[1], page.words[2])
    let ids = [edited, other].map(\.objectID)
    own.performAndWait { edited.term = "mine" }
    try saveBeside { context in
      for id in ids { try PendingPage.word(id, in: context).level = 4 }
    }
    own.performAndWait {
      own.refreshAllObjects()
      compare([edited.level, other.level], with: [4, 4], "another writer's values after everything was refreshed")
      compare(edited.term, with: "mine", "a changed value after everything was refreshed")
      compare(own.updatedObjects, with: [edited], "changed objects after everything was refreshed")
      own.rollback()
      compare(edited.term, with: "theirs", "a value that was kept over a refresh, after rollback")
    }
  }

  /// Rolling back the changes that the counts left pending, while another writer has saved.
  func rollBack(_ page: PendingPage) throws {
    let id = page.words[1].objectID
    try saveBeside { try PendingPage.word(id, in: $0).level = 2 }
    own.performAndWait {
      own.processPendingChanges()
      let left = page.first.words.count
      let (inserted, deleted) = (own.insertedObjects, own.deletedObjects)
      let changed = own.updatedObjects
      let named = changesNamed { own.rollback() }
      compare(
        named[NSDeletedObjectsKey], with: inserted, "inserts that were rolled back, as ObjectsDidChange names them")
      compare(
        named[NSRefreshedObjectsKey], with: changed.union(deleted),
        "changes and deletes that were rolled back, as ObjectsDidChange names them")
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
    let term = own.performAndWait {
      own.undoManager = UndoManager()
      let term = page.words[1].term
      page.words[1].term = "undone"
      page.words[1].note = page.second
      own.processPendingChanges()
      return term
    }
    try saveBeside { try PendingPage.word(id, in: $0).term = "beside" }
    own.performAndWait {
      own.undo()
      compare(page.words[1].term, with: term, "a value after undo")
      compare(page.words[1].note, with: page.first, "a to-one after undo")
      compare(numbers(page.second.words).contains(page.words[1].number), with: false, "a to-many after undo")
      compare(own.hasChanges, with: false, "changes after undo")
      own.redo()
      compare(page.words[1].term, with: "undone", "a value after redo")
      compare(page.words[1].note, with: page.second, "a to-one after redo")
      compare(numbers(page.second.words).contains(page.words[1].number), with: true, "a to-many after redo")
      own.undo()
      compare(page.words[1].term, with: term, "a value after undo, redo and undo")
      compare(page.words[1].note, with: page.first, "a to-one after undo, redo and undo")
      undoInsertAndDelete(page)
      own.undoManager = nil
      own.refreshAllObjects()
      compare(page.words[2].term, with: "beside", "another writer's value after undo and refresh")
    }
  }

  private func undoInsertAndDelete(_ page: PendingPage) {
    let members = numbers(page.first.words)
    let added = addWord(to: page.first, in: own)
    let number = added.number
    own.processPendingChanges()
    own.undo()
    compare(own.hasChanges, with: false, "changes after an insert was undone")
    compare(numbers(page.first.words), with: members, "a to-many after an insert was undone")
    own.redo()
    compare(numbers(page.first.words), with: members + [number], "a to-many after an insert was redone")
    own.undo()
    let word = page.words[0]
    own.delete(word)
    own.processPendingChanges()
    let left = members.filter { $0 != word.number }
    compare(numbers(page.first.words), with: left, "a to-many after a delete")
    own.undo()
    compare(word.isDeleted, with: false, "a deleted object after undo")
    compare(word.note, with: page.first, "a to-one of a deleted object after undo")
    compare(numbers(page.first.words), with: members, "a to-many after a delete was undone")
    own.redo()
    compare(word.isDeleted, with: true, "a deleted object after redo")
    compare(numbers(page.first.words), with: left, "a to-many after a delete was redone")
    own.undo()
    compare(own.hasChanges, with: false, "changes after a delete was undone")
  }

  /// A save of another context that arrives while this one saves, before and after its commit.
  func arriveDuringSave(_ page: PendingPage) throws {
    own.performAndWait { own.automaticallyMergesChangesFromParent = true }
    let ids = page.words.map(\.objectID)
    var observers: [any NSObjectProtocol] = []
    let refusal = Locked<(any Error)?>(nil)
    for (name, word, term) in [
      (Notification.Name.NSManagedObjectContextWillSave, 1, "before"), (.NSManagedObjectContextDidSave, 2, "after"),
    ] {
      observers.append(
        session.environment.addObserver(forName: name, object: own) { [self] _ in
          do {
            try saveDirectly { try PendingPage.word(ids[word], in: $0).term = term }
          } catch  where session.faults.explains(error) {
            refusal.withLock { $0 = error }
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
    if let refusal = refusal.withLock({ $0 }) { throw refusal }
    own.performAndWait {
      compare(page.words.map(\.term), with: ["saved", "before", "after"], "values that arrived during a save")
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

  /// A save is refused, since another writer saved the row: every change stays, and goes to the file once the policy lets it.
  func saveRefused(_ page: PendingPage) throws {
    let word = page.words[1]
    let (id, second) = (word.objectID, page.second.objectID)
    own.performAndWait {
      // The newest version, so that only the save that follows is in the way.
      own.refresh(word, mergeChanges: false)
      word.level = 8
      word.note = page.second
    }
    try saveDirectly { try PendingPage.word(id, in: $0).term = "between" }
    try own.performAndWait {
      // Whatever policy the cell has.
      let policy = own.mergePolicy
      defer { own.mergePolicy = policy }
      own.mergePolicy = NSMergePolicy.error
      var code: Int?
      do { try own.save() } catch {
        if session.faults.explains(error) { throw error }
        code = (error as NSError).code
      }
      compare(code, with: NSManagedObjectMergeError, "the error of a save over another writer's")
      compare(
        word.changedValues().keys.sorted(), with: ["level", "note"], "changes of an object whose save was refused")
      compare(own.updatedObjects.contains(word), with: true, "an object whose save was refused, among the updated ones")
      compare(word.level, with: 8, "a value whose save was refused")
      own.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try own.save()
    }
    try saveDirectly { context in
      let saved = try PendingPage.word(id, in: context)
      compare(saved.level, with: 8, "a value that was saved after it was refused")
      compare(saved.note?.objectID, with: second, "a to-one that was saved after it was refused")
      compare(saved.term, with: "between", "the other writer's value beside what was refused first")
    }
    try own.performAndWait {
      word.note = page.first
      try own.save()
    }
  }

  /// A note is deleted by a context that has only its ID, and takes its words along; it cannot be read any more.
  func deleteUnrealised(_ number: Int) throws {
    let note = try own.performAndWait { try PendingPage.note(number: number, in: own) }
    let id = note.objectID
    own.performAndWait { own.refresh(note, mergeChanges: false) }
    recordDelete(.invoke, number)
    try saveDirectly { $0.delete($0.object(with: id)) }
    recordDelete(.ok, number)
    own.performAndWait {
      compare((try? own.existingObject(with: id)) == nil, with: true, "a deleted note that is asked for by its ID")
      var title: String?
      let count = CellReports.countingInaccessibleFaults(of: id) { title = note.title }
      compare(title, with: nil, "a value of a fault whose row is gone")
      compare(count, with: 1, "faults that found their row gone")
      own.reset()
      compare((try? own.existingObject(with: id)) == nil, with: true, "a deleted note after reset")
    }
  }
}
