import CoreData

// Batch requests beside contexts that hold the rows.

extension PendingClient {
  /// A batch request changes a row that a context holds: contexts that ask the store have the new value.
  func updateInBatch(_ page: PendingPage) throws {
    let word = page.words[1]
    let (id, number) = own.performAndWait { (word.objectID, word.number) }
    own.performAndWait { _ = word.level }
    try saveDirectly { context in
      let request = NSBatchUpdateRequest(entityName: "Word")
      request.predicate = NSPredicate(format: "number == %ld", Int(number))
      request.propertiesToUpdate = ["level": 9]
      request.resultType = .updatedObjectsCountResultType
      let result = try context.execute(request) as? NSBatchUpdateResult
      compare(result?.result as? Int, with: 1, "how many rows a batch request says that it changed")
    }
    try saveDirectly { context in
      // The coordinator's row cache is older.
      context.stalenessInterval = 0
      compare(try PendingPage.word(id, in: context).level, with: 9, "a value that a batch request changed")
    }
    own.performAndWait {
      let interval = own.stalenessInterval
      own.stalenessInterval = 0
      own.refresh(word, mergeChanges: false)
      compare(word.level, with: 9, "a refreshed value that a batch request changed")
      own.stalenessInterval = interval
    }
  }

  /// A batch request inserts notes, another one deletes them, and the own context merges both by their IDs.
  ///
  /// Notes, since words without a note would be orphans where the second request is refused.
  func insertAndDeleteInBatch() throws {
    let first = reserveWords(3)
    let rows = (0..<3).map { place in
      ["number": first + Int64(place), "title": "batch \(place)", "revision": place + 1] as [String: Any]
    }
    let ofBatch = NSPredicate(format: "number >= %ld AND number < %ld", Int(first), Int(first) + 3)
    var ids: [NSManagedObjectID] = []
    try saveDirectly { context in
      let request = NSBatchInsertRequest(entityName: "Note", objects: rows)
      request.resultType = .objectIDs
      ids = (try context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID] ?? []
    }
    compare(Set(ids).count, with: 3, "IDs of rows that a batch request inserted")
    func merge(_ key: String) -> Set<NSManagedObject> {
      let named = changesNamed {
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [own])
      }
      return named[key] ?? []
    }
    func notes() throws -> [Note] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = ofBatch
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      return try own.fetch(request)
    }
    let inserted = merge(NSInsertedObjectsKey)
    let read = try own.performAndWait {
      compare(
        Set(inserted.map(\.objectID)), with: Set(ids), "inserts of a batch request as ObjectsDidChange names them")
      let read = try notes()
      compare(
        read.map { "\($0.number) \($0.title ?? "") \($0.revision)" },
        with: (0..<3).map { "\(first + Int64($0)) batch \($0) \($0 + 1)" },
        "rows that a batch request inserted")
      return read
    }
    try saveDirectly { context in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.predicate = ofBatch
      let deletion = NSBatchDeleteRequest(fetchRequest: request)
      deletion.resultType = .resultTypeObjectIDs
      let deleted = (try context.execute(deletion) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
      compare(Set(deleted ?? []), with: Set(ids), "IDs of rows that a batch request deleted")
    }
    let deleted = merge(NSDeletedObjectsKey)
    try own.performAndWait {
      compare(deleted, with: Set(read), "deletes of a batch request as ObjectsDidChange names them")
      compare(read.map(\.isDeleted), with: [true, true, true], "whether rows that a batch request deleted are so here")
      compare(try notes().count, with: 0, "rows that a batch request deleted")
    }
  }
}
