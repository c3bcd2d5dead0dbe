import CoreData

extension PendingClient {
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
      // The to-many loses deleted members.
      own.processPendingChanges()
      try comparePage(ofNote, numbers(page.first.words))
    }
    try lookFromChild(page)
  }

  /// The first two of an order, where the first one in the file is deleted here.
  private func comparePage(_ predicate: NSPredicate, _ numbers: [Int64]) throws {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchLimit = 2
    let page = try own.fetch(request).map(\.number)
    compare(page, with: Array(numbers.prefix(2)), "the first words of a note with pending changes")
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
}
