import Testing

@testable import CoreData
@testable import RowStore

/// The state of a context that a failed save must not change: sets, IDs and values.
///
/// Keys and values as texts, so that two states compare, and a difference can be read.
struct ContextState: Equatable {
  let inserted: [String]
  let updated: [String]
  let deleted: [String]

  /// On the context's queue.
  init(_ context: NSManagedObjectContext) {
    inserted = context.insertedObjects.map(Self.text).sorted()
    updated = context.updatedObjects.map(Self.text).sorted()
    deleted = context.deletedObjects.map { "\($0.objectID.uriRepresentation())" }.sorted()
  }

  private static func text(_ object: NSManagedObject) -> String {
    let values = object.layout.properties.map { property in
      "\(property.name)=\(text(object.value(forKey: property.name)))"
    }
    let changed = object.changedValues().map { "\($0.key)=\(text($0.value))" }.sorted()
    return "\(object.objectID.uriRepresentation()) \(values) changed \(changed)"
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case let object as NSManagedObject: "\(object.objectID.uriRepresentation())"
    case let objects as Set<NSManagedObject>: "\(objects.map { "\($0.objectID.uriRepresentation())" }.sorted())"
    case let value?: "\(value)"
    case nil: "nil"
    }
  }
}

extension TestStack {
  /// Every row of every table, in the order of the tables' names and of the rows' columns.
  func dump() throws -> [String] {
    let tables = try sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z*' ORDER BY name")
    return try tables.flatMap { table in
      let columns = try sql("SELECT name FROM pragma_table_info('\(table)')")
      let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      return try sql("SELECT '\(table): ' || \(row) FROM \(table) ORDER BY 1")
    }
  }

  /// The connection that writes, for faults; not used otherwise meanwhile.
  func withWriter<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
    let coordinator = container.persistentStoreCoordinator
    let store = try #require(coordinator.persistentStores.first)
    return try coordinator.turn.sync { try body(store.sqlite) }
  }
}
