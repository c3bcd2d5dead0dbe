import RowStore

/// Names a state of the stores for ``NSManagedObjectContext/setQueryGenerationFrom(_:)``.
///
/// As long as a context or the program holds the token of a state, the write-ahead logs of the stores keep it.
/// - SeeAlso: Apple, "NSQueryGenerationToken".
open nonisolated class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Sendable: nothing changes after `init`.

  /// The state; nil for ``current``.
  final let generation: QueryGeneration?

  init(_ generation: QueryGeneration?) {
    self.generation = generation
    super.init()
  }

  /// The state that the stores will have when a context first reads from it.
  open class var current: NSQueryGenerationToken { currentState }

  private static let currentState = NSQueryGenerationToken(nil)

  /// Whether tokens are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads ``current`` from an archive; nil for the token of a state, which ends with its process.
  public required init?(coder: NSCoder) {
    guard coder.decodeBool(forKey: "current") else { return nil }
    generation = nil
    super.init()
  }

  /// Puts the token into an archive, of use only for ``current``.
  open func encode(with coder: NSCoder) { coder.encode(generation == nil, forKey: "current") }

  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override func isEqual(_ object: Any?) -> Bool {
    (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
  }

  open override var hash: Int { generation.map { ObjectIdentifier($0).hashValue } ?? 0 }
}

/// One state of all stores of a coordinator, by read transactions that are held until it is released.
final class QueryGeneration: Sendable {
  /// Has the stores as they are in this state.
  let reader: NSPersistentStoreCoordinator
  /// The coordinator that has them as they are now; only compared.
  private let source: UInt64

  init(of coordinator: NSPersistentStoreCoordinator) throws {
    source = coordinator.family
    reader = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
    coordinator.generations.withLock { $0 = $0.filter { $0.generation != nil } + [WeakGeneration(generation: self)] }
    for entry in coordinator.stores.all {
      let state = try entry.sqlite.currentState(
        model: coordinator.managedObjectModel, layout: coordinator.layout, writer: reader.turn)
      reader.stores.add(entry.store, state)
      if coordinator.stores.sqlite(of: entry.store) == nil { remove(entry.store) }
    }
  }

  /// Closes the state of a store that was removed; a read that is under way ends first.
  func remove(_ store: NSPersistentStore) {
    reader.turn.sync {
      guard let state = reader.stores.sqlite(of: store) else { return }
      try? state.close()
      reader.stores.remove(store)
    }
  }

  func isOf(_ coordinator: NSPersistentStoreCoordinator) -> Bool { source == coordinator.family }
}

/// One that is in use; not kept.
struct WeakGeneration: Sendable {
  weak var generation: QueryGeneration?
}

/// The state of the stores that a context reads, where it does not read the newest.
enum ReadState {
  /// One that is chosen at the next read.
  case next
  case chosen(QueryGeneration)
}
