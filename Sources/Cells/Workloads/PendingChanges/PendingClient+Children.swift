import CoreData

// Children of the own context, which has unsaved changes.

extension PendingClient {
  func makeChild() -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = own
    adopt(child, "child")
    return child
  }

  /// A child sees the pending changes.
  func lookFromChild(_ page: PendingPage) throws {
    let (note, changed, deleted, members) = own.performAndWait {
      (page.first.objectID, page.words[1].objectID, page.words[0].objectID, numbers(page.first.words))
    }
    let child = makeChild()
    try child.performAndWait {
      compare(try PendingPage.word(changed, in: child).term, with: "pending", "a pending value as a child sees it")
      compare((try? child.existingObject(with: deleted)) == nil, with: true, "a pending delete as a child sees it")
      let first = try PendingPage.note(note, in: child)
      compare(numbers(first.words), with: members, "a to-many with pending changes as a child sees it")
      try compareInChild(child, first, members)
      // The child's changes come on top.
      let word = try PendingPage.word(changed, in: child)
      word.term = "of the child"
      let added = addWord(to: first, in: child)
      compare(numbers(first.words), with: members + [added.number], "a to-many with pending changes of two contexts")
      try compareInChild(child, first, members + [added.number])
      try compareTerm(child, "pending", 0)
      try compareTerm(child, "of the child", 1)
      child.rollback()
      compare(word.term, with: "pending", "a value that is pending above, after a child's rollback")
      compare(numbers(first.words), with: members, "a to-many with changes above, after a child's rollback")
      try compareTerm(child, "pending", 1)
    }
  }

  /// Words of the note as a child fetches, counts and pages them.
  private func compareInChild(_ child: NSManagedObjectContext, _ note: Note, _ numbers: [Int64]) throws {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.predicate = NSPredicate(format: "note == %@", note)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let what = "words with pending changes as a child"
    compare(try child.fetch(request).map(\.number), with: numbers, "\(what) fetches them")
    compare(try child.count(for: request), with: numbers.count, "\(what) counts them")
    (request.fetchOffset, request.fetchLimit) = (1, 2)
    compare(try child.fetch(request).map(\.number), with: Array(numbers.dropFirst().prefix(2)), "\(what) pages them")
  }

  private func compareTerm(_ child: NSManagedObjectContext, _ term: String, _ count: Int) throws {
    let request = NSFetchRequest<Word>(entityName: "Word")
    let number = own.performAndWait { own.updatedObjects.compactMap { ($0 as? Word)?.number } }
    request.predicate = NSPredicate(format: "number IN %@ AND term == %@", number, term)
    compare(try child.count(for: request), with: count, "words with the term \"\(term)\" as a child counts them")
  }

  /// A child merges its parent's saves, keeps its own changes over a refresh, and pushes them to the parent.
  func pushFromChild(_ page: PendingPage) throws {
    let (edited, other) = (page.words[0], page.words[1])
    let ids = own.performAndWait { [edited, other].map(\.objectID) }
    let second = own.performAndWait { page.second.objectID }
    let child = makeChild()
    // Held, so that they are not read anew.
    let words = try child.performAndWait {
      child.automaticallyMergesChangesFromParent = true
      let words = try ids.map { try PendingPage.word($0, in: child) }
      compare(words.contains(where: \.isFault), with: false, "whether objects that a child asked for are faults")
      return words
    }
    try own.performAndWait {
      (edited.level, other.level) = (21, 22)
      try own.save()
    }
    try child.performAndWait {
      // A change that a fault delivers late may arrive after this.
      if !session.faults.mayBeLate {
        compare(words.map(\.level), with: [21, 22], "values that the parent saved, as a child merged them")
      }
      words[0].term = "of the child"
      words[1].note = try PendingPage.note(second, in: child)
    }
    own.performAndWait { (edited.level, edited.meaning) = (23, "pending above") }
    try child.performAndWait {
      child.refresh(words[0], mergeChanges: true)
      compare(words[0].term, with: "of the child", "a child's own value after a refresh")
      compare(words[0].level, with: 23, "a value that is pending above, after a child's refresh")
      try child.save()
      compare(child.hasChanges, with: false, "a child's changes after its save")
    }
    try own.performAndWait {
      compare(edited.term, with: "of the child", "a value that a child saved")
      compare(edited.meaning, with: "pending above", "a pending value beside what a child saved")
      compare(other.note, with: page.second, "a to-one that a child saved")
      compare(numbers(page.second.words).contains(other.number), with: true, "a to-many after a child's save")
      compare(own.hasChanges, with: true, "whether what a child saved is pending above")
      try own.save()
    }
    try saveDirectly { context in
      let words = try ids.map { try PendingPage.word($0, in: context) }
      compare(words[0].term, with: "of the child", "a child's value in the file")
      compare(words.map(\.level), with: [23, 22], "the parent's values in the file beside a child's")
      compare(words[1].note?.objectID, with: second, "a child's to-one in the file")
    }
    try own.performAndWait {
      other.note = page.first
      try own.save()
    }
  }
}
