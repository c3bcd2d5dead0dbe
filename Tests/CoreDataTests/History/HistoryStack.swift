import SQLite
import Testing

@testable import CoreData

extension TestStack {
  /// A new store with a history, or another coordinator on one that is there.
  static func withHistory(
    _ place: Place = TestStack.defaultPlace, model: NSManagedObjectModel = Notebook.model(), url: URL? = nil
  ) throws -> TestStack {
    try TestStack(place, model: model, url: url, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
  }

  /// The result of a request for history, executed in a context of its own.
  func history(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
    let context = context("history")
    return try context.performAndWait { (try context.execute(request) as? NSPersistentHistoryResult)?.result }
  }

  /// Every transaction with its changes.
  func transactions(
    after token: NSPersistentHistoryToken? = nil
  ) throws -> [NSPersistentHistoryTransaction] {
    try #require(
      try history(.fetchHistory(after: token)) as? [NSPersistentHistoryTransaction])
  }

  /// The changes of a transaction as words: `insert Note 1`, `update Word 2 level note`, `delete Word 1`.
  func changes(_ number: Int64) throws -> [String] {
    try (transactions().first { $0.transactionNumber == number }?.changes ?? []).map(\.words)
  }

  func token() throws -> NSPersistentHistoryToken {
    try #require(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil))
  }

  /// Replays the history from an empty store: the rows that it leaves are those of the file.
  func expectHistoryGivesTheFile(sourceLocation: SourceLocation = #_sourceLocation) throws {
    var rows: Set<NSManagedObjectID> = []
    for change in try transactions().flatMap({ $0.changes ?? [] }) {
      switch change.changeType {
      case .insert: #expect(rows.insert(change.changedObjectID).inserted, "\(change)", sourceLocation: sourceLocation)
      case .update: #expect(rows.contains(change.changedObjectID), "\(change)", sourceLocation: sourceLocation)
      case .delete:
        #expect(rows.remove(change.changedObjectID) != nil, "\(change)", sourceLocation: sourceLocation)
      }
    }
    let context = context("file")
    let file = try context.performAndWait {
      try container.managedObjectModel.entities.flatMap { entity in
        let request = NSFetchRequest<NSManagedObjectID>()
        request.entity = entity
        request.includesSubentities = false
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request)
      }
    }
    #expect(rows == Set(file), sourceLocation: sourceLocation)
  }
}

extension NSPersistentHistoryChange {
  /// The change and its object.
  var words: String {
    let names = updatedProperties.map { " " + $0.map(\.name).sorted().joined(separator: " ") } ?? ""
    return "\(changeType) \(changedObjectID.entity.name ?? "") \(changedObjectID.primaryKey)\(names)"
  }
}
