import CPeer
import CoreData
import Foundation

/// The stack as a program uses it.
struct StackPeer: Peer {
  let name = "stack"
  /// Whether instructions are counted from where the clock starts to where it stops.
  var countsInstructions = false
  /// Whether the store keeps a persistent history.
  var keepsHistory = false

  func run(_ workload: Workload, on file: URL, _ rows: Rows) throws -> Double? {
    let container = try Self.open(file, keepsHistory: keepsHistory)
    let context = container.newBackgroundContext()
    return try context.performAndWait {
      switch workload {
      case .importOnce: try importRows(rows, into: context, notesPerSave: rows.notes.count)
      case .importOften: try importRows(rows, into: context, notesPerSave: notesPerSmallSave)
      case .importGoingOn: try importGoingOn(rows, context)
      case .importPushed: try importThroughChild(rows, [context])
      case .importNested: try importThroughChild(rows, [Self.child(of: context), context])
      case .firstFetch: try measured { try read(words(by: "term"), context) }
      case .fetch: try fetch(words(by: "term"), context)
      case .firstFetchByKey: try measured { try read(words(by: "number"), context) }
      case .fetchByKey: try fetch(words(by: "number"), context)
      case .values: try values(context)
      case .lookUp: try lookUp(context)
      case .cachedFault: try cachedFault(container, context)
      case .fileFault: try fileFault(context)
      case .update: try update(try allWords(context), context, wordsPerSave: rows.words.count)
      case .updateByText: try update(try context.fetch(words(by: "term")), context, wordsPerSave: rows.words.count)
      case .delete: try delete(rows.allNotes, context)
      case .deleteFetched: try deleteFetched(by: "number", context)
      case .deleteByText: try deleteFetched(by: "body", context)
      case .deleteHalf: try delete(rows.everySecondNote, context)
      case .besideReader:
        try beside(ReadingContext(container)) {
          try update(try allWords(context), context, wordsPerSave: wordsPerSmallSave)
        }
      case .merge: try merge(context, container, by: "number")
      case .mergeByText: try merge(context, container, by: "term")
      }
    }
  }

  static func open(_ file: URL, keepsHistory: Bool = false) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Notebook", managedObjectModel: NotebookModel.make())
    let description = NSPersistentStoreDescription(url: file)
    if keepsHistory { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    return container
  }

  /// A store with these rows, or an empty one.
  static func prepare(_ file: URL, _ rows: Rows?) throws {
    let container = try open(file)
    guard let rows else { return }
    let context = container.newBackgroundContext()
    try context.performAndWait { _ = try StackPeer().importRows(rows, into: context, notesPerSave: rows.notes.count) }
  }

  /// The result lives on: a list keeps its objects, and C keeps its structures.
  private func measured<Result>(_ body: () throws -> Result) rethrows -> Double {
    if countsInstructions { cpeer_begin_counting() }
    let start = now()
    let result = try body()
    let seconds = now() - start
    if countsInstructions { cpeer_end_counting() }
    return withExtendedLifetime(result) { seconds }
  }

  // MARK: Workloads

  private func importRows(_ rows: Rows, into context: NSManagedObjectContext, notesPerSave: Int) throws -> Double {
    try measured {
      for index in rows.notes.indices {
        insert(rows.notes[index], rows.words(of: index), into: context)
        if (index + 1) % notesPerSave == 0 || index + 1 == rows.notes.count {
          try context.save()
          context.reset()
        }
      }
    }
  }

  private static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    return child
  }

  /// - Parameter ancestors: from the parent on; the last one writes to the file.
  private func importThroughChild(_ rows: Rows, _ ancestors: [NSManagedObjectContext]) throws -> Double {
    let child = Self.child(of: ancestors[0])
    return try measured {
      for start in stride(from: 0, to: rows.notes.count, by: notesPerPush) {
        try child.performAndWait {
          for index in start..<min(start + notesPerPush, rows.notes.count) {
            insert(rows.notes[index], rows.words(of: index), into: child)
          }
          if ancestors.count > 1 { try child.obtainPermanentIDs(for: Array(child.insertedObjects)) }
          try child.save()
          child.reset()
        }
        for ancestor in ancestors { try ancestor.performAndWait { try ancestor.save() } }
      }
    }
  }

  /// As an importer that saves by rows does: a save may come amid the words of a note, which is then gone on with by its ID.
  private func importGoingOn(_ rows: Rows, _ context: NSManagedObjectContext) throws -> Double {
    var unsaved = 0
    func saveIfDue(_ note: Note) throws -> Note {
      unsaved += 1
      guard unsaved == rowsPerSave else { return note }
      unsaved = 0
      try context.save()
      let id = note.objectID
      context.reset()
      let known = context.object(with: id) as? Note
      try check(known != nil, "the ID of a note gives another object")
      return known!
    }
    return try measured {
      for index in rows.notes.indices {
        var note = try saveIfDue(insert(rows.notes[index], into: context))
        for row in rows.words(of: index) {
          insert(row, of: note, into: context)
          note = try saveIfDue(note)
        }
      }
      try context.save()
    }
  }

  private func insert(_ row: NoteRow, _ words: ArraySlice<WordRow>, into context: NSManagedObjectContext) {
    let note = insert(row, into: context)
    for row in words { insert(row, of: note, into: context) }
  }

  private func insert(_ row: NoteRow, into context: NSManagedObjectContext) -> Note {
    let note = Note(context: context)
    note.number = row.number
    note.revision = 1
    note.isPinned = row.isPinned
    note.createdAt = row.createdAt
    note.modifiedAt = row.modifiedAt
    note.title = row.title
    note.body = row.body
    note.language = row.language
    note.uuid = row.uuid
    return note
  }

  private func insert(_ row: WordRow, of note: Note, into context: NSManagedObjectContext) {
    let word = Word(context: context)
    word.number = row.number
    word.level = row.level
    word.term = row.term
    word.meaning = row.meaning
    word.note = note
  }

  private func words(by key: String) -> NSFetchRequest<Word> {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return request
  }

  private func fetch(_ request: NSFetchRequest<Word>, _ context: NSManagedObjectContext) throws -> Double {
    // The first one opens a connection and fills its page cache, as the floor's does.
    try read(request, context)
    context.reset()
    return try measured { try read(request, context) }
  }

  @discardableResult
  private func read(_ request: NSFetchRequest<Word>, _ context: NSManagedObjectContext) throws -> [Word] {
    let words = try context.fetch(request)
    var sum = 0
    for word in words {
      sum += Int(word.number) + Int(word.level) + (word.term?.utf8.count ?? 0) + (word.meaning?.utf8.count ?? 0)
    }
    try check(sum > 0, "nothing was read")
    return words
  }

  private func values(_ context: NSManagedObjectContext) throws -> Double {
    let request = NSFetchRequest<NSDictionary>(entityName: "Word")
    request.resultType = .dictionaryResultType
    request.sortDescriptors = [NSSortDescriptor(key: "term", ascending: true)]
    func read() throws -> [NSDictionary] {
      let words = try context.fetch(request)
      var sum = 0
      for word in words {
        sum += (word["number"] as? Int ?? 0) + (word["level"] as? Int ?? 0)
        sum += (word["term"] as? String ?? "").utf8.count + (word["meaning"] as? String ?? "").utf8.count
      }
      try check(sum > 0, "nothing was read")
      return words
    }
    _ = try read()
    return try measured(read)
  }

  private func lookUp(_ context: NSManagedObjectContext) throws -> Double {
    let words = try allWords(context)
    let ids = shuffled(words.map(\.objectID))
    var sum = words.reduce(0) { $0 + $1.number }
    let seconds = measured {
      for id in ids { sum += (context.registeredObject(for: id) as? Word)?.number ?? 0 }
    }
    try check(sum > 0, "nothing was found")
    return withExtendedLifetime(words) { seconds }
  }

  private func cachedFault(_ container: NSPersistentContainer, _ context: NSManagedObjectContext) throws -> Double {
    let holder = container.newBackgroundContext()
    let (held, ids) = try holder.performAndWait {
      let words = try allWords(holder)
      return (words, shuffled(words.map(\.objectID)))
    }
    return try withExtendedLifetime(held) { try readFaults(ids, context) }
  }

  private func fileFault(_ context: NSManagedObjectContext) throws -> Double {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Word")
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.resultType = .managedObjectIDResultType
    return try readFaults(shuffled(try context.fetch(request)), context)
  }

  private func readFaults(_ ids: [NSManagedObjectID], _ context: NSManagedObjectContext) throws -> Double {
    var words: [Word] = []
    words.reserveCapacity(ids.count)
    var sum: Int64 = 0
    let seconds = measured {
      for id in ids {
        guard let word = context.object(with: id) as? Word else { continue }
        sum += word.number
        words.append(word)
      }
    }
    try check(sum > 0, "nothing was read")
    return withExtendedLifetime(words) { seconds }
  }

  private func update(_ words: [Word], _ context: NSManagedObjectContext, wordsPerSave: Int) throws -> Double {
    try measured {
      for (index, word) in words.enumerated() {
        word.level = 7
        if (index + 1) % wordsPerSave == 0 || index + 1 == words.count { try context.save() }
      }
    }
  }

  private func delete(_ numbers: [Int64], _ context: NSManagedObjectContext) throws -> Double {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "number IN %@", numbers)
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    let notes = try context.fetch(request)
    return try measured {
      for note in notes { context.delete(note) }
      try context.save()
    }
  }

  private func deleteFetched(by key: String, _ context: NSManagedObjectContext) throws -> Double {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
    return try measured {
      for note in try context.fetch(request) { context.delete(note) }
      try context.save()
    }
  }

  private func merge(
    _ context: NSManagedObjectContext, _ container: NSPersistentContainer, by key: String
  ) throws -> Double {
    let follower = container.newBackgroundContext()
    follower.automaticallyMergesChangesFromParent = true
    let followed = try follower.performAndWait { try follower.fetch(self.words(by: key)) }
    let words = try context.fetch(self.words(by: key))
    return try measured {
      for word in words { word.level = 7 }
      try context.save()
      let sum = follower.performAndWait { followed.reduce(0) { $0 + Int($1.level) } }
      try check(sum == 7 * followed.count, "not everything was merged")
    }
  }

  private func beside(_ reader: ReadingContext, _ body: () throws -> Double) rethrows -> Double {
    reader.start()
    defer { reader.stop() }
    return try body()
  }

  private func allWords(_ context: NSManagedObjectContext) throws -> [Word] { try context.fetch(words(by: "number")) }

  private func shuffled(_ ids: [NSManagedObjectID]) -> [NSManagedObjectID] {
    Order.shuffled(ids.count).map { ids[Int($0) - 1] }
  }

  /// Bytes of the heap for each fetched word.
  static func heapBytes(of file: URL) throws -> Double {
    let context = try open(file).newBackgroundContext()
    return try context.performAndWait {
      let peer = StackPeer()
      _ = try peer.allWords(context).count
      context.reset()
      let before = cpeer_heap_bytes()
      let words = try peer.allWords(context)
      return withExtendedLifetime(words) { Double(cpeer_heap_bytes() - before) / Double(words.count) }
    }
  }
}

/// A context that fetches a hundred words again and again, on a thread of its own.
private final class ReadingContext: @unchecked Sendable {
  // Sendable: the lock guards what both threads use.
  private let context: NSManagedObjectContext
  private let lock = NSLock()
  private var isStopped = false
  private let ended = DispatchSemaphore(value: 0)

  init(_ container: NSPersistentContainer) { context = container.newBackgroundContext() }

  func start() {
    Thread.detachNewThread { [self] in
      let request = NSFetchRequest<Word>(entityName: "Word")
      request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
      request.fetchLimit = 100
      while !lock.withLock({ isStopped }) {
        context.performAndWait {
          _ = try? context.fetch(request)
          context.reset()
        }
      }
      ended.signal()
    }
  }

  func stop() {
    lock.withLock { isStopped = true }
    ended.wait()
  }
}
