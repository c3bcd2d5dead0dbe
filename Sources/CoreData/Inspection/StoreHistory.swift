import SQLite
import RowStore

/// The persistent history that a store's file has, read without opening the store.
package struct StoreHistory {
  /// One change of an object.
  package struct Change {
    package let number: Int64
    /// "insert", "update" or "delete".
    package let kind: String
    package let entity: String
    package let primaryKey: Int64
    /// Names of the properties that an update has changed, in the order of their bits.
    package let properties: [String]
    /// Values kept of a deleted object, as text by name.
    package let tombstone: [(name: String, value: String)]
  }

  /// One save or batch request.
  package struct Transaction {
    package let number: Int64
    package let time: Date
    package let author: String?
    package let contextName: String?
    package let bundle: String
    package let process: String
    package let changes: [Change]
  }

  /// In the order of the commits.
  package let transactions: [Transaction]

  /// Reads the history of the file at `path`; none where it has none.
  ///
  /// - Parameter model: the model that the file was made with.
  /// - Throws: as ``StoreInspection/init(path:)``; the error of the model.
  package init(path: String, model: NSManagedObjectModel) throws {
    let layout = try model.freeze()
    transactions = try StoreInspection.reading(path) { connection in
      guard try HistorySchema.exists(connection) else { return [] }
      let tag = StoreTag(uuid: try StoreMetadata.uuid(connection) ?? "")
      let reading = try HistoryReading(connection, StoreSchema(layout, file: try FileNames(connection)), tag)
      return try reading.transactions(after: .start, withChanges: true).map { Transaction($0, tag) }
    }
  }
}

extension StoreHistory.Transaction {
  fileprivate init(_ recorded: RecordedTransaction, _ tag: StoreTag) {
    self.init(
      number: recorded.number, time: Date(timeIntervalSinceReferenceDate: recorded.timestamp), author: recorded.author,
      contextName: recorded.contextName, bundle: recorded.bundle, process: recorded.process,
      changes: recorded.changes.map { StoreHistory.Change($0, tag) })
  }
}

extension StoreHistory.Change {
  fileprivate init(_ recorded: RecordedChange, _ tag: StoreTag) {
    self.init(
      number: recorded.number, kind: "\(recorded.kind)", entity: recorded.layout.name,
      primaryKey: tag.primaryKey(recorded.key), properties: recorded.properties.map(\.name),
      tombstone: recorded.tombstone.compactMap { property, value in
        guard case .attribute(let type) = property.kind, let value = value.value(as: type) else { return nil }
        return (property.name, "\(value)")
      })
  }
}
