import RowStore

/// The evaluation of objects for a fetch, or a controller.
struct Evaluation {
  /// Above 0 while a fetch or a controller evaluates objects.
  private(set) var depth = 0
  /// The last object that was found to have no row while it was asked so.
  var foundGone: NSManagedObject?

  /// A row that is found gone on the way, as another context deletes it, holds nothing: the program has not read it.
  static func run<Result>(in context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
    context.reading.evaluation.depth += 1
    defer {
      context.reading.evaluation.depth -= 1
      context.reading.evaluation.foundGone = nil
    }
    return try body()
  }
}

/// How a context reads the stores.
struct StoreReading {
  /// The state of the stores that is read; nil for the newest one at each read.
  var state: ReadState?
  /// The row cache that had the row asked for last.
  var usualCache: RowCache?
  var unreadable = UnreadableStore()
  /// Fetches that read their rows batch by batch.
  var batches = FetchBatches()
  var evaluation = Evaluation()
  /// How often the context has asked for the stores to read.
  private(set) var count = 0

  /// Lets the next read choose a newer state, where one was chosen.
  mutating func leave() {
    guard state != nil else { return }
    state = .next
    usualCache = nil
  }

  /// The coordinator as the state has it, which is chosen now where that was left to the next read. Counts the read.
  mutating func reader(of coordinator: NSPersistentStoreCoordinator?) throws -> NSPersistentStoreCoordinator? {
    count &+= 1
    if case .chosen(let generation)? = state { return generation.reader }
    guard state != nil, let coordinator else { return coordinator }
    let generation = try QueryGeneration(of: coordinator)
    state = .chosen(generation)
    return generation.reader
  }
}

extension NSManagedObjectContext {
  /// The state of the stores that this context reads: nil for the newest one at each read, as by default and in children,
  /// ``NSQueryGenerationToken/current`` before the first read of one that is chosen then.
  public final var queryGenerationToken: NSQueryGenerationToken? {
    touch("queryGenerationToken")
    switch reading.state {
    case nil: return nil
    case .next?: return .current
    case .chosen(let generation)?: return NSQueryGenerationToken(generation)
    }
  }

  /// Lets fetches and faults of this context read one state of the stores, whatever others save: that of another context's
  /// token, with ``NSQueryGenerationToken/current`` that of the next read; with nil the newest one at each read.
  ///
  /// A save, a reset and a merge move a context to the state of its next read. Objects that have their values keep them:
  /// refresh them.
  /// - Precondition: the context has no parent; a child reads what its parent reads.
  /// - Throws: 134091 for a store without a write-ahead log, such as one in memory; 134060 for a token of another coordinator.
  public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    touch("setQueryGenerationFrom(_:)")
    precondition(parentContext == nil, "a child context reads what its parent reads; set the query generation there")
    guard let generation else {
      reading.state = nil
      return
    }
    if let chosen = generation.generation {
      guard let coordinator, chosen.isOf(coordinator) else {
        throw NSError.coreData(NSCoreDataError, "The query generation is one of another coordinator than \(label)'s.")
      }
      reading.state = .chosen(chosen)
    } else {
      for entry in coordinator?.stores.all ?? [] { try entry.sqlite.requireStates() }
      reading.state = .next
    }
    reading.usualCache = nil
  }

  /// The coordinator as this context reads it; nil for a child, and before there is one.
  final var reader: NSPersistentStoreCoordinator? {
    get throws { try reading.reader(of: coordinator) }
  }

  /// Says which store a new object is saved to; without it, the first of the coordinator that can be written and has the
  /// object's entity in its configuration.
  ///
  /// Needed only where several stores have the entity. An object that was saved, or has a permanent ID, stays in its
  /// store: make another one there, copy the values and delete the old one.
  /// - Precondition: `object` is a managed object of this context, and `store` one of its coordinator's that has the
  ///   object's entity.
  public final func assign(_ object: Any, to store: NSPersistentStore) {
    touch("assign(_:to:)")
    guard let object = object as? NSManagedObject, object.registry != nil, object.registry === registry else {
      preconditionFailure("\(object) is no object of \(label); insert it first")
    }
    guard let sqlite = persistentStoreCoordinator?.stores.sqlite(of: store) else {
      preconditionFailure("the store \(store.sqlite.place.label) is not open in the coordinator of \(label)")
    }
    precondition(
      sqlite.takes(object.layout),
      "Can't assign an object to a store that does not contain the object's entity: \(object.layout.name)")
    guard object.key < 0 else {
      return precondition(
        sqlite.tag.owns(object.key),
        "Can't reassign an object to a different store once it has been saved: \(object.objectID)")
    }
    tree.assignments.assign(object.key, to: sqlite.tag)
  }
}
