import SQLite
import Testing

@testable import CoreData

/// A container on a file of its own, removed with the stack.
final class TestStack: Sendable {
  let container: NSPersistentContainer
  let folder: URL
  let url: URL
  let place: Place
  private let ownsFolder: Bool

  /// Where a store can be; for tests that must hold on each.
  enum Place: CaseIterable, Sendable {
    /// A SQLite store in a file.
    case file
    /// `NSInMemoryStoreType`.
    case memory
    /// A SQLite store at `/dev/null`.
    case devNull
  }

  /// Where a store is when it is not given; see ``EveryStore``.
  @TaskLocal static var defaultPlace = Place.file

  /// A new store, or with `url` another coordinator on a store that is there.
  ///
  /// - Parameter timeout: seconds to wait for the lock of another coordinator.
  init(
    _ place: Place = TestStack.defaultPlace, model: NSManagedObjectModel = Notebook.model(), url existing: URL? = nil,
    isReadOnly: Bool = false, timeout: TimeInterval = 10, options: [String: NSObject] = [:]
  ) throws {
    folder =
      existing?.deletingLastPathComponent()
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("contextbench-\(UUID().uuidString)")
    let place = existing == nil ? place : .file
    self.place = place
    ownsFolder = existing == nil && place == .file
    url =
      place == .devNull
      ? URL(fileURLWithPath: "/dev/null") : existing ?? folder.appendingPathComponent("store.sqlite")
    container = NSPersistentContainer(name: "Notebook", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    if place == .memory { description.type = NSInMemoryStoreType }
    description.isReadOnly = isReadOnly
    description.timeout = timeout
    for (key, value) in options { description.setOption(value, forKey: key) }
    container.persistentStoreDescriptions = [description]
    // The handler is called on this thread before loading returns.
    nonisolated(unsafe) var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  deinit {
    if ownsFolder { try? FileManager.default.removeItem(at: folder) }
  }

  /// A context that keeps its stack, and so the folder.
  private final class Context: NSManagedObjectContext, @unchecked Sendable {
    // Sendable: set before the context is used.
    var stack: TestStack?
  }

  /// A private context with a name.
  func context(_ name: String = "context") -> NSManagedObjectContext {
    let context = Context(concurrencyType: .privateQueueConcurrencyType)
    context.stack = self
    context.persistentStoreCoordinator = container.persistentStoreCoordinator
    // A round for every key, so that each test is one of forgetting too soon.
    context.tree.aliases.setRoundMin(1)
    context.name = name
    return context
  }

  /// A child of `parent` with a queue of its own.
  func child(of parent: NSManagedObjectContext, _ name: String = "child") -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.name = name
    context.parent = parent
    return context
  }
}

extension TestStack {
  /// Saves notes with these numbers, titled after them, each with `words` words; their IDs.
  @discardableResult
  func seed(_ numbers: ClosedRange<Int64>, words: [String] = []) throws -> [NSManagedObjectID] {
    let context = context("seed")
    return try context.performAndWait {
      let notes = numbers.map { context.insertNote($0, title: "note \($0)", words: words) }
      try context.save()
      return notes.map(\.objectID)
    }
  }

  /// Runs `body` in a context of its own, and saves.
  func change(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let context = context("other")
    try context.performAndWait {
      try body(context)
      try context.save()
    }
  }

  /// The first column of a query, read past contexts and row cache; nulls as "NULL".
  func sql(_ query: String) throws -> [String] {
    guard place == .file else {
      let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
      return try store.sqlite.reading { connection, _ in try connection.column(query) }
    }
    return try Connection(path: url.path, mode: .readOnly).column(query)
  }
}

extension NSManagedObjectContext {
  /// The note with that number, on this context's queue.
  func note(_ number: Int64) throws -> Note {
    try #require(try notes(NSPredicate(format: "number == %d", number)).first)
  }

  /// A note, inserted here; on this context's queue.
  @discardableResult
  func insertNote(_ number: Int64, title: String? = nil, words: [String] = []) -> Note {
    let note = Note(context: self)
    note.number = number
    note.title = title
    for term in words {
      let word = Word(context: self)
      word.term = term
      word.note = note
    }
    return note
  }

  /// Every note, by number; on this context's queue.
  func notes(_ predicate: NSPredicate? = nil) throws -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    return try fetch(request)
  }

  func words(_ predicate: NSPredicate? = nil) throws -> [Word] {
    let request = NSFetchRequest<Word>(entityName: "Word")
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "term", ascending: true)]
    return try fetch(request)
  }
}

/// The code of an error of the Cocoa domain; nil when nothing, or something else, was thrown.
func cocoaCode(_ body: () throws -> Void) -> Int? {
  do {
    try body()
    return nil
  } catch let error as NSError {
    return error.domain == NSCocoaErrorDomain ? error.code : nil
  }
}

extension Connection {
  /// The first column of a query; nulls as "NULL".
  func column(_ query: String) throws -> [String] {
    let statement = try prepare(query)
    var values: [String] = []
    while try statement.step() { values.append(statement.isNull(at: 0) ? "NULL" : statement.string(at: 0)) }
    return values
  }

  /// Changes a store's file past the stack.
  static func write(_ url: URL, _ sql: String) throws { try Connection(path: url.path).execute(sql) }
}
