import Checking
import CoreData

/// A store that is opened and closed: a coordinator of its own with one context.
///
/// Concurrency: used by one thread at a time.
final class LifecycleStore {
  static let entity = "Counter"

  let path: String
  private let coordinator: NSPersistentStoreCoordinator
  // Held like an app's that shows its stores: closing must not wait for the last reference to the store.
  private var store: NSPersistentStore
  private let context: NSManagedObjectContext

  /// Opens the store of a file, or makes it.
  ///
  /// - Throws: the coordinator's error.
  init(_ path: String, _ environment: StrategyEnvironment) throws {
    self.path = path
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: environment.container.managedObjectModel)
    store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: environment.container.persistentStoreDescriptions.first?.options)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    environment.adopt(context, name: "context of \(URL(fileURLWithPath: path).lastPathComponent)")
  }

  /// Inserts rows with these keys and one value, and saves.
  func insert(_ keys: Range<Int64>, value: Int64) throws {
    precondition(!keys.isEmpty, "a save has rows")
    try context.performAndWait {
      for key in keys { _ = KeyedRow.insert(Self.entity, number: key, value: value, into: context) }
      try context.save()
    }
  }

  /// A row as it is in the file.
  struct Row: Equatable {
    var key: Int64
    var value: Int64
  }

  /// The rows of the file, by their keys.
  func rows() throws -> [Row] {
    try context.performAndWait {
      try KeyedRow.fetch(Self.entity, in: context).map { Row(key: $0.number, value: $0.value) }
    }
  }

  /// Fetches the row of a key and keeps it; the returned row belongs to the context.
  func hold(_ key: Int64) throws -> Held {
    try context.performAndWait {
      guard let row = try KeyedRow.fetch(Self.entity, keys: [key], in: context).first else {
        throw UnexpectedAnswer(subject: "\(path), row \(key)", expected: "its row", seen: "no row")
      }
      return Held(row: row)
    }
  }

  /// A row between two blocks of its context.
  struct Held: @unchecked Sendable {
    // Sendable: the row is touched in blocks of its context only.
    fileprivate let row: KeyedRow
  }

  /// A change of a client to a store that it believes to be its own.
  enum Change: String, CaseIterable {
    case update, delete, insert
  }

  /// Changes a row that is held, or inserts another, and saves.
  ///
  /// - Throws: the save's error.
  func change(_ held: Held, by change: Change, value: Int64) throws {
    try context.performAndWait {
      switch change {
      case .update: held.row.value = value
      case .delete: context.delete(held.row)
      case .insert: _ = KeyedRow.insert(Self.entity, number: held.row.number + 1, value: value, into: context)
      }
      do {
        try context.save()
      } catch {
        context.rollback()
        throw error
      }
    }
  }

  /// Takes the store from the coordinator, which closes it.
  func close() throws { try coordinator.remove(store) }

  /// Copies the store to another file, and continues with the copy.
  func move(to path: String) throws {
    store = try coordinator.migratePersistentStore(
      store, to: URL(fileURLWithPath: path), withType: NSSQLiteStoreType)
  }

  // MARK: Files

  /// Empties the store of a file that this process has not open.
  static func destroy(_ path: String, _ environment: StrategyEnvironment) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: environment.container.managedObjectModel)
      .destroyPersistentStore(at: URL(fileURLWithPath: path), ofType: NSSQLiteStoreType)
  }

  /// Copies the store of one file over that of another, which this process has not open.
  static func replace(_ path: String, with source: String, _ environment: StrategyEnvironment) throws {
    try NSPersistentStoreCoordinator(managedObjectModel: environment.container.managedObjectModel)
      .replacePersistentStore(
        at: URL(fileURLWithPath: path), withPersistentStoreFrom: URL(fileURLWithPath: source),
        ofType: NSSQLiteStoreType)
  }

  /// The descriptors that this process has of a store's files.
  static func descriptors(of path: String) -> [String] {
    let folder = "/proc/self/fd"
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
      .filter { $0.hasPrefix(path) }
  }
}
